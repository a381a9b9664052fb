package app

import (
	"io/fs"
	"os"
	"testing"
)

// A folder of the person's that cannot be read may hold what a rule names: a command can change its
// permissions.
func TestAFolderThatCannotBeReadIsADoubt(t *testing.T) {
	dir := t.TempDir()
	s := unreadSearch{}
	s.unopened(dir, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist})
	if s.why != "" {
		t.Errorf("a folder that is gone: %s", s.why)
	}
	s.unopened(dir, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission})
	if s.why == "" {
		t.Error("a command could open the folder, and read what a rule keeps back")
	}
	if os.Chown(dir, 1, 1) != nil {
		return // only root gives a folder away
	}
	s = unreadSearch{}
	if s.unopened(dir, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}); s.why != "" {
		t.Errorf("a folder of somebody else: %s", s.why)
	}
}
