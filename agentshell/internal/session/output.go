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

// Limits on stored outputs of tools. Each is a file in <id>.outputs beside the log, with a number
// as its name. The limits apply to all sessions of a workspace together; the oldest files are
// deleted first.
const (
	outputsAge        = 30 * 24 * time.Hour
	outputsEach       = 32 << 20  // the number of bytes of outputs that one session may have
	outputsAll        = 256 << 20 // the number of bytes of outputs that all sessions of a workspace may have
	outputsCheckAfter = 4 << 20   // bytes that are written between two checks of the limits
)

// OutputAddress is the beginning of the address of a stored output in the conversation. The number
// of the output follows.
const OutputAddress = "artifact://output-"

// maxOutputDigits is the number of digits up to which a number in the log counts as that of an
// output. A text in the log may contain any number.
const maxOutputDigits = 9

// outputsDir returns the directory for the outputs of the session whose log is at path.
func outputsDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".outputs" }

// KeepOutput stores the output of a tool under the number n, which must be new. Secrets in it are
// replaced. After an error it is not stored.
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

// Output returns the stored output with the number n.
func (l *Log) Output(n int) (string, error) {
	data, err := regular.ReadFile(filepath.Join(outputsDir(l.Path()), strconv.Itoa(n)))
	return string(data), err
}

// LastOutput returns the highest number of an output that is stored or that the log mentions. A
// number must not be used twice, because the model would take one output for another.
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

// copyOutputs copies the outputs of another session from the directory from.
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

// trimOutputs deletes the oldest outputs until all sessions of the workspace are within the limits.
// It also deletes the outputs of sessions without a log. The caller holds l.mu, or is the only user
// of l.
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
