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

// Find returns the file that a command of the person's runs in dir. Neither that file nor a word
// behind it that names a file may lie in the workspace, which inside tells; nil: nothing does.
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

// Said returns the first line that a program printed about its failure, at most 300 bytes; nil:
// none.
func Said(problem []byte) error {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(problem), "\uFFFD")), "\n")
	if line == "" {
		return nil
	}
	return errors.New(line[:min(len(line), 300)])
}
