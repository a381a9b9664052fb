package session_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// messagesOf returns the nodes of messages.
func messagesOf(nodes []session.Node) []session.Node {
	return slices.DeleteFunc(nodes, func(n session.Node) bool { return !n.IsMessage() })
}

// drawn returns a tree as one line a node: id<parent role text, with * on the way to the leaf.
func drawn(t *testing.T, l *session.Log) string {
	t.Helper()
	nodes, leaf, err := l.Tree()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range nodes {
		if !n.IsMessage() {
			continue
		}
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
	l := create(t, cfg, user(parsedText("one")), assistant(parsedText("I look."), call("1", "{}")),
		user(provider.ToolResult{ID: "1", Text: "r"}), assistant(parsedText("Done.")))
	if err := l.Label("2", "first look"); err != nil {
		t.Fatal(err)
	}
	got, err := l.Move("3", "") // its result comes along
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if err := l.Append(assistant(parsedText("Another end."))); err != nil {
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
	if len(messages) != 4 || messages[3].Parts[0] != parsedText("Another end.") || drawn(t, l) != want {
		t.Errorf("resumed: %v\n%s", messages, drawn(t, l))
	}
	// An empty conversation; a label that is taken away; what is not there.
	if got, err := l.Move("", ""); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if err := l.Label("2", ""); err != nil || strings.Contains(drawn(t, l), "first look") ||
		strings.Contains(drawn(t, l), "*") {
		t.Errorf("%v\n%s", err, drawn(t, l))
	}
	for _, id := range []string{"99", "x"} {
		_, err := l.Move(id, "")
		_, err2 := l.LeftBehind(id)
		_, err3 := l.MessageText(id)
		for _, err := range []error{err, err2, err3, l.Label(id, "n")} {
			if !errors.Is(err, session.ErrNoEntry) {
				t.Errorf("move to %s: %v", id, err)
			}
		}
	}
	l.Close()
	if _, messages := resume(t, cfg, l.ID()); len(messages) != 0 {
		t.Errorf("the empty conversation came back as %v", messages)
	}
}

// ids returns the entries of a tree, by what a row of them says.
func ids(t *testing.T, l *session.Log) map[string]string {
	t.Helper()
	nodes, _, err := l.Tree()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, n := range nodes {
		all[n.Text+n.Mark] = n.ID
	}
	return all
}

func TestATreeShowsWhatIsNoMessageAndNamesIt(t *testing.T) {
	l := create(t, config(t), user(parsedText("one")), assistant(parsedText("First.")))
	if err := l.Label("2", "start"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Move("2", ""); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(user(parsedText("two"))); err != nil {
		t.Fatal(err)
	}
	if err := l.Clear(); err != nil {
		t.Fatal(err)
	}
	marks := ids(t, l)
	for _, mark := range []string{"the session begins", "named: start", "the conversation goes on from here",
		"the model forgets what was said"} {
		id := marks[mark]
		if id == "" {
			t.Errorf("%q is not in %v", mark, marks)
			continue
		}
		if err := l.Label(id, "a name for "+id); err != nil {
			t.Errorf("%s: %v", mark, err)
		}
	}
	nodes, leaf, err := l.Tree()
	if err != nil || leaf != "" {
		t.Errorf("after /clear the leaf is %q, %v", leaf, err)
	}
	named := 0
	for _, n := range nodes {
		if n.Label == "a name for "+n.ID {
			named++
		}
	}
	if named != 4 {
		t.Errorf("%d entries have a name in %+v", named, nodes)
	}
	// A place that is no message is one to go on from, too.
	for mark, want := range map[string]int{"the session begins": 0, "named: start": 2,
		"the conversation goes on from here": 1, "the model forgets what was said": 0} {
		if got, err := l.Move(marks[mark], ""); err != nil || len(got) != want {
			t.Errorf("behind %q: %v, %v, want %d messages", mark, got, err, want)
		}
	}
}

func TestABranchThatIsLeftCanBeSummed(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(parsedText("one")), assistant(parsedText("First.")), user(parsedText("two")),
		assistant(parsedText("I look."), call("1", "{}")), user(provider.ToolResult{ID: "1", Text: "r"}),
		assistant(parsedText("Second.")))
	at := ids(t, l)
	for name, want := range map[string][]string{
		"Second.": nil, "two": {"I look.", "", "Second."}, "First.": {"two", "I look.", "", "Second."},
	} {
		left, err := l.LeftBehind(at[name])
		var got []string
		for _, m := range left {
			said := ""
			if p, ok := m.Parts[0].(provider.Text); ok {
				said = p.Text
			}
			got = append(got, said)
		}
		if name == "two" {
			want = nil // an answer without its question is nothing to sum up
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("left for %s: %q, %v, want %q", name, got, err, want)
		}
	}
	got, err := l.Move(at["First."], "They looked twice.")
	if err != nil || len(got) != 3 || l.CountMessages() != 1 {
		t.Fatalf("%v, %v, %d", got, err, l.CountMessages())
	}
	said := got[2].Parts[0].(provider.Text)
	if summary := session.SummaryText(said.Text); said.Origin != provider.Left ||
		summary != "They looked twice." || got[2].Role != provider.User {
		t.Errorf("the model is told %q", said)
	}
	if err := l.Append(user(parsedText("three"))); err != nil {
		t.Fatal(err)
	}
	want := "2< *user one[]\n3<2 *assistant First.[]\n4<3 user two[]\n5<4 assistant I look.[read_file]\n6<5 user []\n" +
		"7<6 assistant Second.[]\n8<3 *assistant summary of the branch that was left: They looked twice.[]\n" +
		"9<8 *!user three[]\n"
	if got := drawn(t, l); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	l.Close()
	l, again := resume(t, cfg, l.ID())
	if len(again) != 4 || !reflect.DeepEqual(again[:3], got) || l.CountMessages() != 2 {
		t.Errorf("resumed: %v, %d", again, l.CountMessages())
	}
	if _, messages, err := l.Fork(); err != nil || !reflect.DeepEqual(messages, again) {
		t.Errorf("forked: %v, %v", messages, err)
	}
}

func TestSummariesTellSessionsApart(t *testing.T) {
	cfg := config(t)
	create(t, cfg).Close()
	a := create(t, cfg, user(parsedText("the first")), assistant(parsedText("x")), user(parsedText("and more")))
	a.Close()
	b := create(t, cfg, user(parsedText("the second")))
	b.Close()
	list, err := session.Summaries(cfg, 9)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	var got []any
	for _, id := range []string{a.ID(), b.ID()} {
		for _, s := range list {
			if s.ID == id {
				got = append(got, s.First, s.Count)
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

func TestASummaryCountsAsTheSessionDoesThatGoesOn(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(parsedText("one")), assistant(parsedText("1")), user(parsedText("two")),
		assistant(parsedText("2")),
		user(parsedText("three")))
	steps := []struct {
		what string
		do   func() error
		want int
	}{
		{"as said", func() error { return nil }, 3},
		{"after a move", func() error { _, err := l.Move("3", ""); return err }, 1},
		{"after a message there", func() error { return l.Append(user(parsedText("else"))) }, 2},
		{"with a long entry at the end",
			func() error { return l.Append(assistant(parsedText(strings.Repeat("x\"", 1<<20)))) }, 2},
		{"after a clear", func() error { return l.Clear() }, 0},
		{"after a message then", func() error { return l.Append(user(parsedText("new"))) }, 1},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		list, err := session.Summaries(cfg, 9)
		if err != nil || len(list) != 1 || list[0].Count != step.want ||
			list[0].First != "one" || l.CountMessages() != step.want {
			t.Errorf("%s: %+v, %v, and %d, want %d", step.what, list, err, l.CountMessages(), step.want)
		}
		l.Close()
		l, _ = resume(t, cfg, l.ID())
		if l.CountMessages() != step.want {
			t.Errorf("%s: %d when it goes on, want %d", step.what, l.CountMessages(), step.want)
		}
	}
	// What a crash has left half written does not count, here as there.
	file, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	torn := `{"id":"99","parent":"1","time":"2026-01-01T00:00:00Z","kind":"message","count":7`
	if _, err := file.WriteString(torn); err != nil {
		t.Fatal(err)
	}
	if list, err := session.Summaries(cfg, 9); err != nil || len(list) != 1 || list[0].Count != 1 {
		t.Errorf("torn: %+v, %v", list, err)
	}
}

// long returns the file of a session with so many messages; every tenth branches off.
func long(t *testing.T, n int) (session.Config, *session.Log) {
	t.Helper()
	cfg := config(t)
	l := create(t, cfg, user(parsedText("the first")))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := 3; i < n+2; i++ {
		parent, role := i-1, "assistant"
		if i%10 == 0 {
			parent = i - 3
		}
		if i%2 == 0 {
			role = "user"
		}
		fmt.Fprintf(file, `{"id":"%d","parent":"%d","time":"2026-01-01T00:00:00Z","kind":"message","count":%d,`+
			`"role":"%s","parts":[{"type":"text","text":"message %d: %s"}]}`+"\n",
			i, parent, i/2, role, i, strings.Repeat("word ", 40))
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	l, _ = resume(t, cfg, l.ID())
	return cfg, l
}

func TestAListOfSessionsReadsOnlyWhatItShows(t *testing.T) {
	few, _ := long(t, 100)
	many, _ := long(t, 10000)
	read := func(cfg session.Config) float64 {
		return testing.AllocsPerRun(5, func() {
			list, err := session.Summaries(cfg, 9)
			if err != nil || len(list) != 1 || list[0].First != "the first" {
				t.Fatal(list, err)
			}
		})
	}
	if a, b := read(few), read(many); b > a+5 {
		t.Errorf("%.0f allocations for a session of 10,000 messages, %.0f for one of 100", b, a)
	}
}

// What goes with a message, a file or what hooks say, is none of the person's words.
func TestWhatStandsBesideAMessageIsNotInTheTree(t *testing.T) {
	l := create(t, config(t), user(parsedText("What is in @a?"),
		provider.Text{Text: "Attached by @", Origin: provider.Attached},
		provider.Text{Text: "Beside it", Origin: provider.Aside}))
	nodes, leaf, err := l.Tree()
	if nodes = messagesOf(nodes); err != nil || len(nodes) != 1 || !nodes[0].IsPersons() ||
		nodes[0].Text != "What is in @a?" {
		t.Errorf("%+v, %v", nodes, err)
	}
	if said, err := l.MessageText(leaf); err != nil || said != "What is in @a?" {
		t.Errorf("%q, %v", said, err)
	}
}

// The copy ends at the entry, also where that is on another branch than the conversation.
func TestASessionIsCopiedUpToAnEntryOfAnyBranch(t *testing.T) {
	l := create(t, config(t), user(parsedText("one")), assistant(parsedText("First.")), user(parsedText("two")),
		assistant(parsedText("Second.")))
	if _, err := l.Move("3", ""); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(user(parsedText("otherwise"))); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]string{"": nil, "3": {"one", "First."}, "5": {"one", "First.", "two", "Second."},
		"4": {"one", "First.", "two"}} {
		copied, messages, err := l.Branch(id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range messages {
			text, _ := m.MainText()
			got = append(got, text)
		}
		asked := 0
		for i := range want {
			asked += 1 - i%2
		}
		if !slices.Equal(got, want) || copied.ID() == l.ID() || copied.CountMessages() != asked {
			t.Errorf("up to %q: %q in %s with %d of the person's, want %q", id, got, copied.ID(),
				copied.CountMessages(), want)
		}
		copied.Close()
	}
	if _, _, err := l.Branch("99"); !errors.Is(err, session.ErrNoEntry) {
		t.Errorf("no entry: %v", err)
	}
	nodes, leaf, err := l.Tree()
	if err != nil || len(nodes) != 7 || leaf != "7" {
		t.Errorf("the session itself has %d entries, its leaf is %s, %v", len(nodes), leaf, err)
	}
	for i, want := range []int{0, 1, 2, 3, 4, 0, 5} { // a move and the beginning are no messages
		if nodes[i].Number != want {
			t.Errorf("entry %s has the number %d, want %d", nodes[i].ID, nodes[i].Number, want)
		}
	}
}

// A parent that is not there, or stands behind its child, is the entry before.
func TestAnEntryWithoutItsParentHangsBelowTheOneBefore(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(parsedText("one")), assistant(parsedText("First.")), user(parsedText("two")))
	l.Close()
	text := readFile(t, l)
	for _, parent := range []string{"99", "4"} {
		damaged := strings.Replace(text, `{"id":"4","parent":"3"`, `{"id":"4","parent":"`+parent+`"`, 1)
		if damaged == text {
			t.Fatal("the log has another form")
		}
		if err := os.WriteFile(l.Path(), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		r, messages := resume(t, cfg, l.ID())
		want := "2< *user one[]\n3<2 *assistant First.[]\n4<3 *!user two[]\n"
		if got := drawn(t, r); got != want || len(messages) != 3 {
			t.Errorf("parent %s: %d messages in\n%swant\n%s", parent, len(messages), got, want)
		}
		r.Close()
	}
}

func TestALabelIsAppendedToTheLog(t *testing.T) {
	l := create(t, config(t), user(parsedText("one")), assistant(parsedText("First.")))
	before := readFile(t, l)
	for i, name := range []string{"start", "begin", ""} {
		if err := l.Label("2", name); err != nil {
			t.Fatal(err)
		}
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		after := readFile(t, l)
		nodes, _, err := l.Tree()
		if !strings.HasPrefix(after, before) || strings.Count(after, "\n") != strings.Count(before, "\n")+1 ||
			err != nil || nodes[1].Label != name {
			t.Errorf("label %d: %q, %v, the log was\n%sand is\n%s", i, nodes[1].Label, err, before, after)
		}
		before = after
	}
}

// A session that goes on knows which rules the model was told, with a message or a result.
func TestWhichRulesWereToldIsInTheLog(t *testing.T) {
	cfg := config(t)
	told := []provider.Message{user(parsedText("one")), user(provider.Interrupt("a", "Text a.")),
		assistant(call("1", "{}")), user(provider.ToolResult{ID: "1", Text: "r", Rules: []string{"b", "c"}}),
		assistant(parsedText("Done."))}
	l := create(t, cfg, told...)
	l.Close()
	_, again := resume(t, cfg, l.ID())
	if len(again) != len(told) || !reflect.DeepEqual(again[1].Parts, told[1].Parts) ||
		!reflect.DeepEqual(again[3].Parts, told[3].Parts) {
		t.Errorf("resumed: %+v", again)
	}
}
