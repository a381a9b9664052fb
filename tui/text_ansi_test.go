package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
)

func TestANSIKeepsColoursAndCarriageReturnsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 8)
		w := NewANSI(app.Transcript())
		io.WriteString(w, "\x1b]0;title\x07\x1b[2J\x1b[Ha\x1b[1;31mred\x1b[0mb\x1b[5A\n10%")
		r.settle()
		r.want("aredb", "10%", "f")
		io.WriteString(w, "\r20%\r\x1b[Kdone\n\nlast\x1b")
		io.WriteString(w, "[3")
		io.WriteString(w, "2m!")
		r.settle()
		r.want("aredb", "done", "", "last!", "f")
		row := r.d.vt.Row(0)
		if c := row.Cell(1); fmt.Sprint(c.Style.Fg) == fmt.Sprint(row.Cell(0).Style.Fg) {
			t.Errorf("the colour is lost: %+v", c)
		}
		if c := r.d.vt.Row(3).Cell(4); c.Style.Fg == r.d.vt.Row(3).Cell(3).Style.Fg {
			t.Errorf("a sequence in three writes is lost: %+v", c)
		}
		if got := r.d.vt.Title(); got != "" {
			t.Errorf("the title is %q", got)
		}
		w.Close()
		if _, err := w.Write([]byte("x")); err != ErrClosed {
			t.Error(err)
		}
		r.quit()
		r.want("aredb", "done", "", "last!")
	})
}

func TestSGRColours(t *testing.T) {
	for in, want := range map[string]Style{
		"31":                 {Fg: Indexed(1)},
		"1;2;22;3":           {Attr: Italic},
		"97;101":             {Fg: Indexed(15), Bg: Indexed(9)},
		"38;5;200;1":         {Fg: Indexed(200), Attr: Bold},
		"38;2;1;2;3;48;5;7":  {Fg: RGB(1, 2, 3), Bg: Indexed(7)},
		"38:2::1:2:3;4":      {Fg: RGB(1, 2, 3), Attr: Underline},
		"38:5:9;1":           {Fg: Indexed(9), Attr: Bold},
		"4:3;1":              {Attr: Underline | Bold},
		"31;39;41;49;7;27;9": {Attr: Strike},
		"1;0":                {},
	} {
		w := &ansiWriter{t: (&App{}).Transcript()}
		io.WriteString(w, "\x1b["+in+"m")
		if w.style != want {
			t.Errorf("SGR %s gives %+v, want %+v", in, w.style, want)
		}
	}
}

func TestWithoutATerminalFinalRowsAreTextAndLinesGoToTheEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		var app *App
		ed := &Editor{OnSubmit: func(s string) { fmt.Fprintf(app.Transcript(), "you said %q\n", s) }}
		app = &App{
			Footer: NewStack(&Status{Text: "working"}, ed),
			Input:  strings.NewReader("hello\r\nworld"),
			Output: &out,
			openTerminal: func(context.Context) (device, error) {
				return nil, fmt.Errorf("opening: %w", terminal.ErrNotTerminal)
			},
		}
		fmt.Fprintln(app.Transcript(), "begin \x1b[31mred", strings.Repeat("long ", 30))
		app.Transcript().Append(&Text{Spans: []Span{{Text: "bold", Style: Style{Attr: Bold}}}}).Done()
		if err := app.Run(context.Background()); err != nil {
			t.Error(err)
		}
		want := "begin ␛[31mred " + strings.Repeat("long ", 30) + "\nbold\nyou said \"hello\"\nyou said \"world\"\n"
		if out.String() != want {
			t.Errorf("got\n%q\nwant\n%q", out.String(), want)
		}
	})
}
