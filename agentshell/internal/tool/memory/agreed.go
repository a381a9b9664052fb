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

// Agreed stores which notes of a workspace the user has confirmed, in a file outside of the
// workspace. It stores hashes of their texts. A nil Agreed stores nothing.
type Agreed struct{ path string }

// NewAgreed returns the confirmations for a workspace, stored below dir. It returns nil if dir is
// "".
func NewAgreed(dir, workspace string) *Agreed {
	if dir == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(workspace))
	return &Agreed{path: filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")}
}

// loadHashes returns the hashes of the confirmed texts by the names of the notes. It returns an
// empty map if the file cannot be read.
func (a *Agreed) loadHashes() map[string]string {
	sums := map[string]string{}
	data, err := regular.ReadFile(a.path)
	if err != nil || json.Unmarshal(data, &sums) != nil {
		return map[string]string{}
	}
	return sums
}

// confirmedHashes returns the hashes of the confirmed texts by the names of the notes; nil for a
// nil a.
func (a *Agreed) confirmedHashes() map[string]string {
	if a == nil {
		return nil
	}
	return a.loadHashes()
}

// Add stores that the user has confirmed the text data of a note.
func (a *Agreed) Add(name string, data []byte) error {
	if a == nil {
		return errors.New("there is no folder to keep it in")
	}
	sums := a.loadHashes()
	for old := range sums { // a workspace with more notes has some of them confirmed again
		if len(sums) >= 2*MaxNotes {
			delete(sums, old)
		}
	}
	sums[name] = hashOf(data)
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

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
