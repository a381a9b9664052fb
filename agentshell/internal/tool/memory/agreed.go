package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Agreed holds to which texts of a workspace's notes the person has said yes, in a file outside of
// the workspace. A nil one holds nothing.
type Agreed struct{ path string }

// NewAgreed returns the answers about a workspace, kept below dir; "" keeps none.
func NewAgreed(dir, workspace string) *Agreed {
	if dir == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(workspace))
	return &Agreed{path: filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")}
}

// load returns the sums of the texts, by the names of the notes. What cannot be read is no yes.
func (a *Agreed) load() map[string]string {
	sums := map[string]string{}
	data, err := regular.ReadFile(a.path)
	if err != nil || json.Unmarshal(data, &sums) != nil {
		return map[string]string{}
	}
	return sums
}

// sums returns the sums of the texts, by the names of their notes.
func (a *Agreed) sums() map[string]string {
	if a == nil {
		return nil
	}
	return a.load()
}

// Add stores that the person has said yes to a text.
func (a *Agreed) Add(name string, data []byte) error {
	if a == nil {
		return errors.New("there is no folder to keep it in")
	}
	sums := a.load()
	for old := range sums { // a workspace with more notes has some of them confirmed again
		if len(sums) >= 2*MaxNotes {
			delete(sums, old)
		}
	}
	sums[name] = sumOf(data)
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(a.path), "new-") // 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), a.path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
