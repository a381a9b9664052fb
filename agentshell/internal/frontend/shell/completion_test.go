package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// offering starts a session whose workspace seems to hold these names.
func offering(t *testing.T, screen tuitest.Config, names []string, lines ...string) *session {
	t.Helper()
	s := begin(t, screen, nil, lines...)
	s.sh.cfg.Files.Find = func(_ context.Context, query string, n int) (list []string, err error) {
		for _, name := range names {
			if strings.Contains(name, query) && len(list) < n {
				list = append(list, name)
			}
		}
		return list, nil
	}
	s.sh.cfg.Models.Names = []string{"opus", "sonnet"}
	return s
}

// prompt returns what stands in the prompt.
func (s *session) prompt() string {
	got := make(chan string, 1)
	s.sh.app.Do(func() { got <- s.sh.editor.Text() })
	return <-got
}

func TestWhatIsOfferedIsTakenByTheUsualKeys(t *testing.T) {
	names := []string{"src/", "src/main.go", "notes.md", "my file.md", "esc\x1b[31m.md"}
	for _, c := range []struct{ typed, keys, want, shows string }{
		{"/mo", "", "/mo", "› /model [NAME]"},
		{"/mo", "tab", "/model ", "opus"},
		{"/mo", "down tab", "/mode ", "every change needs your approval"},
		{"/mo", "up up tab", "/mode ", "plan"},
		{"/mo", "enter", "/model ", "opus"},
		{"/wor", "enter", "", "workspace: /demo"},
		{"/model", "enter", "", "model: test script"}, // typed in full: it is sent
		{"/model ", "enter", "", "model: test script"},
		{"/model s", "tab", "/model sonnet", ""},
		{"/model ", "down down tab", "/model sonnet", ""},
		{"/copy c", "tab", "/copy code", ""},
		{"/mo", "escape", "/mo", ""},
		{"/mo", "escape tab", "/mo", ""},
		{"see @no", "", "see @no", "› notes.md"},
		{"see @no", "tab", "see @notes.md ", ""},
		{"see @no", "enter", "see @notes.md ", ""},
		{"see @sr", "tab", "see @src/", "src/main.go"},
		{"see @sr", "tab down tab", "see @src/main.go ", ""},
		{"see @src/", "enter", "", "Sent."}, // a directory can be sent
		{"see @sr", "tab enter", "", "Sent."},
		{"see @src/", "tab", "see @src/main.go ", ""},
		{"see @my", "tab", `see @"my file.md" `, ""},
		{"see @esc", "", "see @esc", `› "esc\x1b[31m.md"`},
		{"see @esc", "tab", `see @"esc\x1b[31m.md" `, ""},
		{"see @zzz", "tab", "see @zzz", ""},
		{"mail a@no", "tab", "mail a@no", ""},
		{"!cat no", "", "!cat no", ""},
		{"!cat no", "tab", "!cat no", "› notes.md"},
		{"!cat no", "tab tab", "!cat notes.md ", ""},
		{"!cat my", "tab tab", "!cat 'my file.md' ", ""},
		{"!cat esc", "tab tab", `!cat $'esc\x1b[31m.md' `, ""},
	} {
		t.Run(c.typed+" "+c.keys, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := offering(t, tuitest.Config{Cols: 80, Rows: 24}, names, `{"say":"Sent."}`)
				for _, r := range c.typed {
					s.Type(string(r))
				}
				s.pass(time.Second)
				for _, k := range strings.Fields(c.keys) {
					s.Press(k)
					s.pass(time.Second)
				}
				if got := s.prompt(); got != c.want {
					t.Errorf("the prompt is %q, want %q\n%s", got, c.want, s.Visible())
				}
				if !strings.Contains(s.tape(), c.shows) {
					t.Errorf("%q is not shown\n%s", c.shows, s.Visible())
				}
				if strings.Contains(s.Visible(), "\x1b[31m.md") {
					t.Error("a control character of a name is on the screen")
				}
				if c.keys == "escape" && strings.Contains(s.Visible(), "› /mode") {
					t.Errorf("Escape leaves it open\n%s", s.Visible())
				}
			})
		})
	}
}

func TestNoKeyWaitsForALookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, small, nil, `{"say":"Sent."}`)
		slow := make(chan struct{})
		s.sh.cfg.Files.Find = func(ctx context.Context, _ string, _ int) ([]string, error) {
			select {
			case <-slow:
				return []string{"late.md"}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		s.Type("@la")
		s.Settle()
		s.Type("te")
		s.Settle()
		if got := s.prompt(); got != "@late" {
			t.Errorf("while it looks the prompt is %q", got)
		}
		s.Press("tab") // what comes is taken
		close(slow)
		s.pass(time.Second)
		if got := s.prompt(); got != "@late.md " {
			t.Errorf("the prompt is %q", got)
		}
	})
}

func TestALookupThatIsOvertakenChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, small, nil, `{"say":"Sent."}`)
		s.sh.cfg.Files.Find = func(context.Context, string, int) ([]string, error) {
			<-time.After(time.Second) // deaf to the end of its context
			return []string{"late.md"}, nil
		}
		s.Type("@l")
		s.Press("tab")
		s.Type(" not that")
		s.pass(3 * time.Second)
		if got := s.prompt(); got != "@l not that" {
			t.Errorf("the prompt is %q", got)
		}
		if strings.Contains(s.Visible(), "late.md") {
			t.Errorf("a late answer is offered\n%s", s.Visible())
		}
	})
}

func TestHistoryIsWalkedThroughCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, small, nil)
		s.send("/workspace")
		s.send("/mode")
		s.Press("up")
		s.Press("up")
		s.pass(time.Second)
		if got := s.prompt(); got != "/workspace" {
			t.Errorf("up, up: %q", got)
		}
	})
}

// What is offered stays within the live region, whatever the window.
func TestWhatIsOfferedFitsTheWindow(t *testing.T) {
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("a/rather/long/path/to/some/file%d.go", i))
	}
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 6}, {200, 50}, {10, 3}} {
		synctest.Test(t, func(t *testing.T) {
			s := offering(t, tuitest.Config{Cols: size[0], Rows: size[1]}, names, `{"say":"Sent."}`)
			s.Type("@file")
			s.pass(time.Second)
			rows := strings.Count(s.Visible(), "rather")
			if rows > min(maxSuggestionRows, size[1]/2) || rows == 0 && size[1] > 3 {
				t.Errorf("%v: %d rows\n%s", size, rows, s.Visible())
			}
			for range 30 {
				s.Press("down")
			}
			s.pass(time.Second)
			if size[0] >= 80 && !strings.Contains(s.Visible(), "file30.go") {
				t.Errorf("%v: the chosen one is not in sight\n%s", size, s.Visible())
			}
			if v := s.Visible(); !strings.Contains(v, "@file") {
				t.Errorf("%v: the prompt is not in sight\n%s", size, v)
			}
		})
	}
}

func TestEveryCommandThatIsOfferedExists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 100, Rows: 30}, nil)
		for _, c := range builtinCommands() {
			if c.name == "/quit" {
				continue
			}
			s.sh.app.Do(func() { s.sh.submit(c.name) })
			s.Settle()
			s.Press("escape")
		}
		s.pass(time.Second)
		s.lacks("There is no command")
	})
}

func TestWhatIsAttachedIsShownAndSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, small, nil, `{"expect":["see @notes.md","Attached by @, as data:\n"],"say":"Seen."}`)
		s.sh.cfg.Files.Attach = func(_ context.Context, text string) attach.Attached {
			return attach.Attached{Text: "Attached by @, as data:\n\nnotes.md, 1 line:\n```\none\n```\n",
				Files:    []attach.File{{Name: "notes.md", About: "1 line"}},
				Problems: []string{"x.md is not attached: why"}}
		}
		s.send("see @notes.md")
		s.pass(time.Second)
		s.holds("› see @notes.md", "• notes.md  1 line, attached", "! x.md is not attached: why", "Seen.")
		s.lacks("as data", "```")
		if !slices.Equal(s.sh.editor.History, []string{"see @notes.md"}) {
			t.Errorf("the history is %q", s.sh.editor.History)
		}
	})
}

// What is offered looks the same at any time: the golden files hold it.
func TestHowOffersLook(t *testing.T) {
	names := []string{"notes.md", "src/", "src/main.go", "my file.md", "esc\x1b[31m.md"}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 10}} {
		for _, c := range []struct{ name, typed, keys string }{
			{"commands", "/", ""}, {"modes", "/mode ", "down"}, {"files", "look at @", "down"}, {"own", "!cat ", "tab"},
		} {
			t.Run(fmt.Sprintf("%s_%dx%d", c.name, size[0], size[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := offering(t, tuitest.Config{Cols: size[0], Rows: size[1]}, names)
					s.Type(c.typed)
					s.pass(time.Second)
					for _, k := range strings.Fields(c.keys) {
						s.Press(k)
						s.pass(time.Second)
					}
					s.Golden()
				})
			})
		}
	}
}
