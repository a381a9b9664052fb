package child

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrInside says that a part of a command lies in the workspace.
var ErrInside = errors.New("lies in the workspace, and so is not the person's alone")

// Find returns the file that a command of the person's runs in dir. It is an error if that file, or
// an argument that names an existing file, lies in the workspace. inside reports whether a path
// lies there; nil: none does.
func (p *Programs) Find(command []string, dir string, inside func(path string) bool) (program string, err error) {
	program, err = p.Path(command[0])
	if err != nil {
		return "", err
	}
	for i, w := range command {
		if i == 0 {
			w = program
		}
		if !filepath.IsAbs(w) {
			w = filepath.Join(dir, w)
		}
		if _, err := os.Lstat(w); err == nil && inside != nil && inside(w) {
			return "", fmt.Errorf("%s %w", w, ErrInside)
		}
	}
	return program, nil
}

// FirstLine returns the first line of what a program printed about its failure, at most 300 bytes,
// as an error. It is nil if there is none.
func FirstLine(problem []byte) error {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(problem), "\uFFFD")), "\n")
	if line == "" {
		return nil
	}
	return errors.New(line[:min(len(line), 300)])
}
