package session_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// What is asked of a session that goes on is read once; what is appended, by us or by another one,
// is seen.
func TestASessionThatGoesOnIsReadOnce(t *testing.T) {
	cfg, l := long(t, 500)
	id := l.ID()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cost := func(f func()) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
	var err error
	first := cost(func() { l, _, err = session.Resume(cfg, id) })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	count := func() int {
		t.Helper()
		said, err := l.FullConversation()
		if err != nil {
			t.Fatal(err)
		}
		return len(said)
	}
	n := 0
	if again := cost(func() { n = count() }); n < 100 || 2*again > first {
		t.Errorf("%d messages; Resume made %.0f allocations, and what was said another %.0f", n, first, again)
	}
	if err := l.Append(user(parsedText("one more"))); err != nil {
		t.Fatal(err)
	}
	if now := count(); now != n+1 {
		t.Errorf("%d messages, and %d behind one more", n, now)
	}
	if l.Close() != nil {
		t.Fatal("close")
	}
	if l, _, err = session.Resume(cfg, id); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(whole), "one more", "ONE MORE", 1) // of the same length
	if err := os.WriteFile(l.Path(), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := l.FullConversation()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := said[len(said)-1].MainText(); got != "ONE MORE" {
		t.Errorf("another process wrote, and it says %q", got)
	}
}
