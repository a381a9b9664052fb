package tui

import (
	"encoding/binary"
	"hash/maphash"
)

// The measures of Infer, in views of the component.
const (
	inferTail   = 2  // last rows that may always change: a line that grows, a status below it
	inferClean  = 8  // views without a rewrite before growth alone is trusted again
	inferWindow = 16 // views for which a row has to stand before it is trusted although rows below it change
)

// Infer returns c for a transcript, with a guess at what is final, for components that cannot say
// it ([View].Stable). A wrong guess costs a copy: what was committed stays in history and is
// written again, marked, once it is final ([Block.Rewind]). Better is a component that knows.
//
// The rules: a block that only grows commits all but its last rows. A rewrite above them suspends
// that for some views. Rows that have stood for a longer while commit although those below them
// change. A row that changes after it was taken for final takes the guess back, and from there on
// nothing is guessed any more.
func Infer(c Component) Component {
	return &inferred{Component: c, seed: maphash.MakeSeed(), floor: -1}
}

// inferred is a component with a guess.
type inferred struct {
	Component
	block  *Block
	seed   maphash.Seed
	at     Space
	rows   []uint64 // hashes of the last view
	age    []int    // views for which each row has stood
	stable int      // rows taken for final
	floor  int      // row from which on nothing is taken for final; -1: none
	wait   int      // clean views until growth is trusted
}

// bind tells where the guess may be taken back.
func (n *inferred) bind(b *Block) { n.block = b }

// HandleEvent gives the event to the component.
func (n *inferred) HandleEvent(ev Event, s Space) bool {
	h, ok := n.Component.(EventHandler)
	return ok && h.HandleEvent(ev, s)
}

// View returns the component's, with Stable.
func (n *inferred) View(s Space) View {
	v := n.Component.View(s)
	now := make([]uint64, len(v.Lines))
	for i, l := range v.Lines {
		now[i] = n.hash(l)
	}
	if s.Width != n.at.Width || s.From != n.at.From { // a layout anew: no row can be compared
		n.rows, n.age, n.stable = nil, nil, 0
		if n.floor >= 0 {
			n.floor = 0
		}
	}
	n.at = s
	n.observe(now)
	v.Stable = min(max(v.Stable, n.stable), len(v.Lines))
	return v
}

// observe compares the rows with the last view's and guesses.
func (n *inferred) observe(now []uint64) {
	old := n.rows
	same := 0 // leading rows that stand as they were
	for same < len(old) && same < len(now) && old[same] == now[same] {
		same++
	}
	n.follow(old, now, same)
	n.rows = now
	for i := range n.age {
		if n.age[i]++; i >= same {
			n.age = n.age[:same]
			break
		}
	}
	for len(n.age) < len(now) {
		n.age = append(n.age, 0)
	}
	if same < n.stable { // taken for final, and changed
		n.stable, n.floor, n.wait = same, same, inferClean
		if n.block != nil {
			n.block.Rewind(same)
		}
		return
	}
	if same < len(old)-inferTail {
		n.wait = inferClean
	} else if n.wait > 0 {
		n.wait--
	}
	to := 0
	for to < len(now) && n.age[to] >= inferWindow {
		to++
	}
	if n.wait == 0 {
		to = max(to, min(same, len(now)-inferTail))
	}
	if n.floor >= 0 {
		to = min(to, n.floor)
	}
	n.stable = max(n.stable, to)
}

// follow moves the floor with rows that were inserted above it.
func (n *inferred) follow(old, now []uint64, same int) {
	k := len(now) - len(old)
	if n.floor < 0 || k <= 0 || same >= n.floor {
		return
	}
	for i := same; i < len(old); i++ {
		if old[i] != now[i+k] {
			return
		}
	}
	n.floor += k
}

// hash returns a hash of what is seen of l.
func (n *inferred) hash(l Line) uint64 {
	var h maphash.Hash
	h.SetSeed(n.seed)
	var b [10]byte
	for _, s := range l.Spans {
		h.WriteString(s.Text)
		binary.LittleEndian.PutUint32(b[:], uint32(s.Style.Fg))
		binary.LittleEndian.PutUint32(b[4:], uint32(s.Style.Bg))
		binary.LittleEndian.PutUint16(b[8:], uint16(s.Style.Attr))
		h.Write(b[:])
	}
	return h.Sum64()
}
