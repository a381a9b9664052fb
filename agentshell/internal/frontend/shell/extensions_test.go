package shell

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
	"github.com/scrollkeep/scrollkeep/tui"
)

// TestMain is also the extension of the tests: it does what its variable says.
func TestMain(m *testing.M) {
	if how := os.Getenv(extensiontest.Variable); how != "" {
		extensiontest.Main(how)
		return
	}
	os.Exit(m.Run())
}

// withExtension returns a service with the extension of the tests, which behaves in a way.
func withExtension(t *testing.T, how string) *extension.Service {
	t.Helper()
	m, err := extension.Parse([]byte(extensiontest.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	m.Command = []string{os.Args[0]}
	s := extension.NewService(extension.Config{Dir: t.TempDir(), Family: new(child.Family),
		Options: helper.Options{Pause: 1}})
	t.Cleanup(s.Close)
	if _, err := s.Add(extension.Source{Name: "test", Dir: t.TempDir(), Manifest: m,
		Env: []string{extensiontest.Variable + "=" + how}}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCommandsOfExtensionsGiveWayToOthers(t *testing.T) {
	sh := &Shell{}
	if _, found := findCommand(sh.slashCommands(), "/extensions"); found {
		t.Error("/extensions is there without extensions")
	}
	sh.cfg.Programs.Extensions = withExtension(t, "well")
	if c, found := findCommand(sh.slashCommands(), "/do"); !found || c.about != "does WHAT" || c.args != "[WHAT]" {
		t.Errorf("%+v, %v", c, found)
	}
	sh.cfg.Prompt.Commands = []Command{{Name: "do", About: "the person's", Text: func(string) string { return "" }}}
	c, _ := findCommand(sh.slashCommands(), "/do")
	own, found := findCommand(sh.slashCommands(), "/test:do")
	if c.about != "the person's" || !found || own.about != "does WHAT" {
		t.Errorf("/do: %q, /test:do: %v, %q", c.about, found, own.about)
	}
	c, _ = findCommand(sh.slashCommands(), "/test:do")
	if list := c.complete(t.Context(), "ma"); len(list) != 1 || list[0].text != "max" || list[0].note != "a note" {
		t.Errorf("%+v", list)
	}
}

// Whatever an extension sends, its rows have no control and fit the width.
func TestRowsOfAnExtensionAreHarmlessAndFit(t *testing.T) {
	for _, how := range []string{"controls", "wide", "many rows", "well"} {
		e := withExtension(t, how).All()[0]
		ok := true
		a := extension.Asked{Part: extension.PartResult, Tool: "bash", OK: &ok, Text: "a\x1b[31m", Width: 20,
			Height: extension.MaxRows}
		if _, err := e.Command(t.Context(), "do", "this", 80, nil); err != nil { // it has started
			t.Fatal(err)
		}
		rows, known := e.Result(t.Context(), a)
		for range 300 { // a loaded machine is late
			if known {
				break
			}
			rows, known = e.Result(t.Context(), a)
		}
		if !known || len(rows) > extension.MaxRows {
			t.Fatalf("%s: %v, %d rows", how, known, len(rows))
		}
		for _, width := range []int{1, 2, 20, 80} {
			s := tui.Space{Width: width}
			for _, line := range slices.Concat(cutRows(rows, s), wrappedRows(rows, s)) {
				var text strings.Builder
				for _, span := range line.Spans {
					text.WriteString(span.Text)
					if strings.ContainsAny(span.Link, "\x1b\x07") {
						t.Errorf("%s: the link %q", how, span.Link)
					}
				}
				if strings.ContainsFunc(text.String(), func(r rune) bool {
					return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0x2028
				}) || s.Columns(text.String()) > max(width, 2) {
					t.Errorf("%s at %d: %q", how, width, text.String())
				}
			}
		}
	}
}

func TestTheAnswersOfAFormAreThoseOfTheProgram(t *testing.T) {
	f := extensionField{Field: extension.Field{Name: "a", Kind: "choices", Choices: []string{"x\x1b", "y"},
		Value: json.RawMessage(`["x\u001b"]`)}}
	f.question()
	if got, ok := f.answer().([]string); !ok || len(got) != 1 || got[0] != "x\x1b" || f.marked[0].label == "x\x1b" {
		t.Errorf("%q, shown as %q", got, f.marked[0].label)
	}
	f = extensionField{Field: extension.Field{Name: "a", Kind: "choice", Choices: []string{"x", "y"},
		Value: json.RawMessage(`"z"`)}}
	f.question()
	if got := f.answer(); got != "x" {
		t.Errorf("%v", got)
	}
}

// maxFrames is how long 1000 frames may take on a busy machine.
const maxFrames = 2 * time.Second

// The shell draws what is known and waits for no extension.
func TestNoFrameWaitsForAnExtension(t *testing.T) {
	for _, how := range []string{"slow", "silent", "crash", "flood", "unread"} {
		sh := New(Config{Programs: Programs{Extensions: withExtension(t, how)}})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 1000 {
				sh.extensionStatus(tui.Space{Width: 80, Height: 24}, " ")
				sh.extensionFooter(tui.Space{Width: 80, Height: 24})
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), maxFrames)
		select {
		case <-done:
		case <-ctx.Done():
			t.Fatalf("%s: 1000 frames take more than %v", how, maxFrames)
		}
		cancel()
	}
}

// refreshed is a screen that tells of frames.
type refreshed struct {
	extension.Screen
	news chan struct{}
}

func (refreshed) Size() (columns, rows int) { return 80, 24 }

func (r refreshed) Refresh() {
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// An extension has the columns of the status row that it was asked for, beside long names.
func TestAPartOfTheStatusRowHasTheColumnsThatItWasAskedFor(t *testing.T) {
	x := withExtension(t, "full status")
	screen := refreshed{news: make(chan struct{}, 1)}
	sh := New(Config{Programs: Programs{Extensions: x}, Approval: Approval{Mode: "unconfined"},
		Workspace: Workspace{Name: strings.Repeat("w", 60)},
		Models:    Models{Name: strings.Repeat("m", 60)}, Session: Session{Path: "x"}})
	x.Attach(screen) // in the place of the shell, whose loop does not run
	late := time.After(10 * time.Second)
	for _, c := range []struct{ width, asked int }{{200, 40}, {80, 39}, {50, 24}, {30, 12}} {
		s := tui.Space{Width: c.width, Height: 24}
		want := strings.Repeat("s", c.asked)
		for {
			line, _ := sh.statusRow(s, "")
			text := lineText(line)
			if s.Columns(text) > c.width-2 || !strings.HasPrefix(text, "  unconfined") {
				t.Fatalf("%d: %q", c.width, text)
			}
			if strings.HasSuffix(text, " "+want) {
				break
			}
			select {
			case <-screen.news:
			case <-late:
				t.Fatalf("%d: %q, want %d columns", c.width, text, c.asked)
			}
		}
	}
}

func TestPartsOfTheStatusRowShareHalfOfIt(t *testing.T) {
	sh := New(Config{Approval: Approval{Mode: "ask"}})
	for n := range 5 {
		for width := range 200 {
			shown, columns := sh.statusShare(tui.Space{Width: width}, n, " · ")
			if shown > n || shown > 0 && (columns < minStatusPart || columns > extension.StatusWidth ||
				shown*columns+(shown-1)*3 > width/2) || width >= 46 && n == 2 && shown != 2 {
				t.Errorf("%d in %d: %d of %d columns", n, width, shown, columns)
			}
		}
	}
}

// lineText returns the text of a line.
func lineText(l tui.Line) string {
	var b strings.Builder
	for _, span := range l.Spans {
		b.WriteString(span.Text)
	}
	return b.String()
}
