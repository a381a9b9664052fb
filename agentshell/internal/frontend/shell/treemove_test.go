package shell

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// inTree plays talk in a session of three messages of the person's.
func inTree(t *testing.T, rows int, test func(s *session, l *logged)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, l := beginLogged(t, tuitest.Config{Cols: 80, Rows: rows}, nil, append(talk[:len(talk):len(talk)],
			`{"say":"The fourth answer.","delay_ms":0}`)...)
		for _, text := range []string{"one", "two", "three"} {
			s.send(text)
		}
		test(s, l)
	})
}

// press presses keys one after the other.
func (s *session) press(keys ...string) {
	for _, k := range keys {
		s.Press(k)
		s.Settle()
	}
}

// shows reports what of texts the screen does not show.
func (s *session) shows(texts ...string) {
	s.t.Helper()
	v := s.Visible()
	for _, text := range texts {
		if !strings.Contains(v, text) {
			s.t.Errorf("%q is not shown:\n%s", text, v)
		}
	}
}

// hides reports what of texts the screen shows.
func (s *session) hides(texts ...string) {
	s.t.Helper()
	v := s.Visible()
	for _, text := range texts {
		if strings.Contains(v, text) {
			s.t.Errorf("%q is shown:\n%s", text, v)
		}
	}
}

func TestEscTwiceInAnEmptyPromptOpensTheTree(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		s.press("esc")
		s.shows("Esc again opens /tree")
		s.hides("This session:")
		s.press("esc")
		s.shows("This session: what was said and called")
		s.press("esc")
		s.hides("This session:", "Esc again")
		s.press("esc")
		s.pass(time.Second) // too late
		s.hides("Esc again")
		s.press("esc")
		s.hides("This session:")
		s.press("a") // something else in between
		s.hides("Esc again")
		s.press("esc", "esc") // the prompt is not empty
		s.hides("Esc again", "This session:")
		s.press("backspace", "esc")
		s.shows("Esc again opens /tree")
		s.press("left", "esc")
		s.hides("This session:")
		s.press("esc")
		s.shows("This session:")
		s.press("esc", "alt+g")
		s.shows("This session:")
		s.press("esc")
		s.sh.cfg.Tree.DoubleEsc = "rewind"
		s.press("esc")
		s.shows("Esc again opens /rewind")
		s.press("esc")
		s.shows("Rewind to before which of your messages?")
		s.press("esc")
		s.sh.cfg.Tree.DoubleEsc = "off"
		s.press("esc", "esc", "esc")
		s.hides("Esc again", "This session:", "Rewind to")
		s.sh.cfg.Tree.DoubleEsc, s.sh.cfg.Session.Stored = "", nil
		s.press("esc", "esc", "esc")
		s.hides("Esc again", "needs a session log")
	})
}

func TestAnEscThatStopsATurnIsNotTheFirstOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := beginLogged(t, tuitest.Config{Cols: 80, Rows: 30}, nil,
			`{"say":"Slow words come one by one.","delay_ms":900}`)
		s.Type("one")
		s.press("enter", "esc")
		s.pass(10 * time.Millisecond)
		s.hides("Esc again")
		s.press("esc")
		s.hides("This session:")
	})
}

func TestTheTreeRemembersItsFilter(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		s.press("esc", "esc", "alt+u", "esc")
		s.send("/tree")
		s.shows("This session: your messages", "> two  #3")
		s.hides("The third answer.  #8")
		s.press("tab", "tab", "esc")
		s.send("/tree")
		s.shows("This session: everything", "(1 result)  #5")
	})
}

func TestAMessageOfTheTreeIsFoundByItsNumber(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		s.send("/tree")
		s.shows("> one  #1", "(list_dir)  #4", "The second answer.  #6", "The third answer.  you are here, #8")
		s.Type("#3")
		s.Settle()
		s.shows("> two  #3")
		s.hides("> one  #1", "The third answer.  #8")
		s.press("esc") // the search is gone, and the choice stays
		s.shows("> one  #1", "› * > two  #3")
		s.Type("#3 one") // all words have to match
		s.Settle()
		s.shows("nothing matches")
		s.press("ctrl+c")
		s.hides("This session")
		s.pass(time.Second)
		s.send("/tree 6")
		s.shows("› * The second answer.  #6", "what was said and called")
		s.press("esc")
		s.send("/tree #5") // a result, which this filter hides
		s.shows("This session: everything", "› * (1 result)  #5")
		s.press("esc")
		s.send("/tree 99")
		s.holds("This session has no message 99.")
		s.send("/tree seven")
		s.holds(`"seven" is no number of a message.`)
		s.hides("This session:")
	})
}

func TestWhoIsThereAlreadyDoesNotMove(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		nodes, leaf, _ := l.log.Tree()
		s.send("/tree")
		s.press("enter")
		s.pass(time.Second)
		s.shows("Already at this point.")
		s.hides("This session:")
		if after, now, _ := l.log.Tree(); now != leaf || len(after) != len(nodes) || s.sh.editor.Text() != "" {
			t.Errorf("leaf %s, %d entries, before %s, %d; the prompt has %q", now, len(after), leaf, len(nodes),
				s.sh.editor.Text())
		}
	})
}

func TestAChosenMessageOfThePersonGoesBackIntoThePrompt(t *testing.T) {
	inTree(t, 40, func(s *session, l *logged) {
		for _, c := range []struct {
			number, prompt, report string
			messages               int
		}{
			{"7", "three", `Went back to before "three".`, 6},
			{"6", "", `Went back to after "The second answer.".`, 6},
			{"4", "", "Went back to after a call to list_dir.", 5},
			{"1", "one", `Went back to before "one".`, 0},
		} {
			s.send("/tree " + c.number)
			s.press("enter")
			s.pass(time.Second)
			if n := len(l.ag.Messages()); n != c.messages || s.sh.editor.Text() != c.prompt {
				t.Errorf("message %s: the model knows %d messages, the prompt has %q", c.number, n, s.sh.editor.Text())
			}
			if c.number != "6" { // it is the place already
				s.holds(c.report, "files are unchanged")
			}
			s.press("ctrl+c")
			s.pass(time.Second)
		}
	})
}

func TestASummaryIsAskedForWhereThatIsWanted(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		var words []string
		s.sh.cfg.Tree.AskSummary = true
		s.sh.cfg.Models.Summarize = func(ctx context.Context, _ []provider.Message, w string) (string, error) {
			if words = append(words, w); w == "wait" {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "They listed.", nil
		}
		choose := func(number string) {
			s.send("/tree " + number)
			s.press("enter")
			s.shows("Sum up for the model what is left?", "no summary", "summarize, with words of your own")
		}
		choose("6")
		if n := len(l.ag.Messages()); n != 8 {
			t.Fatalf("before an answer the model knows %d messages", n)
		}
		s.press("esc")
		s.shows("This session:", "› * The second answer.  #6") // the tree is there again
		s.press("enter", "down", "down", "enter")
		s.shows("What is the summary for?")
		s.press("esc")
		s.shows("Sum up for the model what is left?") // again
		s.press("down", "down", "enter")
		s.Type("wait")
		s.press("enter")
		s.pass(time.Second)
		s.shows("summarizing what is left")
		s.press("esc")
		s.pass(time.Second)
		s.shows("Stopped: the conversation stays where it was.", "This session:")
		if n := len(l.ag.Messages()); n != 8 {
			t.Errorf("stopped: the model knows %d messages", n)
		}
		s.press("enter", "enter") // no summary
		s.pass(time.Second)
		s.holds(`Went back to after "The second answer.".`, "The model has forgotten everything after it")
		if n := len(l.ag.Messages()); n != 6 || len(words) != 1 {
			t.Errorf("without a summary the model knows %d messages, and %d summaries were made", n, len(words))
		}
		choose("2")
		s.press("down", "enter")
		s.pass(time.Second)
		s.holds("They listed.")
		if n := len(l.ag.Messages()); n != 3 || words[1] != "" {
			t.Errorf("with a summary the model knows %d messages, %q", n, words)
		}
		choose("8") // nothing is left on the way there but the summary
		s.press("down", "down", "enter")
		s.Type("which files")
		s.press("enter")
		s.pass(time.Second)
		if len(words) != 3 || words[2] != "which files" {
			t.Errorf("asked with %q", words)
		}
	})
}

func TestWithoutTheSettingNoSummaryIsAskedFor(t *testing.T) {
	inTree(t, 30, func(s *session, l *logged) {
		s.sh.cfg.Models.Summarize = func(context.Context, []provider.Message, string) (string, error) {
			return "", context.Canceled
		}
		s.send("/tree 2")
		s.press("enter")
		s.pass(time.Second)
		s.hides("Sum up for the model")
		s.holds(`Went back to after "The first answer.".`)
	})
}

func TestABranchOfAMessageIsASessionOfItsOwn(t *testing.T) {
	inTree(t, 40, func(s *session, l *logged) {
		s.send("/branch") // as /tree, while Esc opens that
		s.shows("This session: what was said and called")
		s.press("esc")
		s.sh.cfg.Tree.DoubleEsc = "off"
		first := l.log.ID()
		s.send("/branch")
		s.shows("A new session from before which of your messages?", "> one", "> two", "> three")
		if v := s.Visible(); strings.Contains(v[strings.Index(v, "A new session"):], "answer") {
			t.Errorf("answers are offered:\n%s", v)
		}
		s.press("alt+a", "tab") // no filters there
		s.shows("A new session from before which of your messages?")
		s.Type("two")
		s.press("enter")
		s.pass(time.Second)
		s.holds("This conversation continues in a new session, "+l.log.ID()+`, before "two". Files are unchanged.`,
			"The session before it is "+first)
		if n := len(l.ag.Messages()); n != 2 || l.log.ID() == first || s.sh.editor.Text() != "two" {
			t.Errorf("%d messages in %s, the prompt has %q", n, l.log.ID(), s.sh.editor.Text())
		}
		s.press("ctrl+c")
		s.pass(time.Second)
		s.send("/resume " + first)
		if n := len(l.ag.Messages()); n != 8 {
			t.Errorf("the first session has %d messages", n)
		}
	})
}
