package stress

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A run is text that a frame prints in one go, without blanks and doubtful clusters.
type run struct {
	text  string
	lifts bool // rows are inserted after it
	drops bool // a move down comes after it, which stops at the last row of the grid
}

// runs are those of p, in their order. Moves and line ends part them.
func runs(p []byte) []run {
	out := []run{{}}
	for part := false; len(p) > 0; {
		n := flicker.Token(p)
		t := string(p[:n])
		last := &out[len(out)-1]
		switch p = p[n:]; {
		case t[0] >= 0x20:
			if part {
				out = append(out, run{})
				last, part = &out[len(out)-1], false
			}
			last.text += squeeze(t)
		case strings.HasSuffix(t, "m"), strings.HasPrefix(t, "\x1b]"), t == "\x1b[K":
		case t[len(t)-1] == 'L':
			for i := range out {
				out[i].lifts = true
			}
			part = true
		default:
			last.drops = last.drops || t[len(t)-1] == 'B'
			part = true
		}
	}
	return out
}

// takeRun returns the first of rs that is line, and those behind it; nil if none is. A row that the terminal's own wrap leads to may begin with the last cluster
// of the one before.
func takeRun(rs []run, line string, joined bool, m width.Model) (*run, []run) {
	for i := range rs {
		text := rs[i].text
		if _, rest, _ := m.Next(text); text == line || joined && rest == line {
			return &rs[i], rs[i+1:]
		}
	}
	return nil, rs
}
