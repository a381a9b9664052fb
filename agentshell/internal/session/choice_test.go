package session_test

import (
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// chosen returns what a resumed session would hold, and its log.
func chosen(t *testing.T, cfg session.Config, l *session.Log) session.Choices {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r, _ := resume(t, cfg, l.ID())
	defer r.Close()
	return r.Choices()
}

// choose makes a choice as the shell does.
func choose(t *testing.T, l *session.Log, c session.Choices) {
	t.Helper()
	l.Choose(c)
	if err := l.StoreChoices(); err != nil {
		t.Fatal(err)
	}
}

var (
	small = session.Choices{Model: "small", Server: "here", Mode: "ask"}
	large = session.Choices{Model: "large", Server: "here", Effort: "high", Thinking: true, Mode: "plan"}
)

func TestChoicesAreThoseOfTheBranch(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	l := create(t, cfg)
	l.SetChoices(small)
	appendAll(t, l, "one", "two")
	choose(t, l, large)
	if err := l.Clear(); err != nil { // the choice outlives it
		t.Fatal(err)
	}
	appendAll(t, l, "three")
	nodes, leaf, err := l.Tree()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, n := range nodes {
		ids[n.Text+n.Mark] = n.ID
	}
	if ids["chosen: model large, effort high, mode plan"] == "" {
		t.Errorf("the tree has %+v", nodes)
	}
	for _, at := range []struct {
		id    string
		want  session.Choices
		other bool
	}{{ids["one"], small, true}, {leaf, large, false}, {ids["two"], large, true},
		{"", session.Choices{Model: "m"}, true}} {
		if got, other, err := l.ChoicesOf(at.id); got != at.want || other != at.other || err != nil {
			t.Errorf("at %q: %+v, other branch: %v, %v", at.id, got, other, err)
		}
	}
	// A move takes along what holds then, also if the branch had something else, and nothing is
	// said there.
	if _, err := l.Move(ids["one"], ""); err != nil {
		t.Fatal(err)
	}
	if got := chosen(t, cfg, l); got != large {
		t.Errorf("after the move: %+v", got)
	}
	l, _ = resume(t, cfg, l.ID())
	l.SetChoices(small)
	appendAll(t, l, "four")
	if _, err := l.Move(leaf, ""); err != nil {
		t.Fatal(err)
	}
	if got, other, _ := l.ChoicesOf(ids["two"]); got != large || !other {
		t.Errorf("on the other branch: %+v, %v", got, other)
	}
	copied, _, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	if got := chosen(t, cfg, copied); got != small {
		t.Errorf("the copy has %+v", got)
	}
}

func TestAChoiceIsKeptIfNothingFollows(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	l := create(t, cfg)
	choose(t, l, large)
	if !l.Empty() {
		t.Error("a choice alone makes a session")
	}
	appendAll(t, l, "one")
	l.Choose(small) // and Close stores it
	if got := chosen(t, cfg, l); got != small {
		t.Errorf("%+v", got)
	}
	before, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	l, _ = resume(t, cfg, l.ID())
	l.SetChoices(large) // resuming alone writes nothing
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(l.Path()); err != nil || string(after) != string(before) {
		t.Errorf("%v: the log is now\n%s", err, after)
	}
	if err := l.StoreChoices(); err != nil || strings.Count(string(before), `"choices":`) != 2 {
		t.Errorf("%v: the log is\n%s", err, before)
	}
}

func TestALogWithoutChoicesHasTheModelOfItsBeginning(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	if got := chosen(t, cfg, create(t, cfg, talk...)); got != (session.Choices{Model: "m"}) {
		t.Errorf("%+v", got)
	}
}

// appendAll appends messages of the person.
func appendAll(t *testing.T, l *session.Log, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := l.Append(user(parsedText(text))); err != nil {
			t.Fatal(err)
		}
	}
}
