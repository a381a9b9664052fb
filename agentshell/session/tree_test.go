package session_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/session"
)

// drawn is a tree as one line a node: id<parent role text, with * on the way to the leaf.
func drawn(t *testing.T, l *session.Log) string {
	t.Helper()
	nodes, leaf, err := l.Tree()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range nodes {
		mark := ""
		if n.Active {
			mark = "*"
		}
		if n.ID == leaf {
			mark += "!"
		}
		fmt.Fprintf(&b, "%s<%s %s%s %s%v%s\n", n.ID, n.Parent, mark, n.Role, n.Text, n.Tools, n.Label)
	}
	return b.String()
}

func TestATreeHasEveryBranchAndMovesItsLeaf(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(text("one")), assistant(text("I look."), call("1", "{}")),
		user(provider.ToolResult{ID: "1", Text: "r"}), assistant(text("Done.")))
	if err := l.Label("2", "first look"); err != nil {
		t.Fatal(err)
	}
	got, err := l.Move("3") // its result comes along
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if err := l.Append(assistant(text("Another end."))); err != nil {
		t.Fatal(err)
	}
	want := "2< *user one[]first look\n3<2 *assistant I look.[read_file]\n4<3 *user []\n5<4 assistant Done.[]\n" +
		"8<4 *!assistant Another end.[]\n"
	if got := drawn(t, l); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// Another process finds the same.
	l.Close()
	l, messages := resume(t, cfg, l.ID())
	if len(messages) != 4 || messages[3].Parts[0] != text("Another end.") || drawn(t, l) != want {
		t.Errorf("resumed: %v\n%s", messages, drawn(t, l))
	}
	// An empty conversation; a label that is taken away; what is not there.
	if got, err := l.Move(""); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if err := l.Label("2", ""); err != nil || strings.Contains(drawn(t, l), "first look") ||
		strings.Contains(drawn(t, l), "*") {
		t.Errorf("%v\n%s", err, drawn(t, l))
	}
	for _, id := range []string{"1", "7", "99", "x"} { // the root, a move, nothing
		if _, err := l.Move(id); !errors.Is(err, session.ErrNoEntry) {
			t.Errorf("move to %s: %v", id, err)
		}
	}
	l.Close()
	if _, messages := resume(t, cfg, l.ID()); len(messages) != 0 {
		t.Errorf("the empty conversation came back as %v", messages)
	}
}

func TestSummariesTellSessionsApart(t *testing.T) {
	cfg := config(t)
	create(t, cfg).Close()
	a := create(t, cfg, user(text("the first")), assistant(text("x")), user(text("and more")))
	a.Close()
	b := create(t, cfg, user(text("the second")))
	b.Close()
	list, err := session.Summaries(cfg, 9)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	var got []any
	for _, id := range []string{a.ID(), b.ID()} {
		for _, s := range list {
			if s.ID == id {
				got = append(got, s.First, s.Messages)
			}
		}
	}
	if want := []any{"the first", 2, "the second", 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if list, err := session.Summaries(cfg, 1); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
