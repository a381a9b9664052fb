//go:build unix

package recall_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"golang.org/x/sys/unix"
)

func TestAnEntryWaitsForTheSessionThatHasTheLock(t *testing.T) {
	dir := t.TempDir()
	h := recall.Open(dir, "/w", secret.Set{})
	add(t, h, "one")
	f, err := os.OpenFile(file(t, dir)+".lock", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	added := make(chan error, 1)
	go func() { added <- h.Add(recall.Entry{Text: "two"}) }()
	select {
	case err := <-added:
		t.Errorf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
		f.Close()
		if err := <-added; err != nil {
			t.Error(err)
		}
	}
}

// Nobody writes the pipe that stands in the place of the file or of its lock, and nobody waits.
func TestAPipeInThePlaceOfTheHistoryIsNotWaitedFor(t *testing.T) {
	for _, ending := range []string{"", ".lock"} {
		dir := t.TempDir()
		h := recall.Open(dir, "/w", secret.Set{})
		add(t, h, "one")
		name := file(t, dir) + ending
		if err := errors.Join(os.Remove(name), unix.Mkfifo(name, 0o600)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, loaded := h.Load()
			if ending != "" && loaded == nil { // it needs no lock
				loaded = errors.New("named pipe")
			}
			added := h.Add(recall.Entry{Text: "two"})
			if added == nil || !strings.Contains(added.Error(), "named pipe") {
				loaded = fmt.Errorf("added: %w", added)
			}
			done <- loaded
		}()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "named pipe") {
				t.Errorf("%q: %v", ending, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q: it waits", ending)
		}
	}
}
