package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// talk fills a transcript with one of each, and leaves a block open.
func talk(app *App) *Stream {
	tr := app.Transcript()
	fmt.Fprintln(tr, "a line of plain text that is long")
	tr.Print(Line{Spans: []Span{{Text: "printed"}}})
	tr.Append(NewText("words of a block that breaks at words")).Done()
	s := tr.Stream(&Prose{})
	fmt.Fprint(s, "one two three four five six seven eight nine ten")
	return s
}

func TestResizeRebuildWritesTheTranscriptAgainAtTheNewWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f"), Resize: ResizeRebuild}
		r := start(t, app, 20, 5)
		s := talk(app)
		r.settle()
		r.want("a line of plain text", " that is long", "printed", "words of a block", "--", "that breaks at words",
			"one two three four",
			"five six seven eight", "nine ten", "f")
		r.d.resize(30, 5)
		pass(time.Second)
		r.settle()
		r.want("a line of plain text that is l", "ong", "printed", "--", "words of a block that breaks", "at words",
			"one two three four five six", "seven eight nine ten", "f")
		r.bytes()
		r.d.resize(30, 6) // the height alone never replays
		pass(time.Second)
		r.settle()
		if b := string(r.bytes()); strings.Contains(b, "J\x1b[3J") || strings.Contains(b, "printed") {
			t.Errorf("at a new height it writes %q", b)
		}
		r.d.resize(60, 6)
		pass(time.Second)
		s.Close()
		r.settle()
		r.want("a line of plain text that is long", "printed", "words of a block that breaks at words",
			"one two three four five six seven eight nine ten", "f")
		r.quit()
	})
}

func TestResizeAppendWritesACopyBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f"), Resize: ResizeAppend}
		r := start(t, app, 20, 8, func(d *fakeDevice) { d.caps.Name = "ghostty" })
		fmt.Fprintln(app.Transcript(), "a line of plain text that is long")
		r.settle()
		r.d.resize(40, 8)
		pass(time.Second)
		r.settle()
		r.want("a line of plain text that is long", "a line of plain text that is long", "f")
		r.quit()
	})
}

func TestRebuildIsNotForMultiplexersNorWhenStrict(t *testing.T) {
	for name, with := range map[string]func(*App, *fakeDevice){
		"tmux":   func(_ *App, d *fakeDevice) { d.caps.Mux = "tmux" },
		"strict": func(a *App, _ *fakeDevice) { a.Strict = true },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &App{Footer: NewText("f"), Resize: ResizeRebuild}
				r := start(t, app, 20, 8, func(d *fakeDevice) { with(app, d) })
				fmt.Fprintln(app.Transcript(), "a line")
				r.settle()
				r.d.resize(40, 8)
				pass(time.Second)
				r.settle()
				r.press("ctrl+l", "ctrl+l")
				r.settle()
				if b := string(r.bytes()); strings.Contains(b, "[3J") {
					t.Errorf("it writes %q", b)
				}
				r.want("a line", "f")
				r.quit()
			})
		})
	}
}

func TestRetainBoundsWhatIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f"), Resize: ResizeRebuild, Retain: 200}
		r := start(t, app, 30, 8)
		for n := range 100 {
			app.Transcript().Append(NewText(fmt.Sprintf("block number %d", n))).Done()
			r.settle()
		}
		if n := app.state.transcript.retained.bytes; n > 200 {
			t.Errorf("%d bytes are kept", n)
		}
		r.press("ctrl+l")
		r.settle()
		r.want(append(append(numbered("block number %d", 0, 92), "--"),
			append(numbered("block number %d", 93, 99), "f")...)...)
		r.press("ctrl+l") // the second one
		r.settle()
		tape := strings.Split(r.tape(), "\n")
		if !strings.HasPrefix(tape[0], "(2 kB of earlier text are not") {
			t.Errorf("the first row is %q", tape[0])
		}
		if n := len(tape); n < 8 || n > 16 || tape[n-2] != "block number 99" {
			t.Errorf("got\n%s", r.tape())
		}
		r.quit()
	})
}

func TestRedrawGestureMendsTheLiveRowsAndKeepsHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewStack(NewText("first"), NewText("second"))}
		r := start(t, app, 20, 6)
		fmt.Fprintln(app.Transcript(), "one")
		r.settle()
		r.d.mu.Lock()
		r.d.vt.WriteString("\x1b7\rgarbage\x1b8") // another program
		r.d.mu.Unlock()
		r.press("ctrl+l", "ctrl+l")
		r.settle()
		r.want("one", "first", "second")
		if b := string(r.bytes()); strings.Contains(b, "[3J") {
			t.Errorf("it writes %q", b)
		}
		r.quit()
	})
}

func TestSettingsComeFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want settings
		bad  bool
	}{
		{map[string]string{}, settings{resize: ResizeAppend}, false},
		{map[string]string{"SCROLLKEEP_RESIZE": "rebuild", "SCROLLKEEP_STRICT": "1"},
			settings{resize: ResizeRebuild, strict: true}, false},
		{map[string]string{"SCROLLKEEP_RESIZE": "preserve", "SCROLLKEEP_STRICT": "0"},
			settings{resize: ResizePreserve}, false},
		{map[string]string{"SCROLLKEEP_STILL": "1"}, settings{resize: ResizeAppend, still: true}, false},
		{map[string]string{"SCROLLKEEP_HARDWARE_CURSOR": "0"}, settings{resize: ResizeAppend, drawCaret: true}, false},
		{map[string]string{"SCROLLKEEP_PROSE": "native"}, settings{resize: ResizeAppend, native: true}, false},
		{map[string]string{"SCROLLKEEP_PROSE": "no"}, settings{}, true},
		{map[string]string{"SCROLLKEEP_RESIZE": "no"}, settings{}, true},
	} {
		app := &App{Resize: ResizeAppend, Terminal: terminal.Config{Env: func(k string) string { return c.env[k] }}}
		got, err := app.settings()
		if (err != nil) != c.bad || err == nil && got != c.want {
			t.Errorf("%v gives %+v, %v", c.env, got, err)
		}
	}
}

func TestRedrawLogHasALineForEachFrameThatWrote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "redraw.log")
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: &Editor{}, Terminal: terminal.Config{Env: func(k string) string {
			return map[string]string{"SCROLLKEEP_DEBUG_REDRAW": file}[k]
		}}}
		r := start(t, app, 20, 6)
		fmt.Fprintln(app.Transcript(), "one")
		r.settle()
		r.typed("x")
		r.quit()
	})
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var why []string
	for line := range strings.Lines(string(data)) {
		var e redrawEntry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Bytes == 0 {
			t.Errorf("a line for nothing: %s", line)
		}
		why = append(why, strings.Join(e.Why, "+"))
	}
	if got := strings.Join(why, " "); !strings.HasPrefix(got, "start write event") {
		t.Errorf("the frames were asked for by %q", got)
	}
}

func TestRebuildGestureAfterAResizeBeginsBlocksAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f"), Retain: 1 << 20}
		r := start(t, app, 20, 9)
		s := talk(app)
		r.settle()
		r.d.resize(60, 9)
		pass(time.Second)
		r.settle()
		r.press("ctrl+l", "ctrl+l")
		r.settle()
		s.Close()
		r.quit()
		r.want("a line of plain text that is long", "printed", "words of a block that breaks at words",
			"one two three four five six seven eight nine ten")
	})
}
