package shell

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// titled returns the title of the window.
func (s *session) titled() (title string) {
	s.Inspect(func(t *vt.Terminal) { title = t.Title() })
	return title
}

func TestTheWindowSaysWhatTheSessionDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := stage{screen: small, files: map[string]string{"notes.md": notes},
			seen:   func(sh *Shell) approval.Approver { return sh },
			change: func(cfg *Config) { cfg.Appearance.SetTitle = true }}
		s := st.begin(t, oneEdit, `{"say":"Done.","hang":true}`)
		if got := s.titled(); got != "demo: idle" {
			t.Errorf("at first the title is %q", got)
		}
		s.ask()
		if got := s.titled(); got != "demo: asks" {
			t.Errorf("while it asks the title is %q", got)
		}
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(time.Second)
		if got := s.titled(); got != "demo: working" {
			t.Errorf("while it works the title is %q", got)
		}
		s.Press("esc")
		s.pass(time.Second)
		if got := s.titled(); got != "demo: idle" {
			t.Errorf("at rest the title is %q", got)
		}
		all := string(s.Bytes())
		if strings.Count(all, "\x1b[22;2t") != 1 { // what it was before comes back
			t.Errorf("the title was kept %d times", strings.Count(all, "\x1b[22;2t"))
		}
	})
}

// A directory may have any name. None of it reaches the terminal as a control, and a title is
// short.
func TestTheNameOfADirectoryIsNoControl(t *testing.T) {
	for name, begins := range map[string]string{"a\x1b]2;evil\x07b": "a", "a\u009d2;evil\u009cb": "a",
		"\u202egpj.exe": "", "a\nb": "a", strings.Repeat("long ", 100): "long long ",
		"größe 漢字": "größe 漢字: idle"} {
		synctest.Test(t, func(t *testing.T) {
			titled := func(cfg *Config) { cfg.Appearance.SetTitle, cfg.Workspace.Name = true, name }
			s := beginConfigured(t, small, titled, `{"say":"x"}`)
			title := s.titled()
			hidden := func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e }
			if !strings.HasPrefix(title, begins) || !strings.HasSuffix(title, ": idle") ||
				len([]rune(title)) > titleColumns+10 || strings.ContainsFunc(title, hidden) {
				t.Errorf("%q: the title is %q", name, title)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, func(*Config) {}, `{"say":"x"}`)
		if all := string(s.Bytes()); s.titled() != "" || strings.Contains(all, "\x1b]2;") {
			t.Errorf("without a title the window has %q", s.titled())
		}
	})
}

// The parts of the row below the prompt are those that the person has chosen; a window that is too
// narrow has the first of them.
func TestTheRowOfFactsHasThePartsThatWereChosen(t *testing.T) {
	for _, c := range []struct {
		cols   int
		status []string
		want   string
	}{
		{80, []string{"branch", "time", "mode", "model", "workspace"},
			"  main<U+202E> · 2 min · ask · test script · demo"},
		{80, []string{"model", "mode"}, "  test script · ask"},
		{80, []string{"cost", "context", "mode"}, "  ask"}, // nothing was spent yet
		{30, []string{"mode", "model", "workspace", "branch"}, "  ask · test script · demo"},
		{24, []string{"mode", "model", "workspace", "branch"}, "  ask · test script"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := beginConfigured(t, tuitest.Config{Cols: c.cols, Rows: 16}, func(cfg *Config) {
				cfg.Appearance.Status, cfg.Appearance.Branch = c.status, func() string { return "main\u202e" }
			}, `{"say":"x"}`)
			s.pass(2*time.Minute + time.Second)
			rows := strings.Split(strings.TrimRight(s.Visible(), "\n"), "\n")
			if got := strings.TrimRight(rows[len(rows)-1], " "); got != c.want {
				t.Errorf("%d columns, %v: %q, want %q", c.cols, c.status, got, c.want)
			}
		})
	}
}

// What a person may choose for the row below the prompt is shown there, and stands in the pages.
func TestEachPartOfTheRowThatMayBeChosenIsShown(t *testing.T) {
	pages := map[string]string{}
	for _, page := range []string{"config.toml", "configuration.md"} {
		text, err := os.ReadFile("../../../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		const about = "parts of the row below the prompt"
		i := strings.Index(string(text), about)
		if i < 0 {
			t.Fatalf("docs/%s does not tell of the %s", page, about)
		}
		pages[page] = string(text[max(0, i-150):min(len(text), i+150)]) // a name may stand elsewhere for another thing
	}
	for _, name := range config.StatusParts() {
		sh := New(Config{Appearance: Appearance{Status: []string{name}}})
		if parts, _ := sh.statusParts(tui.Space{Now: time.Unix(0, 0)}); len(parts) != 1 {
			t.Errorf("%s: %q", name, parts)
		}
		for page, text := range pages {
			if !strings.Contains(text, name) {
				t.Errorf("docs/%s does not name %s", page, name)
			}
		}
	}
}
