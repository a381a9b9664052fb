package widget_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// album is scenes of a widget, as a person sees them, in one file of testdata.
type album struct {
	t    *testing.T
	text strings.Builder
}

// where is where a widget is shown.
var where = []struct {
	name  string
	place tui.Place
}{{"screen", tui.Place{Full: true}}, {"overlay", tui.Place{}}, {"pane", tui.Place{Replace: true}}}

// scene plays keys to the widget that make makes, in windows of three widths, and keeps the last
// screen of each. Below 20 columns nothing is kept; it must not panic.
func (a *album) scene(title string, rows int, make func() tui.Component, keys ...string) {
	for _, cols := range []int{80, 40, 20, 3, 1} {
		for i, w := range where {
			synctest.Test(a.t, func(t *testing.T) {
				app := &tui.App{}
				app.Overlay(make(), w.place)
				s := tuitest.Start(t, app, tuitest.Config{Cols: cols, Rows: rows})
				play(t, s, keys)
				if i == 0 && cols >= 20 {
					fmt.Fprintf(&a.text, "== %s, %d columns\n%s\n", title, cols, still(s.Visible()))
				}
				app.Quit(nil)
				if err := s.Wait(); err != nil {
					t.Error(err)
				}
				if got := s.Visible() + s.Scrollback(); got != "" && w.place.Full {
					t.Errorf("%s: something of it stays:\n%s", w.name, got)
				}
			})
		}
	}
}

// still returns text with one picture for all of a spinner's: which of them is shown is a matter of
// a millisecond.
func still(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", r) {
			return '⠋'
		}
		return r
	}, text)
}

// play presses keys; "=text" types, "+text" pastes, "@col,row" clicks, "~time" waits, "*" turns the
// wheel down by one step.
func play(t *testing.T, s *tuitest.Screen, keys []string) {
	for _, k := range keys {
		var col, row int
		switch {
		case strings.HasPrefix(k, "="):
			s.Type(k[1:])
		case strings.HasPrefix(k, "+"):
			s.Paste(k[1:])
		case strings.HasPrefix(k, "~"):
			d, err := time.ParseDuration(k[1:])
			if err != nil {
				t.Fatal(err)
			}
			<-time.After(d)
		case k == "*":
			s.Send([]byte("\x1b[<65;1;1M"))
		case strings.HasPrefix(k, "@"):
			if _, err := fmt.Sscanf(k, "@%d,%d", &col, &row); err != nil {
				t.Fatal(err)
			}
			s.Send(fmt.Appendf(nil, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", col+1, row+1, col+1, row+1))
		default:
			s.Press(k)
		}
		s.Settle()
	}
}

// plain is c in a transcript without a terminal: what a screen reader reads.
func (a *album) plain(title string, c tui.Component) {
	fmt.Fprintf(&a.text, "== %s, without a terminal\n%s", title, printed(c))
}

// printed returns what is written of c without a terminal.
func printed(c tui.Component) string {
	var out strings.Builder
	app := &tui.App{Input: strings.NewReader(""), Output: &out}
	app.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	app.Transcript().Append(c).Done()
	if err := app.Run(context.Background()); err != nil {
		fmt.Fprintln(&out, "error:", err)
	}
	return out.String()
}

// compare compares the album with its file.
func (a *album) compare(name string) {
	a.t.Helper()
	file := filepath.Join("testdata", name+".txt")
	tuitest.Golden(a.t, file, []byte(a.text.String()))
}

// texts returns the rows of a view as text.
func texts(v tui.View) (rows []string) {
	for _, l := range v.Lines {
		row := ""
		for _, sp := range l.Spans {
			row += sp.Text
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return rows
}
