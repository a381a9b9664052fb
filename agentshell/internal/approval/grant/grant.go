// Package grant stores the user's allow rules beyond a session, for one workspace or for all.
package grant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Store accesses the file of rules in the user's configuration directory for one workspace. The
// file is read and written as a whole. If two sessions store a rule at the same time, one rule may
// be lost; then the user is asked again.
type Store struct {
	File      string
	Workspace string // the absolute path of the workspace, with symbolic links resolved
}

// ruleFile is the JSON content of the file.
type ruleFile struct {
	Everywhere []string            `json:"everywhere,omitempty"`
	Workspaces map[string][]string `json:"workspaces,omitempty"`
}

func (s Store) read() (r ruleFile, err error) {
	text, err := regular.ReadFile(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return ruleFile{}, fmt.Errorf("the kept rules cannot be read, so none of them holds: %s: %w", s.File, err)
	}
	return r, nil
}

// Load returns the texts of the rules for all workspaces and for this one. It returns none if there
// is no file, or after an error.
func (s Store) Load() (everywhere, here []string, err error) {
	r, err := s.read()
	return r.Everywhere, r.Workspaces[s.Workspace], err
}

// Keep stores a rule for this workspace, or for all workspaces.
func (s Store) Keep(rule string, everywhere bool) error {
	return s.rewrite(func(r *ruleFile) {
		list := r.Workspaces[s.Workspace]
		if everywhere {
			list = r.Everywhere
		}
		if slices.Contains(list, rule) {
			return
		}
		if list = append(list, rule); everywhere {
			r.Everywhere = list
			return
		}
		if r.Workspaces == nil {
			r.Workspaces = map[string][]string{}
		}
		r.Workspaces[s.Workspace] = list
	})
}

// Forget deletes a rule for this workspace, or for all workspaces.
func (s Store) Forget(rule string, everywhere bool) error {
	return s.rewrite(func(r *ruleFile) {
		is := func(text string) bool { return text == rule }
		if everywhere {
			r.Everywhere = slices.DeleteFunc(r.Everywhere, is)
			return
		}
		if left := slices.DeleteFunc(r.Workspaces[s.Workspace], is); len(left) > 0 {
			r.Workspaces[s.Workspace] = left
		} else {
			delete(r.Workspaces, s.Workspace)
		}
	})
}

// rewrite calls f to change the rules, and writes the file. It does not write a file that it could
// not read.
func (s Store) rewrite(f func(*ruleFile)) error {
	r, err := s.read()
	if err != nil {
		return err
	}
	f(&r)
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(s.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".rules-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), s.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
