// Package recall stores the texts that the user has sent from a workspace, so that later sessions
// can recall them.
package recall

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Limits on a history file. When it has one and a half times MaxEntries, it is shortened to
// MaxEntries.
const (
	MaxEntries = 10_000
	maxEntry   = 64 << 10 // the number of bytes of the longest entry that is stored
	maxFile    = 16 << 20 // the number of bytes that are read from the end of the file
)

// History is the file with the texts that the user has sent from one workspace. Several processes
// may use it at once. The zero value stores nothing.
type History struct {
	path    string
	secrets secret.Set
	lines   int // the number of lines in the file, as far as this process has read or written them
}

// Entry is a text that the user has sent. Pastes are the pasted texts in it, which the input showed
// as placeholders.
type Entry struct {
	Text   string   `json:"text"`
	Pastes []string `json:"pastes,omitempty"`
}

// Open returns the history of a workspace. Its file in dir is created with the first entry. Entries
// that contain one of secrets, or a text that looks like a key, are not stored.
func Open(dir, workspace string, secrets secret.Set) *History {
	sum := sha256.Sum256([]byte(workspace))
	return &History{path: filepath.Join(dir, hex.EncodeToString(sum[:12])+".jsonl"), secrets: secrets}
}

// Load returns the stored entries, oldest first. It skips lines that cannot be read.
func (h *History) Load() ([]Entry, error) {
	if h.path == "" {
		return nil, nil
	}
	f, err := openFile(h.path, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := readEntries(f)
	h.lines = len(list)
	return list[max(len(list)-MaxEntries, 0):], err
}

// readEntries returns the entries in the last maxFile bytes of f.
func readEntries(f *os.File) (list []Entry, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if size := info.Size(); size > maxFile {
		if _, err := f.Seek(size-maxFile, io.SeekStart); err != nil {
			return nil, err
		}
	}
	r := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		var e Entry
		if len(line) > 0 && json.Unmarshal(line, &e) == nil && e.Text != "" {
			list = append(list, e)
		}
		if errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return list, err
		}
	}
}

// Add stores e, unless it begins with a blank, is too long, or contains a secret.
func (h *History) Add(e Entry) error {
	if h.path == "" || !h.mayStore(e) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	unlock, err := lock(h.path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	f, err := openFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	defer f.Close()
	if endsIncomplete(f) {
		line = append([]byte("\n"), line...)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	h.lines++
	if h.lines > MaxEntries*3/2 {
		return h.shorten(f)
	}
	return nil
}

// mayStore reports whether e may be stored: it does not begin with a blank, is not too long, and
// contains no secret.
func (h *History) mayStore(e Entry) bool {
	text := e.Text
	return strings.TrimSpace(text) != "" && text[0] != ' ' && text[0] != '\t' && len(text) <= maxEntry &&
		utf8.ValidString(text) && !h.secrets.Contains([]byte(text)) && !secret.LooksSecret(text)
}

// endsIncomplete reports whether the last line of f has no newline, because its writer was killed.
func endsIncomplete(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// shorten replaces the file with one that has only the newest MaxEntries entries. The caller holds
// the lock.
func (h *History) shorten(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	list, err := readEntries(f)
	if err != nil {
		return err
	}
	if h.lines = len(list); h.lines <= MaxEntries {
		return nil
	}
	list = list[len(list)-MaxEntries:]
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, e := range list {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(h.path), "cut-") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(b.Bytes())
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), h.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	h.lines = len(list)
	return nil
}
