package screen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// An Emulator is a terminal that a script can be played on.
type Emulator interface {
	Write(output []byte)
	Resize(cols, rows int)
	Dump(what What) *Dump // Replies since the last one
}

// Play plays a script, JSON lines from in, on the emulators that open makes for each reset, and
// writes each dump as a line to out.
func Play(in io.Reader, out io.Writer, open func(Size) Emulator) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	var e Emulator
	for lines.Scan() {
		var op Op
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return fmt.Errorf("screen: script: %w", err)
		}
		if op.Reset == nil && e == nil {
			return fmt.Errorf("screen: a script begins with a reset")
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
				return fmt.Errorf("screen: %w", err)
			}
		default:
			e.Write(op.Write)
		}
	}
	return lines.Err()
}
