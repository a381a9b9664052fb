package shell

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// lettersScreen opens a question about an edit of 40 rows and waits until it can be approved. given
// returns the answers so far, and edits how often the editor was asked for.
func lettersScreen(t *testing.T) (s *session, given func() []approval.Answer, edits *int) {
	s = beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(*Config) {})
	answers := make(chan approval.Answer, 1)
	go func() {
		a, _ := s.sh.Ask(t.Context(), edit(40))
		answers <- a
	}()
	s.pass(3 * time.Second)
	edits = new(int)
	n := s.sh.question.panes[0]
	s.sh.app.Do(func() { n.openEditor = func() { *edits++ } })
	s.Settle()
	return s, func() (all []approval.Answer) {
		for {
			select {
			case a := <-answers:
				all = append(all, a)
			default:
				return all
			}
		}
	}, edits
}

// typeAt types a text with a pause between its keys. Each key has a read of its own: one that comes
// together with others answers nothing.
func (s *session) typeAt(text string, pause time.Duration) {
	for _, r := range text {
		s.Send([]byte(string(r)))
		synctest.Wait()
		<-time.After(pause)
	}
	s.Settle()
}

// A text that somebody types at a question answers nothing and opens nothing. All of it stands in
// the prompt.
func TestATextTypedAtAQuestionGoesToThePrompt(t *testing.T) {
	for _, text := range []string{"use tabs and fewer lines", "now do it", "yes please", "Yes, do", "no",
		"edit it, please",
		"some of it", "fewer lines", "reason with me", "just do it", "go on", "I am not sure", "all good", "don't",
		"Do it", "view it", "n.b.", "я не знаю", "be brief"} {
		for _, ms := range []time.Duration{30, 90, 190} {
			pause := ms * time.Millisecond
			synctest.Test(t, func(t *testing.T) {
				s, given, edits := lettersScreen(t)
				s.typeAt(text, pause)
				s.pass(3 * time.Second)
				if got := s.sh.editor.Text(); got != text {
					t.Errorf("%q every %v: the prompt holds %q\n%s", text, pause, got, s.Visible())
				}
				if got := given(); len(got) > 0 || *edits > 0 {
					t.Errorf("%q every %v: answered %v, edited %d times", text, pause, got, *edits)
				}
				s.holds("Tab: answer")
				s.Press("ctrl+c", "ctrl+c")
				s.Wait()
			})
		}
	}
}

// A text that comes in one read, as from dictation or over a line that lags, goes to the prompt,
// too. It answers nothing. One letter that is held down is no text, nor are letters beside a
// control.
func TestATextInOneReadGoesToThePrompt(t *testing.T) {
	for _, c := range []struct {
		reads []string
		want  string
	}{
		{[]string{"please use another name"}, "please use another name"},
		{[]string{"just do it"}, "just do it"},
		{[]string{"no"}, "no"},
		{[]string{"2 files/dirs, please?"}, "2 files/dirs, please?"},
		{[]string{"y", "es, ", "do"}, "yes, do"},
		{[]string{"yes", "\x7f", "ah"}, "yeah"},
		{[]string{"jjjj"}, ""}, {[]string{"yyyy"}, ""}, {[]string{"jjjjy"}, ""}, {[]string{"jjkkkn"}, ""},
		{[]string{"yes\r"}, ""}, {[]string{"\x1b[Byes"}, ""}, {[]string{"ye\x1b[Bs"}, ""}, {[]string{"n\x7f"}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, given, edits := lettersScreen(t)
			for _, read := range c.reads {
				s.Send([]byte(read))
				synctest.Wait()
				<-time.After(20 * time.Millisecond)
			}
			s.pass(time.Second)
			if got := s.sh.editor.Text(); got != c.want {
				t.Errorf("%q: the prompt holds %q\n%s", c.reads, got, s.Visible())
			}
			if got := given(); len(got) > 0 || *edits > 0 {
				t.Errorf("%q: answered %v, edited %d times", c.reads, got, *edits)
			}
			s.Press("ctrl+c", "ctrl+c")
			s.Wait()
		})
	}
}

// A single letter acts after the pause, or at once when a key follows that belongs to no text.
func TestASingleLetterActs(t *testing.T) {
	for _, c := range []struct {
		keys  string
		wait  time.Duration
		want  approval.Answer // nil: none
		edits int
	}{
		{"y", letterPause - 50*time.Millisecond, nil, 0},
		{"y", letterPause + 10*time.Millisecond, approval.Yes{ID: "p1"}, 0},
		{"n", letterPause + 10*time.Millisecond, approval.No{ID: "p1"}, 0},
		{"e", letterPause + 10*time.Millisecond, nil, 1},
		{"jjjy", letterPause + 10*time.Millisecond, approval.Yes{ID: "p1"}, 0},
		{"jkGgn", letterPause + 10*time.Millisecond, approval.No{ID: "p1"}, 0},
		{"y\r", 0, approval.Yes{ID: "p1"}, 0},
		{"nn", 0, approval.No{ID: "p1"}, 0},
		{"ee", 0, nil, 2},
		{"eee", letterPause + 10*time.Millisecond, nil, 3},
		{"y\x7f", time.Second, nil, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, given, edits := lettersScreen(t)
			s.typeAt(c.keys, 0)
			<-time.After(c.wait)
			s.Settle()
			var got approval.Answer
			if all := given(); len(all) > 0 {
				got = all[0]
			}
			if got != c.want || *edits != c.edits || !s.sh.editor.Empty() {
				t.Errorf("%q: answered %v, edited %d times, the prompt holds %q", c.keys, got, *edits,
					s.sh.editor.Text())
			}
			s.Press("ctrl+c", "ctrl+c")
			s.Wait()
		})
	}
}

// A letter that waits approves nothing when what it was about has changed in the meantime, or when
// it came too early.
func TestALetterApprovesOnlyWhatItWasPressedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, given, _ := lettersScreen(t)
		n := s.sh.question.panes[0]
		s.Send([]byte("y"))
		<-time.After(50 * time.Millisecond)
		s.sh.app.Do(n.nextView)
		s.sh.app.Do(n.disarm)
		s.pass(3 * time.Second)
		if got := given(); len(got) > 0 {
			t.Errorf("it is approved after it was disarmed: %v", got)
		}
		s.Press("j")
		s.Press("x")
		s.pass(700 * time.Millisecond)
		s.Press("y") // its pause ends when approving keys work again
		s.pass(500 * time.Millisecond)
		s.holds("y does nothing yet")
		if got := given(); len(got) > 0 {
			t.Errorf("it is approved by a key that came too early: %v", got)
		}
		s.Press("ctrl+c", "ctrl+c")
		s.Wait()
	})
}

// What an editor that was closed without a change leaves above a proposal goes with the next key.
func TestTheNoteAboutAnUnchangedEditGoes(t *testing.T) {
	d := open(t, edit(4), 80, 24).ready()
	d.pane.editNote = nothingEdited
	if text := strings.Join(d.rows(), "\n"); !strings.Contains(text, nothingEdited) {
		t.Errorf("the note is not shown:\n%s", text)
	}
	if text := strings.Join(d.press('v').rows(), "\n"); strings.Contains(text, nothingEdited) {
		t.Errorf("the note stays:\n%s", text)
	}
}

// The list of keys shows each note once, and a list of rules tells of w only if it does something.
func TestListsOverAProposalSayEachThingOnce(t *testing.T) {
	command := &approval.Proposal{ID: "c", Tool: "bash", Payload: approval.Command{Command: "make"},
		Notes: []string{"can change any file"}}
	d := open(t, command, 80, 24).ready().press('?')
	if text := strings.Join(d.rows(), "\n"); strings.Count(text, "can change any file") != 1 {
		t.Errorf("the help is\n%s", text)
	}
	for _, keepable := range []bool{false, true} {
		d := open(t, command, 80, 24).ready()
		d.pane.ruleOffers = []string{"bash(make)"}
		d.pane.checkKeepable = func(string) error {
			if keepable {
				return nil
			}
			return errors.New("this session keeps no rules")
		}
		if text := strings.Join(d.press('a').rows(), "\n"); strings.Contains(text, "[w] for this session") != keepable {
			t.Errorf("the list is\n%s", text)
		}
	}
}
