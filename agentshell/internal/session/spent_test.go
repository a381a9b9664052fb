package session_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// What a session has cost is known when it is resumed, and in a copy of it. It is written only
// where it has changed.
func TestTheCostOfASessionGoesOn(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, typed("one", provider.Typed))
	spent := session.Spent{Dollars: 1.25, Priced: true, Unpriced: true}
	l.SetSpent(spent)
	for _, text := range []string{"two", "three"} {
		if err := l.Append(typed(text, provider.Typed)); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(readFile(t, l), `"spent"`); n != 1 {
		t.Errorf("the cost is written %d times:\n%s", n, readFile(t, l))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	resumed, _ := resume(t, cfg, l.ID())
	if got := resumed.Spent(); got != spent {
		t.Errorf("resumed: %+v", got)
	}
	fork, _, err := resumed.Fork()
	if err != nil {
		t.Fatal(err)
	}
	if got := fork.Spent(); got != spent {
		t.Errorf("a copy: %+v", got)
	}
	if err := fork.Close(); err != nil {
		t.Fatal(err)
	}
	if again, _ := resume(t, cfg, fork.ID()); again.Spent() != spent {
		t.Errorf("the copy resumed: %+v", again.Spent())
	}
}

// A session in which the person has only run commands is not listed.
func TestSessionsOfCommandsAreNotListed(t *testing.T) {
	cfg := config(t)
	create(t, cfg, typed("ls\nno output", provider.Command), typed("1. a", provider.Todo)).Close()
	mixed := create(t, cfg, typed("ls\nno output", provider.Command), typed("mend it", provider.Typed))
	mixed.Close()
	list, err := session.Summaries(cfg, 9)
	if err != nil || len(list) != 1 || list[0].ID != mixed.ID() || list[0].First != "mend it" {
		t.Errorf("%+v %v", list, err)
	}
}

// typed returns a message of the person with that origin.
func typed(text string, from provider.Origin) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: text, Origin: from}}}
}
