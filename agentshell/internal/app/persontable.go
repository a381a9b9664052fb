package app

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// readPersonTable returns the text of a configuration file of the user, or nil if the file does not
// exist. A file of more than limit bytes is an error.
func readPersonTable(path string, limit int) ([]byte, error) {
	text, err := regular.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case len(text) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes", path, limit)
	}
	return text, nil
}
