//go:build unix

package recall_test

import (
	"os"
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
