package oracle

import (
	"fmt"
	"iter"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// Program describes the operations that are played on one terminal of a given size.
type Program struct {
	Size screen.Size
	Ops  []Op
}

// Op is one operation: output of a program (Name says what it means), or a change of size if Cols
// is not 0.
type Op struct {
	Name       string
	Bytes      string
	Cols, Rows int
	Dump       bool // the terminals are compared after this operation
}

// String returns the operation as one readable line: `CUP "\x1b[2;3H"` or `resize 20x4`.
func (o Op) String() string {
	s := fmt.Sprintf("%-8s %q", o.Name, o.Bytes)
	if i := strings.Index(s, ";AAAA"); i > 0 && len(s) > 200 { // an image is black: its data is only zeros
		s = s[:i] + ";AAAA...\""
	}
	if n := len(o.Bytes); o.Name == "burst" && n > 60 {
		s = fmt.Sprintf("%-8s %q... %d bytes", o.Name, o.Bytes[:40], n)
	}
	if o.Cols != 0 {
		s = fmt.Sprintf("%-8s %dx%d", "resize", o.Cols, o.Rows)
	}
	if o.Dump {
		s += "   <- dump"
	}
	return s
}

// String returns the whole program, one operation a line.
func (p Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "terminal %dx%d, scrollback %d\n", p.Size.Cols, p.Size.Rows, p.Size.Scrollback)
	for _, op := range p.Ops {
		b.WriteString("  " + op.String() + "\n")
	}
	return b.String()
}

// Script yields the program as a script of package screen: a reset, the operations, a dump after
// each operation that asks for one, and a dump at the end.
func (p Program) Script() iter.Seq[screen.Op] {
	return func(yield func(screen.Op) bool) {
		size := p.Size
		if !yield(screen.Op{Reset: &size}) {
			return
		}
		for i, op := range p.Ops {
			o := screen.Op{Write: []byte(op.Bytes)}
			if op.Cols != 0 {
				o = screen.Op{Resize: &screen.Size{Cols: op.Cols, Rows: op.Rows}}
			}
			if !yield(o) {
				return
			}
			if op.Dump && i < len(p.Ops)-1 && !yield(screen.Op{Dump: screen.Full}) {
				return
			}
		}
		yield(screen.Op{Dump: screen.Full})
	}
}

// Dumps returns the number of dumps in the script of the program.
func (p Program) Dumps() int {
	n := 1
	for i, op := range p.Ops {
		if op.Dump && i < len(p.Ops)-1 {
			n++
		}
	}
	return n
}
