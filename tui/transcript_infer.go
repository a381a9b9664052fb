package tui

import (
	"encoding/binary"
	"hash/maphash"
)

// The parameters of Infer, in views of the component.
const (
	inferTail  = 2 // the last rows may always change: a line that grows, a status below it
	inferClean = 8 // views without a rewrite before growth alone is trusted again
	// views for which a row has to stay the same before it is trusted although rows below it change
	inferWindow = 16
)

// Infer wraps c for a transcript and guesses which rows are final, for components that cannot tell
// ([View].Stable). A wrong guess costs a copy: rows that were committed stay in history and are
// written again, after a mark, once they are final ([Block.Rewind]). A component that knows is
// better.
//
// A block that only grows commits all but its last rows. A rewrite above them suspends that for
// some views. Rows that have stayed the same for a longer time are committed although those below
// them change. If a row changes after it was taken for final, the guess is taken back, and no row
// from there on is guessed again.
func Infer(c Component) Component {
	return &inferred{Component: c, seed: maphash.MakeSeed(), noGuessFrom: -1}
}

// inferred is a component with a guess.
type inferred struct {
	Component
	block       *Block
	seed        maphash.Seed
	lastSpace   Space
	rows        []uint64 // hashes of the last view
	age         []int    // the number of views for which each row has stayed the same
	stable      int      // rows taken for final
	noGuessFrom int      // row from which on nothing is taken for final; -1: none
	untrusted   int      // views without a rewrite until growth is trusted
}

// setBlock sets the block in which the guess may be taken back.
func (inf *inferred) setBlock(b *Block) { inf.block = b }

// HandleEvent gives the event to the component.
func (inf *inferred) HandleEvent(ev Event, s Space) bool {
	h, ok := inf.Component.(EventHandler)
	return ok && h.HandleEvent(ev, s)
}

// View returns the view of the component with a guessed Stable.
func (inf *inferred) View(s Space) View {
	v := inf.Component.View(s)
	now := make([]uint64, len(v.Lines))
	for i, l := range v.Lines {
		now[i] = inf.hash(l)
	}
	if s.Width != inf.lastSpace.Width || s.From != inf.lastSpace.From { // a layout anew: no row can be compared
		inf.rows, inf.age, inf.stable = nil, nil, 0
		if inf.noGuessFrom >= 0 {
			inf.noGuessFrom = 0
		}
	}
	inf.lastSpace = s
	inf.observe(now)
	v.Stable = min(max(v.Stable, inf.stable), len(v.Lines))
	return v
}

// observe compares the rows with those of the last view and guesses.
func (inf *inferred) observe(now []uint64) {
	old := inf.rows
	same := 0 // leading rows that stand as they were
	for same < len(old) && same < len(now) && old[same] == now[same] {
		same++
	}
	inf.moveFloor(old, now, same)
	inf.rows = now
	for i := range inf.age {
		if inf.age[i]++; i >= same {
			inf.age = inf.age[:same]
			break
		}
	}
	for len(inf.age) < len(now) {
		inf.age = append(inf.age, 0)
	}
	if same < inf.stable { // taken for final, and changed
		inf.stable, inf.noGuessFrom, inf.untrusted = same, same, inferClean
		if inf.block != nil {
			inf.block.Rewind(same)
		}
		return
	}
	if same < len(old)-inferTail {
		inf.untrusted = inferClean
	} else if inf.untrusted > 0 {
		inf.untrusted--
	}
	to := 0
	for to < len(now) && inf.age[to] >= inferWindow {
		to++
	}
	if inf.untrusted == 0 {
		to = max(to, min(same, len(now)-inferTail))
	}
	if inf.noGuessFrom >= 0 {
		to = min(to, inf.noGuessFrom)
	}
	inf.stable = max(inf.stable, to)
}

// moveFloor moves noGuessFrom down by the rows that were inserted above it.
func (inf *inferred) moveFloor(old, now []uint64, same int) {
	k := len(now) - len(old)
	if inf.noGuessFrom < 0 || k <= 0 || same >= inf.noGuessFrom {
		return
	}
	for i := same; i < len(old); i++ {
		if old[i] != now[i+k] {
			return
		}
	}
	inf.noGuessFrom += k
}

// hash returns a hash of the visible part of l.
func (inf *inferred) hash(l Line) uint64 {
	var h maphash.Hash
	h.SetSeed(inf.seed)
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
