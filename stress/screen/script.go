package screen

import (
	"encoding/json"
	"fmt"
)

// An Op is one line of a script: exactly one field is set. The zero value is no operation.
type Op struct {
	Reset  *Size
	Write  []byte // bytes from the program
	Resize *Size  // Scrollback is not used
	Dump   What
}

// Size is a terminal's geometry in columns and rows, and its scrollback limit in rows.
type Size struct {
	Cols       int `json:"cols"`
	Rows       int `json:"rows"`
	Scrollback int `json:"scrollback"`
}

// What is the part of a dump that is asked for.
type What string

// The parts.
const (
	Full   What = "full"
	Screen What = "screen" // without scrollback
	Brief  What = "brief"  // without scrollback, grid and images: for replies
)

type opJSON struct {
	Reset  *Size   `json:"reset,omitempty"`
	Write  *[]byte `json:"write,omitempty"`
	Resize *[2]int `json:"resize,omitempty"`
	Dump   any     `json:"dump,omitempty"`
}

// MarshalJSON prints the op as one object without newlines.
func (o Op) MarshalJSON() ([]byte, error) {
	j := opJSON{Reset: o.Reset}
	switch {
	case o.Reset != nil:
	case o.Resize != nil:
		j.Resize = &[2]int{o.Resize.Cols, o.Resize.Rows}
	case o.Dump == Full:
		j.Dump = true
	case o.Dump != "":
		j.Dump = string(o.Dump)
	default:
		b := o.Write
		if b == nil {
			b = []byte{}
		}
		j.Write = &b
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads one line of a script. An object with none or several operations is an error.
func (o *Op) UnmarshalJSON(b []byte) error {
	var j opJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*o = Op{}
	n := 0
	if j.Reset != nil {
		o.Reset = j.Reset
		n++
	}
	if j.Write != nil {
		o.Write = *j.Write
		n++
	}
	if j.Resize != nil {
		o.Resize = &Size{Cols: j.Resize[0], Rows: j.Resize[1]}
		n++
	}
	switch v := j.Dump.(type) {
	case nil:
	case bool:
		if v {
			o.Dump = Full
		}
		n++
	case string:
		o.Dump = What(v)
		if o.Dump != Screen && o.Dump != Brief {
			return fmt.Errorf("screen: dump %q: want true, %q or %q", v, Screen, Brief)
		}
		n++
	default:
		return fmt.Errorf("screen: dump %v: want true, %q or %q", v, Screen, Brief)
	}
	if n != 1 {
		return fmt.Errorf("screen: %d operations in %s, want one", n, b)
	}
	return nil
}
