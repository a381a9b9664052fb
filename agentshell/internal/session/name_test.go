package session_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// The name of a session stays with it: in the list, behind more messages, and when it goes on. It
// is no part of the conversation, and holds no secret.
func TestASessionKeepsItsName(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(parsedText("one")), assistant(parsedText("1")))
	listed := func() string {
		t.Helper()
		l.Flush()
		list, err := session.Summaries(cfg, 9)
		if err != nil || len(list) != 1 || list[0].First != "one" || list[0].Count < 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		return list[0].Name
	}
	rename := func(name string) {
		t.Helper()
		if err := l.Rename(name); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(); got != "" {
		t.Errorf("before it is %q", got)
	}
	rename(" the\nweir " + secret)
	if got := listed(); !strings.HasPrefix(got, "the weir ") || strings.Contains(got, secret) {
		t.Errorf("it is %q", got)
	}
	rename("dam " + strings.Repeat("é", 300))
	if got := l.Name(); len(got) > 200 || !strings.HasPrefix(got, "dam é") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	rename("dam")
	if err := l.Append(user(parsedText("two"))); err != nil {
		t.Fatal(err)
	}
	if got := listed(); got != "dam" {
		t.Errorf("behind a message it is %q", got)
	}
	rename("weir") // the last entry
	l.Close()
	l, messages, err := session.Resume(cfg, l.ID())
	if err != nil || l.Name() != "weir" || len(messages) != 3 {
		t.Fatalf("resumed: %q, %d messages, %v", l.Name(), len(messages), err)
	}
	t.Cleanup(func() { l.Close() })
	rename("")
	if got := listed(); got != "" {
		t.Errorf("without a name it is %q", got)
	}
}
