package renderer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// reset shows 40 final rows and two live ones, resets, and hands over what the mode asks for.
func reset(t *testing.T, c Config, m ResetMode) (got ResetMode, tape []string, out string) {
	t.Helper()
	term := vt.New(vt.Config{Cols: 40, Rows: 10, Scrollback: 1000})
	term.WriteString("shell\r\n")
	var b strings.Builder
	c.Out, c.Cols, c.Rows = &b, 40, 10
	r := New(c)
	var rows []Line
	for i := range 40 {
		rows = append(rows, text(fmt.Sprintf("r%d", i)))
	}
	live := lines("status", "> ")
	render := func(f Frame) {
		if _, err := r.Render(f); err != nil {
			t.Fatal(err)
		}
		r.ledger.check()
		term.WriteString(b.String())
		b.Reset()
	}
	render(Frame{Commit: rows, Live: live, Cursor: &Pos{2, 1}})
	got, err := r.Reset(m)
	if err != nil {
		t.Fatal(err)
	}
	out = b.String()
	if got == Redraw {
		render(Frame{Base: 40, Live: live, Cursor: &Pos{2, 1}})
	} else {
		for i := 0; i < 40; i += 16 {
			render(Frame{Base: i, Commit: rows[i:min(i+16, 40)], Live: live, Cursor: &Pos{2, 1}})
		}
	}
	if s, _ := r.Render(Frame{Base: 40, Live: live, Cursor: &Pos{2, 1}}); b.Len() > 0 || s.Doubt != 0 {
		t.Errorf("after the reset: %q, %+v", b.String(), s)
	}
	return got, term.Tape(), out
}

func TestResetsShowTheSessionAnew(t *testing.T) {
	var once []string
	for i := range 40 {
		once = append(once, fmt.Sprintf("r%d", i))
	}
	live := []string{"status", ">"}
	for _, c := range []struct {
		name   string
		config Config
		mode   ResetMode
		got    ResetMode
		want   []string
		erases bool
	}{
		{"redraw", Config{}, Redraw, Redraw, slices.Concat([]string{"shell"}, once, live), false},
		{"append", Config{}, Append, Append, slices.Concat([]string{"shell"}, once, once, live), false},
		{"rebuild", Config{}, Rebuild, Rebuild, slices.Concat(once, live), true},
		{"rebuild in a multiplexer", Config{Mux: true}, Rebuild, Redraw, slices.Concat([]string{"shell"}, once, live),
			false},
		{"rebuild, strict", Config{Strict: true}, Rebuild, Redraw, slices.Concat([]string{"shell"}, once, live), false},
	} {
		got, tape, out := reset(t, c.config, c.mode)
		if got != c.got || !slices.Equal(tape, c.want) {
			t.Errorf("%s: mode %d, tape %q", c.name, got, tape)
		}
		if strings.Contains(out, "\x1b[3J") != c.erases {
			t.Errorf("%s: %q", c.name, out)
		}
	}
}

func TestTheTraceTellsWhatAFrameDid(t *testing.T) {
	var log []Trace
	s := newSession(Config{Cols: 80, Rows: 24, Trace: func(t Trace) { log = append(log, t) }})
	s.frame(t, nil, "a", "b")
	s.frame(t, nil, "a", "b")
	s.frame(t, lines("x"), "a", "a much longer row that is not worth writing again")
	if len(log) != 2 || log[1].Commit != 1 || log[1].Seam != 1 || log[1].Bytes == 0 || len(log[1].Plan) == 0 {
		t.Errorf("%+v", log)
	}
}
