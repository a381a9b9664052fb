package widget_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/slogtest"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func TestALogWritesIntoTheTranscriptInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		app.Main = func(context.Context) error {
			log := slog.New(&widget.Log{App: app, Time: "-"})
			log.Debug("not written")
			log.Info("started", "port", 80, slog.Group("tls", "on", true))
			log.With("user", "a b").WithGroup("http").Warn("slow", "path", "/x\n\x1b[2Jy", "took", "")
			log.Error("broken", "err", errors.New(`no "way"`))
			return nil
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		got := strings.Join(s.Lines(), "\n")
		want := "- INFO started port=80 tls.on=true\n" +
			"- WARN slow user=\"a b\" http.path=/x↵␛[2Jy http.took=\"\"\n" +
			"- ERROR broken err=\"no \\\"way\\\"\""
		if strings.TrimSpace(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		s.Inspect(func(term *vt.Terminal) {
			row := term.Row(3)
			if !strings.Contains(row.Text(), "ERROR") {
				t.Errorf("row 3 is %q", row.Text())
			}
		})
	})
}

func TestALogWritesIntoAViewport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		view := &widget.Viewport{Follow: true, Highlight: widget.Levels}
		app := &tui.App{Footer: view}
		log := slog.New(&widget.Log{App: app, View: view, Level: slog.LevelDebug, Time: "-"})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		for i := range 8 {
			log.Debug("record", "n", i)
		}
		s.Settle()
		s.Want("- DEBUG record n=3", "- DEBUG record n=4", "- DEBUG record n=5", "- DEBUG record n=6",
			"- DEBUG record n=7")
	})
}

// The rules of package slog for handlers, from its own test. Groups are written as prefixes, from
// which the records are read back.
func TestALogIsAHandler(t *testing.T) {
	var out strings.Builder
	app := &tui.App{Input: strings.NewReader(""), Output: &out}
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	app.Main = func(context.Context) error {
		return slogtest.TestHandler(&widget.Log{App: app}, func() (all []map[string]any) {
			if err := app.WaitShown(context.Background()); err != nil {
				t.Error(err)
			}
			for line := range strings.Lines(out.String()) {
				all = append(all, record(strings.TrimSpace(line)))
			}
			return all
		})
	}
	if err := app.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

// record returns a line of a log as slogtest wants it.
func record(line string) map[string]any {
	all := map[string]any{}
	words := strings.Fields(line)
	if strings.Contains(words[0], ":") {
		all[slog.TimeKey], words = words[0], words[1:]
	}
	all[slog.LevelKey], words = words[0], words[1:]
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			all[slog.MessageKey] = strings.Join(words[:i+1], " ")
			continue
		}
		in, path := all, strings.Split(name, ".")
		for _, p := range path[:len(path)-1] {
			if in[p] == nil {
				in[p] = map[string]any{}
			}
			in = in[p].(map[string]any)
		}
		in[path[len(path)-1]] = value
	}
	return all
}

func TestLevelsAreFoundInLinesOfManyForms(t *testing.T) {
	th := tui.NewTheme(tui.Caps{Unicode: true, Color: 16, Dark: true})
	for _, c := range []struct {
		line string
		want tui.Style
	}{
		{"2026-11-26 ERROR it broke", th.Error}, {"level=warn msg=x", th.Warning}, {"[info] started", th.Accent},
		{"DEBUG: x", th.Dim}, {"nothing of the kind", tui.Style{}}, {"informed", tui.Style{}}, {"", tui.Style{}},
		{"\x1b[31merror\x1b[0m", tui.Style{}}, // no word of its own: what is shown is m and error together
	} {
		spans := widget.Levels(th, c.line)
		text, got := "", tui.Style{}
		for i, sp := range spans {
			if text += sp.Text; i == 1 {
				got = sp.Style
			}
		}
		if text != c.line || got != c.want {
			t.Errorf("%q: %q in %v, want %v", c.line, text, got, c.want)
		}
	}
}

func ExampleLog() {
	app := &tui.App{Input: strings.NewReader(""), Output: os.Stdout}
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	log := slog.New(&widget.Log{App: app, Time: "at"})
	app.Main = func(context.Context) error {
		log.Info("started", "port", 8080)
		log.With("user", "ada").Warn("slow", "path", "/a b")
		return nil
	}
	if err := app.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// at INFO started port=8080
	// at WARN slow user=ada path="/a b"
}
