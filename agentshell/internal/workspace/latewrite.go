package workspace

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
)

// These constants limit the files that hold late writes: see [Workspace.LateWrites]. The newest
// file is removed only because of its age.
const (
	maxLateAge   = 30 * 24 * time.Hour
	maxLateFiles = 100
	maxLateBytes = 256 << 20
)

// LateWrites returns a sentence for each replaced file that another program has changed after it
// was replaced, through a descriptor that was open before. It reports each file once. It saves the
// changed content next to the journal, so that it survives the session.
func (w *Workspace) LateWrites() []string {
	var messages []string
	for _, u := range w.Undos() {
		if !u.writtenSinceLastCheck() {
			continue
		}
		if late, err := u.WrittenLate(); err != nil || !late {
			continue
		}
		u.mu.Lock()
		u.isReported = true
		u.mu.Unlock()
		kept := "it is kept until the session ends"
		if name, err := w.saveLateWrite(u); err == nil {
			kept = fmt.Sprintf("it is saved for %d days as %s", int(maxLateAge.Hours()/24), name)
		}
		messages = append(messages,
			fmt.Sprintf("%s: another program wrote to the version that was replaced, through a file that it had "+
				"opened before. That is not in the file now; %s.", u.Path, kept))
	}
	return messages
}

// saveLateWrite writes the present content of a replaced file to the directory of the journal.
func (w *Workspace) saveLateWrite(u *Undo) (name string, err error) {
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
	trimLateFiles(w.journal, w.now())
	return name, nil
}

// trimLateFiles removes saved files beyond the limits.
func trimLateFiles(dir string, now time.Time) {
	keep.Trim(filepath.Join(dir, "late-*"), keep.Bounds{Age: maxLateAge, Files: maxLateFiles, Bytes: maxLateBytes}, now)
}
