package session

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Bounds of the outputs of tools that are kept in files in <id>.outputs beside the log, named by
// their numbers. The bounds hold for all sessions of a workspace together, and the newest files are
// kept.
const (
	outputsAge        = 30 * 24 * time.Hour
	outputsEach       = 32 << 20  // bytes of one session
	outputsAll        = 256 << 20 // bytes of all sessions
	outputsCheckAfter = 4 << 20   // bytes that are written between two checks of the bounds
)

// OutputAddress begins the address by which a conversation names an output. The number follows.
const OutputAddress = "artifact://output-"

// maxOutputDigits is the number of digits of the highest number of an output that is believed: a
// text may name any.
const maxOutputDigits = 9

// outputsDir returns the directory of the outputs of the session in the file path.
func outputsDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".outputs" }

// KeepOutput keeps an output of a tool under a number that no other has. Secrets in it are
// replaced. An error says that it is not kept.
func (l *Log) KeepOutput(n int, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	dir := outputsDir(l.Path())
	if err := makePrivate(filepath.Dir(dir), dir); err != nil {
		return err
	}
	name := filepath.Join(dir, strconv.Itoa(n))
	f, err := os.OpenFile(name+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.cfg.Secrets.Redact(text))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(name+".new", name) // a kill leaves no half of it under the name
	}
	if err != nil {
		os.Remove(name + ".new")
		return err
	}
	if l.outputBytes += len(text); l.outputBytes >= outputsCheckAfter {
		l.outputBytes = 0
		l.trimOutputs()
	}
	return nil
}

// Output returns a kept output by its number.
func (l *Log) Output(n int) (string, error) {
	data, err := regular.ReadFile(filepath.Join(outputsDir(l.Path()), strconv.Itoa(n)))
	return string(data), err
}

// LastOutput returns the highest number of an output that is kept, or that the log names: a number
// is never given twice, so that no text is taken for another one.
func (l *Log) LastOutput() (last int) {
	entries, _ := os.ReadDir(outputsDir(l.Path()))
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			last = max(last, n)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	text, _ := l.sink.content()
	for {
		_, rest, found := bytes.Cut(text, []byte(OutputAddress))
		if !found {
			return last
		}
		digits := 0
		for digits < len(rest) && digits <= maxOutputDigits && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		if n, err := strconv.Atoi(string(rest[:digits])); err == nil && digits <= maxOutputDigits {
			last = max(last, n)
		}
		text = rest
	}
}

// copyOutputs copies the outputs in the directory from, which another session has.
func (l *Log) copyOutputs(from string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		n, numberErr := strconv.Atoi(e.Name())
		data, readErr := regular.ReadFile(filepath.Join(from, e.Name()))
		if numberErr == nil && readErr == nil { // else it is no output
			err = errors.Join(err, l.KeepOutput(n, string(data)))
		}
	}
	return err
}

// trimOutputs removes the oldest outputs until all sessions of the workspace are within the bounds,
// and the outputs of sessions whose log is gone. The caller holds l.mu, or is the only one.
func (l *Log) trimOutputs() {
	all := filepath.Join(filepath.Dir(l.Path()), "*.outputs")
	dirs, _ := filepath.Glob(all)
	for _, dir := range dirs {
		log := strings.TrimSuffix(dir, ".outputs") + ".jsonl"
		if _, err := os.Lstat(log); errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(dir)
		}
	}
	keep.Trim(filepath.Join(all, "*"), keep.Bounds{Age: outputsAge, Each: outputsEach, Bytes: outputsAll}, l.cfg.Now())
	for _, dir := range dirs {
		os.Remove(dir) // fails unless it is empty
	}
}
