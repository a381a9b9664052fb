package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// entries returns the rows of /tree in sight, and which of them is chosen.
func (s *session) entries() (rows []string, chosen int) {
	_, below, _ := strings.Cut(s.Visible(), "This session: ")
	for i, row := range strings.Split(strings.TrimSpace(below), "\n")[1:] {
		if strings.Contains(row, "Enter goes there") {
			break
		}
		if strings.HasPrefix(row, "›") {
			chosen = i
		}
		rows = append(rows, strings.Fields(strings.TrimPrefix(row, "›"))[3])
	}
	return rows, chosen
}

func TestALongTreeIsAWindowAroundTheChosenEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := treeOf(100).nodes
		for i := range nodes {
			nodes[i].Number = i + 1
		}
		s := beginConfigured(t, tuitest.Config{Cols: 60, Rows: 40}, func(cfg *Config) {
			cfg.Session.Stored = ready{nodes: nodes}
		})
		s.send("/tree 50")
		for _, step := range []struct {
			key, first, last string
			chosen           int
		}{ // half of the window has 20 rows, three of which are for title and hint
			{"", "41:", "57:", 8}, {"down", "42:", "58:", 8}, {"up", "41:", "57:", 8}, {"left", "24:", "40:", 8},
			{"right", "41:", "57:", 8}, {"pageup", "24:", "40:", 8}, {"pagedown", "41:", "57:", 8},
			{"home", "0:", "16:", 0}, {"up", "83:", "99:", 16}, {"down", "0:", "16:", 0}, {"end", "83:", "99:", 16},
		} {
			if step.key != "" {
				s.press(step.key)
			}
			rows, chosen := s.entries()
			if len(rows) != 17 || rows[0] != step.first || rows[16] != step.last || chosen != step.chosen {
				t.Errorf("after %q: %q, %d is chosen, want %s to %s, %d", step.key, rows, chosen, step.first, step.last,
					step.chosen)
			}
		}
	})
}

func TestTypedTextSearchesTheTree(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		s.send("/tree")
		s.Type("ANSWER thirds")
		s.Settle()
		s.shows("/ANSWER thirds", "nothing matches")
		s.press("backspace")
		s.shows("› * The third answer.")
		s.hides("The second answer.  #6")
		s.press("esc")
		s.shows("The second answer.  #6", "This session:")
		s.press("esc")
		s.hides("This session:")
		s.send("/tree")
		s.Type("third")
		s.press("ctrl+c") // leaves at once
		s.hides("This session:")
	})
}

func TestTheTreeNeedsALogAndAnIdleShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := beginLogged(t, tuitest.Config{Cols: 80, Rows: 30}, nil,
			`{"say":"Slow words come one by one.","delay_ms":900}`)
		for _, command := range []string{"/tree", "/branch"} {
			s.send(command)
			s.holds("This session has no messages yet.")
		}
		s.Type("one")
		s.press("enter")
		s.pass(time.Second)
		s.send("/tree")
		s.hides("This session: ")
		s.holds("A turn is running.")
		s.pass(time.Minute)
		s.sh.cfg.Session.Stored = nil
		s.send("/tree")
		s.holds("/tree needs a session log, and this session has none.")
	})
}

// The place of the conversation is shown with what was said, whatever it is.
func TestThePlaceOfTheConversationIsShown(t *testing.T) {
	tree := &treeList{leaf: "3", nodes: []sessionlog.Node{
		{ID: "1", Role: provider.User, Text: "one"},
		{ID: "2", Parent: "1", Role: provider.Assistant, Tools: []string{"list_dir"}},
		{ID: "3", Parent: "2", Role: provider.User, Results: 1},
		{ID: "4", Parent: "2", Role: provider.User, Results: 1},
	}}
	tree.arrange()
	for filter, want := range [][]int{{0, 1, 2}, {0, 2}, {0}, nil, {0, 1, 2, 3}} {
		if got := tree.find(nil, filter); !slices.Equal(got, want) {
			t.Errorf("filter %d shows %v, want %v", filter, got, want)
		}
	}
}

// resumedTree resumes a session of earlier messages and opens its tree.
func resumedTree(t *testing.T, earlier []provider.Message, test func(s *session, l *logged)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, l := beginLogged(t, tuitest.Config{Cols: 80, Rows: 40}, earlier, `{"say":"On.","delay_ms":0}`)
		s.send("/resume")
		s.press("enter")
		s.pass(5 * time.Second)
		test(s, l)
	})
}

func TestWhatGoesBackIntoThePromptIsWhatThePersonTyped(t *testing.T) {
	long := strings.Repeat("a long message, ", 400) // more than the tree holds of it
	resumedTree(t, []provider.Message{
		said2(provider.User, long), said2(provider.Assistant, "A"),
		did(provider.Undone, "I undid change 3."), said2(provider.Assistant, "B"),
		{Role: provider.User, Parts: []provider.Part{provider.Remind("no-sudo", "Never use sudo.")}},
		said2(provider.Assistant, "C"),
	}, func(s *session, l *logged) {
		for _, c := range []struct {
			number, prompt string
			messages       int
		}{{"5", "", 5}, {"3", "/undo", 2}, {"1", long, 0}} {
			s.send("/tree " + c.number)
			s.press("enter")
			s.pass(time.Second)
			if n := len(l.ag.Messages()); s.sh.editor.Text() != c.prompt || n != c.messages {
				t.Errorf("message %s: %d messages, the prompt has %q", c.number, n, s.sh.editor.Text())
			}
			s.press("ctrl+c")
			s.pass(time.Second)
		}
	})
}

func TestWhereNothingIsLeftNoSummaryIsMade(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		made := 0
		s.sh.cfg.Models.Summarize = func(context.Context, []provider.Message, string) (string, error) {
			made++
			return fmt.Sprint("Summary ", made), nil
		}
		s.send("/tree 2")
		s.press("enter")
		s.pass(time.Second)
		s.send("/tree 8") // the way there leads on from here
		s.press("ctrl+s")
		s.pass(time.Second)
		if n := len(l.ag.Messages()); n != 8 || made != 0 {
			t.Errorf("the model knows %d messages, %d summaries were made", n, made)
		}
		s.lacks("Summary 1")
	})
}
