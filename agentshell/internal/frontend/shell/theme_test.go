package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// wardrobed returns a session with two themes of the person's; one cannot be used.
func wardrobed(t *testing.T, screen tuitest.Config, lines ...string) *session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"dusk.toml": "base = \"dark\"\naccent = \"#d7af5f\"\nadded = \"#222222\"\n",
		"bad.toml":  "base = \"dark\"\nacent = 3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	screen.Env = map[string]string{"TERM": "xterm-256color"}
	return beginConfigured(t, screen, func(cfg *Config) { cfg.Appearance.Themes = theme.Shelf{Dir: dir} }, lines...)
}

// looks returns the style of the first cell of text in the last row that has it, in the grid or,
// with history, in what has scrolled out.
func (s *session) looks(text string, history bool) (st vt.Style, found bool) {
	s.Inspect(func(v *vt.Terminal) {
		look := func(r vt.Row) {
			if i := strings.Index(r.Text(), text); i >= 0 {
				st, found = r.Cell(len([]rune(r.Text()[:i]))).Style, true
			}
		}
		_, rows := v.Size()
		if history {
			for i := range v.ScrollbackLen() {
				look(v.ScrollbackRow(i))
			}
			return
		}
		for y := range rows {
			look(v.Row(y))
		}
	})
	return st, found
}

func TestAThemeIsSeenWhileItIsChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("# A title\\n\\nwords\\n\\n", 12)
		s := wardrobed(t, tuitest.Config{Cols: 80, Rows: 24}, `{"say":"`+text+`","delay_ms":0}`)
		s.line("go")
		s.pass(time.Second)
		status, _ := s.looks("ask · test", false)
		before, _ := s.looks("A title", true)
		s.line("/theme")
		s.pass(time.Second)
		s.holds("› * auto", "bad.toml:2: there is no role", "did you mean \"accent\"?", "rows above stay as they are")
		ask, _ := s.looks("edit sample.go", false)
		s.Press("down", "down", "down", "down") // high-contrast
		s.Settle()
		if s.sh.currentTheme.Name != "high-contrast" {
			t.Errorf("shown is %s", s.sh.currentTheme.Name)
		}
		if now, _ := s.looks("edit sample.go", false); now == ask || now.Attr&vt.Inverse == 0 {
			t.Errorf("the label was %+v and is %+v", ask, now)
		}
		s.Type("dusk")
		s.Settle()
		s.holds("yours, for a dark ground, 1 role refused")
		s.Press("esc") // takes back what was typed
		s.pass(time.Second)
		s.Press("esc")
		s.pass(time.Second)
		if s.sh.currentTheme != nil {
			t.Errorf("after Esc it is %s", s.sh.currentTheme.Name)
		}
		if now, ok := s.looks("ask · test", false); now != status || !ok {
			t.Errorf("after Esc the status row is %+v, before it was %+v", now, status)
		}
		s.lacks("theme: ")
		s.line("/theme")
		s.pass(time.Second)
		s.Press("up")
		s.Settle()
		s.Press("enter")
		s.Settle()
		s.holds("theme: dusk", "dusk.toml:3: added is not used, the base's look is",
			`For every session: theme = "dusk" in config.toml.`)
		if s.sh.currentTheme.Name != "dusk" {
			t.Errorf("after Enter it is %s", s.sh.currentTheme.Name)
		}
		if now, ok := s.looks("A title", true); now != before || !ok {
			t.Errorf("a row in history was %+v and is %+v", before, now)
		}
	})
}

func TestThemeByItsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wardrobed(t, small)
		s.line("/theme light")
		s.pass(time.Second)
		s.holds("theme: light", "It is for a light ground, and the terminal says that its own is dark.")
		for _, wrong := range []struct{ name, said string }{
			{"lihgt", `did you mean "light"?`}, {"bad", "2: there is no role"}, {"../dusk", "there is no theme"},
			{"dusk/../dusk", "there is no theme"}, {"/etc/passwd", "there is no theme"},
		} {
			s.line("/theme " + wrong.name)
			s.pass(time.Second)
			s.holds("The theme was not changed", wrong.said)
			if s.sh.currentTheme.Name != "light" {
				t.Errorf("%s: it is %s", wrong.name, s.sh.currentTheme.Name)
			}
		}
		s.Type("/theme hi")
		s.pass(time.Second)
		s.Press("tab")
		s.Settle()
		if got := s.prompt(); got != "/theme high-contrast" {
			t.Errorf("completed is %q", got)
		}
	})
}

// Nobody judges a change in colours that change.
func TestTheThemeStaysWhileAChangeWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wardrobed(t, tuitest.Config{Cols: 80, Rows: 24}, `{"say":"A file.","delay_ms":0,"tool_calls":[`+
			`{"id":"c","name":"write_file","input":{"path":"a.txt","content":"one\n"}}]}`,
			`{"say":"Done.","delay_ms":0}`)
		s.Type("/theme light") // while the pane is not there yet
		s.sh.app.Do(func() { s.sh.submit("go") })
		s.pass(3 * time.Second)
		s.holds("a.txt")
		s.sh.app.Do(func() { s.sh.handleTheme("light") })
		s.Settle()
		s.sh.app.Do(func() { s.sh.handleTheme("") })
		s.Settle()
		s.Press("n")
		s.pass(time.Second)
		if s.sh.currentTheme != nil {
			t.Errorf("it is %s", s.sh.currentTheme.Name)
		}
		s.holds("A change waits for your answer.")
	})
}

func TestHowTheThemesLook(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}, {20, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: size[0], Rows: size[1]}, func(*Config) {})
				s.line("/theme")
				s.pass(time.Second)
				s.Press("down", "down")
				s.Settle()
				s.Golden()
			})
		})
	}
}
