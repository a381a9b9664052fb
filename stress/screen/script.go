package screen

import (
	"encoding/json"
	"fmt"
)

// Op is one operation of a script, which is one line of its file. Exactly one field must be set.
type Op struct {
	Reset  *Size
	Write  []byte // output of a program for the terminal
	Resize *Size  // new size; its Scrollback is not used
	Dump   What
}

// Size holds the size of a terminal in columns and rows, and its scrollback limit in rows.
type Size struct {
	Cols       int `json:"cols"`
	Rows       int `json:"rows"`
	Scrollback int `json:"scrollback"`
}

// What says which parts of a dump are wanted.
type What string

// The parts of a dump that a script can ask for.
const (
	Full   What = "full"
	Screen What = "screen" // everything but the scrollback
	Brief  What = "brief"  // without scrollback, grid and images: enough to read replies
)

type opJSON struct {
	Reset  *Size   `json:"reset,omitempty"`
	Write  *[]byte `json:"write,omitempty"`
	Resize *[2]int `json:"resize,omitempty"`
	Dump   any     `json:"dump,omitempty"`
}

// MarshalJSON returns the operation as a JSON object in one line.
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

// UnmarshalJSON reads one line of a script. It returns an error if the object has no operation or
// several.
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
