package profile

import (
	"bytes"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Passthrough implements tmux's passthrough sequence, `DCS tmux; ... ST`: it takes such sequences
// out of a pane's output and writes their contents to the terminal in which tmux runs. Within a
// sequence ESC followed by any byte but a backslash stands for that byte, as in tmux (input.c,
// dcs_handler and dcs_escape).
//
// The zero value drops the contents, as tmux does by default. A Passthrough is not safe for
// concurrent use.
type Passthrough struct {
	To    io.Writer // the terminal in which tmux runs; nil while tmux's `allow-passthrough` is off
	Taken int       // number of passthrough sequences seen

	state     passState
	data      []byte
	remaining []byte
}

type passState uint8

const (
	passGround passState = iota
	passEscape           // after ESC, outside of a sequence
	passPrefix           // after ESC P, while the bytes may still begin a passthrough sequence
	passData
	passDataEscape
)

const passthroughPrefix = "tmux;"

// maxPassthrough is the largest number of bytes of one sequence that tmux 3.3 passes on. A longer
// sequence is dropped.
const maxPassthrough = 1 << 20

// Strip returns the bytes of output that the pane itself processes, without passthrough sequences.
// A sequence may be spread over several calls. The result is valid until the next call.
func (p *Passthrough) Strip(output []byte) []byte {
	p.remaining = p.remaining[:0]
	for _, b := range output {
		switch p.state {
		case passGround:
			if b == 0x1b {
				p.state = passEscape
				continue
			}
			p.remaining = append(p.remaining, b)
		case passEscape:
			p.state = passGround
			switch b {
			case 'P':
				p.state, p.data = passPrefix, p.data[:0]
			case 0x1b:
				p.state = passEscape
				p.remaining = append(p.remaining, 0x1b)
			default:
				p.remaining = append(p.remaining, 0x1b, b)
			}
		case passPrefix:
			p.data = append(p.data, b)
			if n := len(p.data); passthroughPrefix[n-1] != b {
				p.state = passGround // another device control string
				p.remaining = append(append(p.remaining, "\x1bP"...), p.data[:n-1]...)
				if b == 0x1b {
					p.state = passEscape
				} else {
					p.remaining = append(p.remaining, b)
				}
			} else if n == len(passthroughPrefix) {
				p.state, p.data = passData, p.data[:0]
			}
		case passData:
			if b == 0x1b {
				p.state = passDataEscape
				continue
			}
			p.keep(b)
		case passDataEscape:
			p.state = passData
			if b != '\\' {
				p.keep(b)
				continue
			}
			p.state = passGround
			p.Taken++
			if p.To != nil && len(p.data) <= maxPassthrough {
				_, _ = p.To.Write(p.data)
			}
		}
	}
	return p.remaining
}

func (p *Passthrough) keep(b byte) {
	if len(p.data) <= maxPassthrough {
		p.data = append(p.data, b)
	}
}

// Draw paints the rows of pane, with their colours and attributes, on the terminal outer, as a tmux
// client does. up is the number of rows of scrollback that stand above the grid, as in copy mode.
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
