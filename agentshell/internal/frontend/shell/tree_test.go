package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/internal/work"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// talk is a conversation with a call, in which three messages are the person's.
var talk = []string{`{"say":"The first answer.","delay_ms":0}`,
	`{"tool_calls":[{"id":"1","name":"list_dir","input":{"path":"."}}],"delay_ms":0}`,
	`{"say":"The second answer.","delay_ms":0}`, `{"say":"The third answer.","delay_ms":0}`}

func TestTheTreeShowsWhatAFilterSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := beginLogged(t, tuitest.Config{Cols: 80, Rows: 40}, nil, talk...)
		for _, text := range []string{"one", "two", "three", "/label the end", "/tree"} {
			s.send(text)
		}
		all := []string{"> one", "The first answer.", "> two", "(list_dir)", "(1 result)", "The second answer.",
			"> three",
			"The third answer.", "(named: the end)", "(the session begins)"}
		for _, step := range []struct{ key, title, rows string }{
			{"", "what was said and called", "11110111"},
			{"tab", "without tools", "11100111"},
			{"ctrl+o", "your messages", "1010001000"},
			{"tab", "named", "0000000100"},
			{"tab", "everything", "1111111111"},
			{"tab", "what was said and called", "1111011100"},
			{"shift+tab", "everything", "1111111111"},
			{"alt+u", "your messages", "1010001000"},
			{"alt+t", "without tools", "1110011100"},
			{"alt+l", "named", "0000000100"},
			{"alt+a", "everything", "1111111111"},
			{"alt+d", "what was said and called", "1111011100"},
		} {
			if step.key != "" {
				s.Press(step.key)
				s.Settle()
			}
			v := s.Visible()
			if _, v, _ = strings.Cut(v, "This session: "); !strings.HasPrefix(v, step.title+"\n") {
				t.Errorf("after %q: not %q:\n%s", step.key, step.title, v)
			}
			for i, row := range all {
				want := i < len(step.rows) && step.rows[i] == '1'
				if strings.Contains(v, row+"\n") || strings.Contains(v, row+"  ") {
					if !want {
						t.Errorf("after %q: %q is shown:\n%s", step.key, row, v)
					}
				} else if want {
					t.Errorf("after %q: %q is not shown:\n%s", step.key, row, v)
				}
			}
		}
		for words, want := range map[string]string{"SECOND answer": "The second answer.", "list path": "(list_dir)",
			"user two": "> two", "the END": "The third answer."} {
			s.Type(words)
			s.Settle()
			if v := s.Visible(); strings.Count(v[strings.Index(v, "This session"):], "* ") != 1 ||
				!strings.Contains(v, want) {
				t.Errorf("typed %q:\n%s", words, v)
			}
			s.Press("esc")
			s.Settle()
		}
		if v := s.Visible(); !strings.Contains(v, "This session") {
			t.Errorf("the first Esc takes the search back only:\n%s", v)
		}
	})
}

func TestAnyEntryOfTheTreeIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := beginLogged(t, tuitest.Config{Cols: 80, Rows: 40}, nil, talk...)
		for _, text := range []string{"one", "/tree"} {
			s.send(text)
		}
		s.Press("alt+a")
		s.Press("home")
		s.Type("L")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "A name for: the session begins") {
			t.Fatalf("no field:\n%s", v)
		}
		s.Type("early")
		s.Press("enter")
		s.pass(time.Second)
		if v := s.Visible(); !strings.Contains(v, "[early] (the session begins)") {
			t.Errorf("named:\n%s", v)
		}
		if nodes, _, err := l.log.Tree(); err != nil || nodes[0].Label != "early" {
			t.Errorf("the log has the name %q, %v", nodes[0].Label, err)
		}
		s.Type("early")
		s.Settle()
		if v := s.Visible(); strings.Contains(v, "The first answer.  ") || !strings.Contains(v, "[early]") {
			t.Errorf("found by its name:\n%s", v)
		}
		s.Press("esc")
		for _, leave := range []string{"esc", "ctrl+c"} {
			s.Type("L")
			s.Settle()
			s.Press(leave)
			s.Settle()
			if v := s.Visible(); strings.Contains(v, "A name for") {
				t.Errorf("%s does not leave the field:\n%s", leave, v)
			}
		}
		if v := s.Visible(); !strings.Contains(v, "[early]") {
			t.Errorf("the name stays:\n%s", v)
		}
		s.Type("L")
		s.Settle()
		for range "early" {
			s.Press("backspace")
		}
		s.Press("enter")
		s.pass(time.Second)
		if v := s.Visible(); strings.Contains(v, "[early]") {
			t.Errorf("the name is taken away:\n%s", v)
		}
	})
}

func TestABranchIsLeftWithASummaryOrNotAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := beginLogged(t, tuitest.Config{Cols: 80, Rows: 40}, nil, append(talk[:3:3],
			`{"say":"I know.","delay_ms":0,`+
				`"expect":["A summary of what was said after this point","They listed."]}`)...)
		for _, text := range []string{"one", "two", "/tree"} {
			s.send(text)
		}
		before := len(l.ag.Messages())
		nodes, leaf, _ := l.log.Tree()
		unmoved := func(what string) {
			t.Helper()
			after, now, _ := l.log.Tree()
			if n := len(l.ag.Messages()); n != before || now != leaf || len(after) != len(nodes) {
				t.Errorf("%s: %d messages, leaf %s, %d entries, before %d, %s, %d", what, n, now,
					len(after), before, leaf, len(nodes))
			}
		}
		s.Type("first")
		s.Press("ctrl+s")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "this model cannot summarize") {
			t.Errorf("nobody to sum up:\n%s", v)
		}
		unmoved("nobody to sum up")
		var asked []provider.Message
		s.sh.cfg.Models.Summarize = func(ctx context.Context, messages []provider.Message, _ string) (string, error) {
			asked = messages
			<-ctx.Done()
			return "", ctx.Err()
		}
		s.Press("ctrl+s")
		s.pass(time.Second)
		if v := s.Visible(); !strings.Contains(v, "summarizing what is left") || len(asked) != 4 {
			t.Errorf("%d messages are summed up:\n%s", len(asked), v)
		}
		s.Press("esc")
		s.pass(time.Second)
		s.holds("Stopped: the conversation stays where it was")
		unmoved("stopped")
		if v := s.Visible(); !strings.Contains(v, "This session") { // another entry may be chosen
			t.Errorf("the tree is gone:\n%s", v)
		}
		s.sh.cfg.Models.Summarize = func(context.Context, []provider.Message, string) (string, error) {
			return "", errors.New("no line")
		}
		s.Press("ctrl+s")
		s.pass(time.Second)
		s.holds("The conversation stays where it was: there is no summary of what is left: no line")
		unmoved("failed")
		s.sh.cfg.Models.Summarize = func(context.Context, []provider.Message, string) (string, error) {
			return "They listed.", nil
		}
		s.send("/tree")
		s.Type("first")
		s.Press("ctrl+s")
		s.pass(time.Second)
		s.holds(`Went back to after "The first answer.".`, "the model has only the summary below",
			"They listed.")
		if n := len(l.ag.Messages()); n != 3 {
			t.Errorf("the model knows %d messages", n)
		}
		s.send("what do you know?")
		s.holds("I know.")
	})
}

// The tree and the list of sessions look the same at any time: the golden files hold it.
func TestHowSessionsLook(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, c := range []struct{ name, keys string }{
			{"tree", ""}, {"everything", "alt+a"}, {"named", "L"},
		} {
			t.Run(fmt.Sprintf("%s_%dx%d", c.name, size[0], size[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, _ := beginLogged(t, tuitest.Config{Cols: size[0], Rows: size[1]}, nil,
						append(talk[:3:3], `{"say":"Another end.","delay_ms":0}`)...)
					for _, text := range []string{"one", "two", "/label the end", "/tree"} {
						s.send(text)
					}
					s.Type("first")
					s.Press("enter")
					s.pass(time.Second)
					s.send("another way")
					s.send("/tree")
					for _, k := range strings.Fields(c.keys) {
						s.Press(k)
						s.Settle()
					}
					s.Golden()
				})
			})
		}
		t.Run(fmt.Sprintf("goes-on_%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := beginLogged(t, tuitest.Config{Cols: size[0], Rows: size[1]}, []provider.Message{
					said2(provider.User, "long ago"),
					{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: "I *look*."},
						provider.ToolCall{ID: "1", Name: "bash", Input: []byte(`{"command":"seq 40"}`)},
						provider.ToolCall{ID: "2", Name: "read_file", Input: []byte(`{"path":"a.go"}`)},
						provider.ToolCall{ID: "3", Name: "list_dir", Input: []byte(`{"path":"b"}`)}}},
					{Role: provider.User, Parts: []provider.Part{
						provider.ToolResult{ID: "1", Text: strings.Repeat("row\n", 40)},
						provider.ToolResult{ID: "2", Text: "package a\n"},
						provider.ToolResult{ID: "3", Text: "b is no directory", IsError: true}}},
					said2(provider.Assistant, "Done."),
				})
				s.send("/resume")
				s.Press("enter")
				s.pass(time.Second)
				s.Golden()
			})
		})
	}
}

// A conversation that goes on is all there, and where the person stops that the rest is left out.
func TestALongTranscriptIsShownToItsEndOrStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var earlier []provider.Message
		for i := range 300 {
			earlier = append(earlier, said2(provider.User, fmt.Sprintf("question %d.", i)),
				said2(provider.Assistant, strings.Repeat("word ", 60)))
		}
		s, l := beginLogged(t, tuitest.Config{Cols: 80, Rows: 24}, earlier)
		s.send("/resume")
		s.Press("enter")
		s.pass(5 * time.Second)
		tape := s.tape()
		for i := range 300 {
			if n := strings.Count(tape, fmt.Sprintf("› question %d.", i)); n != 1 {
				t.Fatalf("question %d is shown %d times", i, n)
			}
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		s.sh.printConversation(stopped, earlier)
		s.pass(time.Second)
		s.holds("600 messages of the conversation are not shown: stopped")
		if n := len(l.ag.Messages()); n != 600 {
			t.Errorf("the model knows %d messages", n)
		}
	})
}

// treeOf returns a session of n messages, as its tree reads it.
func treeOf(n int) *treeList {
	nodes := make([]sessionlog.Node, n)
	for i := range nodes {
		nodes[i] = sessionlog.Node{ID: fmt.Sprint(i + 1), Parent: fmt.Sprint(i), Role: provider.User, Active: true,
			Text: fmt.Sprintf("message %d: %s", i, strings.Repeat("word ", 80))}
	}
	nodes[0].Parent = ""
	t := &treeList{nodes: nodes, leaf: nodes[n-1].ID}
	t.arrange()
	return t
}

func TestALongTreeIsSearchedWithinAFrame(t *testing.T) {
	tree := treeOf(10000)
	took := work.Of(t, func() {
		if found := tree.find([]string{"word", "9999"}, 0); len(found) != 1 || found[0] != 9999 {
			t.Fatalf("found %v", found)
		}
	})
	t.Logf("%v of a processor for 10,000 entries", took)
	if took > 16*time.Millisecond {
		t.Errorf("a search of 10,000 entries takes %v", took)
	}
}

// Each entry of ten thousand is laid out for at most three times what one of a hundred costs.
func BenchmarkLayingOutATree(b *testing.B) {
	per := func(n int) float64 { // the best of some tries: the machine may have other things to do
		tree, best := treeOf(n), time.Hour
		for range 20 {
			began := time.Now()
			for range 10000 / n {
				again := *tree
				again.arrange()
			}
			best = min(best, time.Since(began))
		}
		return float64(best.Nanoseconds()) / 10000
	}
	for b.Loop() {
		few, lots := per(100), per(10000)
		b.ReportMetric(lots/few, "ratio")
		if lots > 3*few {
			b.Errorf("%.0f ns an entry of 10,000, %.0f of 100", lots, few)
		}
	}
}
