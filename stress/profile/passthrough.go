package profile

import (
	"bytes"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Passthrough is tmux's `DCS tmux; ... ST`: it takes such sequences out of a pane's output and
// hands their contents to the terminal around. Like tmux's parser (input.c, dcs_handler and
// dcs_escape) it takes an ESC that is followed by anything but a backslash for that byte alone. The
// zero value drops what it finds, as tmux does by default. It is not safe for concurrent use.
type Passthrough struct {
	To    io.Writer // the terminal around gets what passes; nil while `allow-passthrough` is off
	Taken int       // sequences seen

	state     passState
	data      []byte
	remaining []byte
}

type passState uint8

const (
	passGround passState = iota
	passEscape           // after ESC
	passPrefix           // after ESC P, while it may still be tmux's
	passData
	passDataEscape
)

const passthroughPrefix = "tmux;"

// maxPassthrough is how many bytes of one sequence tmux 3.3 keeps; a longer one is dropped.
const maxPassthrough = 1 << 20

// Strip returns what of p the pane itself gets, valid until the next call. How output is cut into
// pieces makes no difference.
func (t *Passthrough) Strip(p []byte) []byte {
	t.remaining = t.remaining[:0]
	for _, b := range p {
		switch t.state {
		case passGround:
			if b == 0x1b {
				t.state = passEscape
				continue
			}
			t.remaining = append(t.remaining, b)
		case passEscape:
			t.state = passGround
			switch b {
			case 'P':
				t.state, t.data = passPrefix, t.data[:0]
			case 0x1b:
				t.state = passEscape
				t.remaining = append(t.remaining, 0x1b)
			default:
				t.remaining = append(t.remaining, 0x1b, b)
			}
		case passPrefix:
			t.data = append(t.data, b)
			if n := len(t.data); passthroughPrefix[n-1] != b {
				t.state = passGround // another device control string
				t.remaining = append(append(t.remaining, "\x1bP"...), t.data[:n-1]...)
				if b == 0x1b {
					t.state = passEscape
				} else {
					t.remaining = append(t.remaining, b)
				}
			} else if n == len(passthroughPrefix) {
				t.state, t.data = passData, t.data[:0]
			}
		case passData:
			if b == 0x1b {
				t.state = passDataEscape
				continue
			}
			t.keep(b)
		case passDataEscape:
			t.state = passData
			if b != '\\' {
				t.keep(b)
				continue
			}
			t.state = passGround
			t.Taken++
			if t.To != nil && len(t.data) <= maxPassthrough {
				_, _ = t.To.Write(t.data)
			}
		}
	}
	return t.remaining
}

func (t *Passthrough) keep(b byte) {
	if len(t.data) <= maxPassthrough {
		t.data = append(t.data, b)
	}
}

// Draw paints on outer what a tmux client shows of pane: its rows and pens, from up rows above the
// grid on, as in copy mode.
func Draw(outer, pane *vt.Terminal, up int) {
	var b bytes.Buffer
	cols, rows := pane.Size()
	b.WriteString("\x1b[?7l")
	for y := range rows {
		row := pane.Row
		at := y - up
		if at < 0 {
			row, at = pane.ScrollbackRow, pane.ScrollbackLen()+at
			if at < 0 {
				continue
			}
		}
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[m\x1b[K", y+1)
		var pen vt.Style
		for x, c := range row(at).Cells() {
			if c.Width == 0 || x >= cols {
				continue
			}
			if c.Style != pen {
				pen = c.Style
				b.WriteString("\x1b[0")
				drawColor(&b, pen.Fg, 38)
				drawColor(&b, pen.Bg, 48)
				drawColor(&b, pen.UnderlineColor, 58)
				b.WriteByte('m')
			}
			if c.Text == "" {
				b.WriteByte(' ')
			}
			b.WriteString(c.Text)
		}
	}
	b.WriteString("\x1b[m\x1b[?7h")
	outer.Write(b.Bytes())
}

func drawColor(b *bytes.Buffer, c ansi.Color, base int) {
	if n, ok := c.Index(); ok {
		fmt.Fprintf(b, ";%d;5;%d", base, n)
	} else if r, g, bl, ok := c.RGB(); ok {
		fmt.Fprintf(b, ";%d;2;%d;%d;%d", base, r, g, bl)
	}
}
