package workspace

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
)

// What is kept of late writes, which lie beside the journal: the newest, up to these bounds. The
// newest of all stays until it is too old.
const (
	lateAge   = 30 * 24 * time.Hour
	lateFiles = 100
	lateBytes = 256 << 20
)

// Late says in words, once for each file, that somebody wrote to a displaced file through a
// descriptor that was opened before. What was written is saved beside the journal, so that it
// outlives the session.
func (w *Workspace) Late() []string {
	var said []string
	for _, u := range w.Undos() {
		if !u.touched() {
			continue
		}
		if late, err := u.Late(); err != nil || !late {
			continue
		}
		u.mu.Lock()
		u.told = true
		u.mu.Unlock()
		where := "it is kept until the session ends"
		if name, err := w.save(u); err == nil {
			where = fmt.Sprintf("it is saved for %d days as %s", int(lateAge.Hours()/24), name)
		}
		said = append(said,
			fmt.Sprintf("%s: another program wrote to the version that was replaced, through a file that it had "+
				"opened before. That is not in the file now; %s.", u.Path, where))
	}
	return said
}

// save writes the bytes of a displaced file into the directory of the journal.
func (w *Workspace) save(u *Undo) (name string, err error) {
	if w.journal == "" {
		return "", os.ErrNotExist
	}
	b, err := u.Bytes()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(w.journal, 0o700); err != nil {
		return "", err
	}
	name = filepath.Join(w.journal, "late-"+rand.Text())
	if err := os.WriteFile(name, b, 0o600); err != nil {
		os.Remove(name)
		return "", err
	}
	forgetLate(w.journal, w.now())
	return name, nil
}

// forgetLate removes what is beyond the bounds.
func forgetLate(dir string, now time.Time) {
	keep.Trim(filepath.Join(dir, "late-*"), keep.Bounds{Age: lateAge, Files: lateFiles, Bytes: lateBytes}, now)
}
