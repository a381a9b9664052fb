package screen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Emulator is a terminal emulator on which a script can be played.
type Emulator interface {
	Write(output []byte)
	Resize(cols, rows int)
	Dump(what What) *Dump // returns the current state; its Replies are those since the last dump
}

// NewVT returns an Emulator of that size with package terminal/vt.
func NewVT(size Size) Emulator {
	return vtEmulator{vt.New(vt.Config{Cols: size.Cols, Rows: size.Rows, Scrollback: size.Scrollback})}
}

type vtEmulator struct{ t *vt.Terminal }

func (e vtEmulator) Write(output []byte)   { e.t.Write(output) }
func (e vtEmulator) Resize(cols, rows int) { e.t.Resize(cols, rows) }
func (e vtEmulator) Dump(what What) *Dump  { return Of(e.t, what) }

// Play reads a script from in, which is lines of JSON, and writes each dump as a line to out. The
// function open creates an emulator: one for size at the beginning, and another one at each reset.
func Play(in io.Reader, out io.Writer, size Size, open func(Size) Emulator) error {
	e := open(size)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var op Op
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case op.Reset != nil:
			e = open(*op.Reset)
		case op.Resize != nil:
			e.Resize(op.Resize.Cols, op.Resize.Rows)
		case op.Dump != "":
			line, err := json.Marshal(e.Dump(op.Dump))
			if err != nil {
				return fmt.Errorf("screen: dump: %w", err)
			}
			if _, err := out.Write(append(line, '\n')); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
		default:
			e.Write(op.Write)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	return nil
}
