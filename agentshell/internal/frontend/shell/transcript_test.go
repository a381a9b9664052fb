package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// storedSession returns a conversation of n questions. Each has an answer and two calls.
func storedSession(n int) (list []provider.Message) {
	for i := range n {
		id := fmt.Sprint(i)
		input, _ := json.Marshal(map[string]string{"command": "echo " + id})
		list = append(list,
			provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "question " + id}}},
			provider.Message{Role: provider.Assistant, Parts: []provider.Part{
				provider.Text{Text: "The *answer* " + id +
					" is a **sentence** that is long enough to be wrapped somewhere, " +
					"also where the screen is rather wide."},
				provider.ToolCall{ID: "b" + id, Name: "bash", Input: input},
				provider.ToolCall{ID: "e" + id, Name: "edit_file", Input: json.RawMessage(`{"path":"a.go"}`)}}},
			provider.Message{Role: provider.User, Parts: []provider.Part{
				provider.ToolResult{ID: "b" + id, Text: strings.Repeat("row\n", 30) + "\x1b[31mred\nlast of " + id},
				provider.ToolResult{ID: "e" + id, Text: "replaced"}}})
	}
	return list
}

// storedChange returns the change of a call of storedSession.
func storedChange(_ context.Context, call string) []tool.Edited {
	if !strings.HasPrefix(call, "e") {
		return nil
	}
	return []tool.Edited{{N: 1, Path: "workspace/a.go", Diff: diff.Make([]byte("old\n"),
		[]byte("new word"+call+"\n"), 3)}}
}

func beginStored(t *testing.T, screen tuitest.Config, n int) *session {
	t.Helper()
	return beginConfigured(t, screen, func(cfg *Config) {
		cfg.Session.Conversation = func() ([]provider.Message, error) { return storedSession(n), nil }
		cfg.Files.ChangesBy = storedChange
	}, `{"say":"hi","delay_ms":0}`)
}

func TestTheTranscriptIsReadAndSearchedAndLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginStored(t, tuitest.Config{Cols: 60, Rows: 20}, 200)
		s.send("hello")
		s.pass(time.Second)
		s.send("/transcript") // what was typed stands in history before it is opened
		s.pass(time.Second)
		sees := func(keys []string, want ...string) {
			t.Helper()
			s.Press(keys...)
			s.pass(time.Second)
			v := s.Visible()
			for _, w := range want {
				if !strings.Contains(v, w) {
					t.Errorf("after %q there is no %q in\n%s", keys, w, v)
				}
			}
		}
		find := func(text string, want ...string) {
			t.Helper()
			s.Press("/")
			s.Type(text)
			sees([]string{"enter"}, want...)
		}
		sees(nil, "Transcript  800 entries, the end", "last of 199", "edit a.go", "+ new worde199",
			"q closes  / search")
		sees([]string{"g"}, "entry 1 of 800, 0%", "question 0", "The answer 0 is a sentence", "echo 0")
		if v := s.Visible(); strings.ContainsRune(v, 0x1b) {
			t.Errorf("a control reached the terminal:\n%q", v)
		}
		sees([]string{"space"}, "row")
		sees([]string{"space"}, "last of 0", "+ new worde0")
		sees([]string{"b", "b", "b"}, "entry 1 of 800", "question 0")
		sees([]string{"j", "k", "ctrl+d", "ctrl+u"}, "entry 1 of 800", "question 0")
		// The words stand in two rows, with marks of Markdown between them.
		find("answer 77 is", "match 1 of 1",
			"The answer 77 is a sentence")
		find("last of 19", "match 2 of 11", "last of 190")
		sees([]string{"n"}, "match 3 of 11", "last of 191")
		sees([]string{"N", "N"}, "match 1 of 11", "last of 19\n")
		sees([]string{"N"}, "match 11 of 11")
		sees([]string{"n"}, "match 1 of 11")
		find("worde55", "match 1 of 1", "+ new worde55") // in a diff
		find("Qu", "not found: Qu")
		sees([]string{"escape"}, "q closes")
		sees([]string{"x", "/", "y", "escape", "G"}, "the end") // nothing reaches the prompt
		sees([]string{"escape"}, "› hello")
		if s.sh.editor.Text() != "" {
			t.Errorf("the prompt holds %q", s.sh.editor.Text())
		}
		s.lacks("question", "worde", "last of")
	})
}

func TestAChangeOfSizeLaysTheTranscriptOutAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tapes := map[bool]string{}
		for _, opens := range []bool{false, true} {
			s := beginStored(t, tuitest.Config{Cols: 80, Rows: 24}, 50)
			s.send("hello")
			s.pass(time.Second)
			if opens {
				s.sh.app.Do(s.sh.openTranscript)
				s.pass(time.Second)
				s.Press("/")
				s.Type("wer 20 ")
				s.Press("enter")
				s.pass(time.Second)
			}
			for _, size := range [][2]int{{50, 15}, {30, 10}, {100, 30}, {80, 24}} {
				s.Resize(size[0], size[1])
				s.pass(2 * time.Second)
				v := s.Visible()
				if opens && (!strings.Contains(v, "last of 19") || !strings.Contains(v, "Transcript")) {
					t.Errorf("at %v the first row has gone:\n%s", size, v)
				}
			}
			if opens {
				s.Press("q")
				s.pass(time.Second)
			}
			tapes[opens] = s.tape()
		}
		if tapes[true] != tapes[false] {
			t.Errorf("with a transcript the tape is\n%s\nwithout one\n%s", tapes[true], tapes[false])
		}
	})
}

func TestATranscriptThatCannotBeShownSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			messages []provider.Message
			err      error
		)
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Session.Conversation = func() ([]provider.Message, error) { return messages, err }
		})
		for _, want := range []string{"This session has no message yet.", "Cannot read the session: the disk is gone"} {
			s.send("/transcript")
			s.pass(time.Second)
			s.holds(want)
			err = errors.New("the disk is gone")
		}
	})
}

// countedItems are entries that count how often they are laid out.
func countedItems(n int, count *int) []transcriptItem {
	items := transcriptItems(storedSession(n / 4))
	for i := range items {
		inner := items[i]
		items[i] = transcriptItem{blocks: []storedBlock{{rows: func(s tui.Space) []tui.Line {
			*count++
			return inner.lay(s, nil)
		}}}}
	}
	return items
}

func TestALongTranscriptIsLaidOutWhereItIsReadAndStaysSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		laid, told := 0, make(chan func(), 1000)
		p := newTranscriptPage(countedItems(10_000, &laid), nil, func(f func()) bool { told <- f; return true })
		p.leave = p.cancel
		s := tui.Space{Width: 80, Height: 24}
		key := func(k tui.Key) []tui.Line {
			p.HandleEvent(k, s)
			return p.View(s).Lines
		}
		if got := plainRows(p.View(s).Lines); len(got) != 24 || !strings.Contains(got[0], "10000 entries, the end") {
			t.Fatalf("%d rows: %q", len(got), got)
		}
		key(tui.Key{Code: 'g'})
		if laid > 60 {
			t.Errorf("%d entries were laid out for two pages", laid)
		}
		most := 0
		for range 400 {
			key(tui.Key{Code: terminal.KeySpace})
			most = max(most, p.count)
		}
		if most < maxLaidRows || most > maxLaidRows+1000 {
			t.Errorf("%d rows were kept", most)
		}
		p.items = p.items[:1000] // a search lays out all of them
		key(tui.Key{Code: '/'})
		for _, r := range "no such words" {
			key(tui.Key{Code: r})
		}
		before := p.count
		laid = 0
		key(tui.Key{Code: terminal.KeyEnter})
		synctest.Wait()
		for len(told) > 0 {
			(<-told)()
		}
		if rows := plainRows(p.View(s).Lines); laid < 1000 || p.count > before+maxLaidRows ||
			!strings.Contains(rows[23], "not found: no such words") {
			t.Errorf("%d were searched, %d rows kept before, %d then: %q", laid, before, p.count, rows[23])
		}
	})
}

// A command of several lines has its lines in the transcript, whole and as far in as they are; no
// byte of it moves the cursor.
func TestTheTranscriptHasTheLinesOfACommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		command := "for i in 1 2; do\n  echo $i\n\n  echo " + strings.Repeat("long ", 40) +
			"\nsafe\rrm -rf x\x1b[2K\ndone"
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		messages := []provider.Message{
			{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "go"}}},
			{Role: provider.Assistant, Parts: []provider.Part{provider.ToolCall{ID: "1", Name: "bash", Input: input}}},
			{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "1", Text: "1\n2",
				Summary: "exit 0"}}}}
		s := beginConfigured(t, tuitest.Config{Cols: 60, Rows: 20}, func(cfg *Config) {
			cfg.Session.Conversation = func() ([]provider.Message, error) { return messages, nil }
		}, `{"say":"hi","delay_ms":0}`)
		s.send("/transcript")
		if v := s.Visible(); !strings.Contains(v, "• bash for i in 1 2; do  exit 0\n         echo $i\n\n"+
			"         echo long") || strings.Count(v, "long") != 40 || !strings.Contains(v, "safe") ||
			!strings.Contains(v, "rm -rf x") || !strings.Contains(v, "       done\n1\n2\n") {
			t.Errorf("it shows\n%s", v)
		}
	})
}
