package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

var short = []provider.Message{
	user(provider.Compaction{Text: "compacted", Facts: []byte(`{"said":["hello"]}`)}), assistant(parsedText("Done.")),
}

func TestACompactionIsAnEntryThatTheConversationGoesOnBehind(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	for _, err := range []error{l.Compact(short, "compacted: 3 messages"), l.Append(user(parsedText("next"))),
		l.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	l, got, err := session.Resume(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := append(append([]provider.Message{}, short...), user(parsedText("next")))
	if !reflect.DeepEqual(got, want) || len(l.Repaired) > 0 {
		t.Fatalf("%+v, %q; want %+v", got, l.Repaired, want)
	}
	said, err := l.FullConversation()
	if err != nil || !reflect.DeepEqual(said, append(append([]provider.Message{}, talk...), user(parsedText("next")))) {
		t.Errorf("said %+v, %v", said, err)
	}
	if read, _, err := session.ReadConversation(cfg, l.ID()); err != nil || !reflect.DeepEqual(read, said) {
		t.Errorf("read %+v, %v", read, err)
	}
	// The tree shows it, and leads back before it.
	nodes, _, err := l.Tree()
	if nodes = messagesOf(nodes); err != nil || len(nodes) != len(talk)+2 {
		t.Fatalf("%+v, %v", nodes, err)
	}
	n := nodes[len(talk)]
	if !n.Compacted || n.Text != "compacted: 3 messages" || n.Parent != nodes[len(talk)-1].ID || !n.Active ||
		nodes[len(talk)+1].Parent != n.ID {
		t.Errorf("%+v", nodes)
	}
	got, err = l.Move(nodes[len(talk)-1].ID, "")
	if err != nil || !reflect.DeepEqual(got, talk) {
		t.Errorf("before it: %+v, %v", got, err)
	}
	if got, err = l.Move(n.ID, ""); err != nil || !reflect.DeepEqual(got, short) {
		t.Errorf("behind it: %+v, %v", got, err)
	}
}

func TestACopyOfACompactedSessionHasWhatWasCompacted(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	if err := l.Compact(short, "compacted: 3 messages"); err != nil {
		t.Fatal(err)
	}
	fork, got, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if !reflect.DeepEqual(got, short) {
		t.Errorf("%+v", got)
	}
	if said, err := fork.FullConversation(); err != nil || !reflect.DeepEqual(said, talk) {
		t.Errorf("said %+v, %v", said, err)
	}
	if text, err := fork.Text(l.TextName("content")); err != nil || text != "content" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestATextIsFoundInItsOwnLogAlone(t *testing.T) {
	cfg := config(t)
	other := create(t, cfg, user(parsedText("of the other session")))
	odd := "bytes \xff\xfe that are no text, <tags>, \u2028 and " + secret
	l := create(t, cfg, user(parsedText("hello")), assistant(call("1", `{}`)),
		user(provider.ToolResult{ID: "1", Text: odd}))
	if got, err := l.Text(l.TextName(odd)); err != nil || !strings.Contains(got, "that are no text, <tags>") ||
		strings.Contains(got, secret) {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(cfg.Workspace, "0123456789abcdef"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "..", "../../../../etc/passwd", "/etc/passwd", "0123456789abcdef",
		"0123456789ABCDEF",
		l.TextName("of the other session"), other.ID(), l.ID(), "*",
		"0123456789abcde\n", l.TextName("hello") + "/..", "conversation"} {
		if got, err := l.Text(id); !errors.Is(err, session.ErrNoText) || got != "" {
			t.Errorf("%q: %q, %v", id, got, err)
		}
	}
}
