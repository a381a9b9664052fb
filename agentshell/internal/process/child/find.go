package child

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrInside is the error for a command of the user's that would run a file of the workspace.
var ErrInside = errors.New("lies in the workspace, and so is not the person's alone")

// Find returns the path of the file that command, which the user has configured, runs in dir. It
// returns an error if that file, or an argument that names an existing file, lies in the workspace.
// inside reports whether a path lies in the workspace; nil: no path does.
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

// FirstLine returns the first line of problem, a program's output about its failure, as an error of
// at most 300 bytes. It returns nil if there is no text.
func FirstLine(problem []byte) error {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(problem), "\uFFFD")), "\n")
	if line == "" {
		return nil
	}
	return errors.New(line[:min(len(line), 300)])
}
