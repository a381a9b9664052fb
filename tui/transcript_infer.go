package tui

import (
	"encoding/binary"
	"hash/maphash"
)

// Parameters of Infer. A view is one call of the component's View.
const (
	inferTailRows = 2 // number of rows at the end that may always change: a growing line, and a status below it
	// number of views without a change of earlier rows after which growth alone is trusted again
	inferCleanViews = 8
	// number of views for which a row must stay the same to count as final although rows below it
	// change
	inferSameViews = 16
)

// Infer wraps c, a component that cannot say which of its rows are final ([View].Stable), and
// guesses that. A wrong guess costs a duplicate: rows that are already in history stay there and
// are written again, below a mark, once they are final ([Block.Rewind]). A component that sets
// Stable itself is better.
//
// While a component only grows, all rows but the last few count as final. A change further up
// suspends that for some views. Rows that have not changed for a longer time count as final even if
// rows below them change. If a row changes that was taken for final, Infer makes no more guesses
// for that row and those behind it.
func Infer(c Component) Component {
	return &inferred{Component: c, seed: maphash.MakeSeed(), noGuessFrom: -1}
}

// inferred is a component whose final rows are guessed, see Infer.
type inferred struct {
	Component
	block          *Block
	seed           maphash.Seed
	lastSpace      Space
	rows           []uint64 // hashes of the rows of the last view
	sameViews      []int    // for each row: the number of views for which it has not changed
	stable         int      // number of rows that count as final
	noGuessFrom    int      // index of the row from which on no guesses are made; -1: none
	untrustedViews int      // number of further views without a change after which growth is trusted again
}

// setBlock sets the block whose rows a wrong guess rewinds.
func (inf *inferred) setBlock(b *Block) { inf.block = b }

// HandleEvent passes the event to the component.
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
		inf.rows, inf.sameViews, inf.stable = nil, nil, 0
		if inf.noGuessFrom >= 0 {
			inf.noGuessFrom = 0
		}
	}
	inf.lastSpace = s
	inf.observe(now)
	v.Stable = min(max(v.Stable, inf.stable), len(v.Lines))
	return v
}

// observe compares the hashes now of the rows with those of the last view, and updates the guess.
func (inf *inferred) observe(now []uint64) {
	old := inf.rows
	same := 0 // leading rows that stand as they were
	for same < len(old) && same < len(now) && old[same] == now[same] {
		same++
	}
	inf.shiftNoGuess(old, now, same)
	inf.rows = now
	for i := range inf.sameViews {
		if inf.sameViews[i]++; i >= same {
			inf.sameViews = inf.sameViews[:same]
			break
		}
	}
	for len(inf.sameViews) < len(now) {
		inf.sameViews = append(inf.sameViews, 0)
	}
	if same < inf.stable { // taken for final, and changed
		inf.stable, inf.noGuessFrom, inf.untrustedViews = same, same, inferCleanViews
		if inf.block != nil {
			inf.block.Rewind(same)
		}
		return
	}
	if same < len(old)-inferTailRows {
		inf.untrustedViews = inferCleanViews
	} else if inf.untrustedViews > 0 {
		inf.untrustedViews--
	}
	to := 0
	for to < len(now) && inf.sameViews[to] >= inferSameViews {
		to++
	}
	if inf.untrustedViews == 0 {
		to = max(to, min(same, len(now)-inferTailRows))
	}
	if inf.noGuessFrom >= 0 {
		to = min(to, inf.noGuessFrom)
	}
	inf.stable = max(inf.stable, to)
}

// shiftNoGuess moves noGuessFrom down by the number of rows that were inserted above it. same is
// the number of equal rows at the start.
func (inf *inferred) shiftNoGuess(old, now []uint64, same int) {
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

// hash returns a hash of the text and styles of l.
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
