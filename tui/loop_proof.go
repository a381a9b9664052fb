package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
)

const (
	// For the answers of one part of a proof.
	proofTime = 2 * time.Second
	// Rows of one part: vterm of Emacs 28 drops what answers one read beyond 63 bytes.
	proofPart = 6
)

// What is wrong with a terminal in which a proof has failed.
const (
	silent = "the terminal does not say where its cursor is"
	strays = "the terminal draws it otherwise than it should"
)

// proof checks that a terminal shows the scene of the overlay on top as it was sent, where nobody
// has measured how it draws ([terminal.Caps].Unmeasured). Each frame that writes something is
// followed by one, and no other frame comes before its end. The rows of the overlay are written
// anew, with a request for the cursor behind each ([renderer.Renderer.Prove]): the answers have to
// lead down row by row, each in a column where the row may end. Otherwise it is done once more, and
// then it has failed, for as long as the overlay is shown. Answers are told apart by their order
// alone, so a proof begins only when none is owed.
type proof struct {
	of    *overlay // nil: none is under way, nor has ended
	state proofState
	wrote int             // [loop.wrote] when the screen was as it is proven, or being proven
	rows  int             // of the overlay: the last ones of the live region
	asked int             // of them
	ends  []renderer.Ends // of the last part
	first int             // grid row of the first answer
	got   int             // answers
	tries int
	until time.Time // when the answers count as lost
	why   string    // it has failed
	owed  int       // answers to come, also to proofs that were given up
}

type proofState uint8

const (
	noProof proofState = iota
	asksRows
	draining // the rest of the answers to one that has failed, before it is tried again
	proven
	refuted
)

// prover is what paints what is to be proven.
type prover interface {
	Prove(from, n int) ([]renderer.Ends, error)
}

// needsProof reports whether what the overlay on top shows counts only once it is proven.
func (l *loop) needsProof() bool {
	o := l.state.top()
	return l.caps.Unmeasured && l.term != nil && o != nil && o.stands.scene != ""
}

// unproven returns why the overlay on top cannot be believed to be shown as it should; "" while
// that is not known.
func (l *loop) unproven() string {
	if l.proof.of == nil || l.proof.of != l.state.top() {
		return ""
	}
	return l.proof.why
}

// believed reports whether nothing has to be proven, or has been since the last frame.
func (l *loop) believed() bool {
	return !l.needsProof() || l.proof.of == l.state.top() && l.proof.state == proven && l.proof.wrote == l.frames.wrote
}

// forgetProof gives a proof up: what it is about is gone, or may be. Its answers may still come.
func (l *loop) forgetProof() { l.proof = proof{owed: l.proof.owed} }

// check begins a proof of what the last frame has painted, if one is needed.
func (l *loop) check(now time.Time) {
	p, o := &l.proof, l.state.top()
	if p.of != nil && p.of != o {
		l.forgetProof()
	}
	if !l.needsProof() || l.believed() || p.state == refuted || l.gone != nil {
		return
	}
	p.of, p.rows, p.tries = o, o.stands.rows, 0
	if p.owed > 0 {
		l.refute(silent)
		return
	}
	l.prove(now, true)
}

// prove writes the next part of the rows, or the first one again.
func (l *loop) prove(now time.Time, again bool) {
	p := &l.proof
	if again {
		p.asked, p.got = 0, 0
		p.tries++
	}
	var out prover = l.out
	from := l.frames.seam.Live - p.rows
	if l.chrome.full != nil {
		out, from = l.chrome.full.screen, 0
	}
	n := min(proofPart, p.rows-p.asked)
	for range n {
		l.term.ExpectCursor()
	}
	ends, err := out.Prove(from+p.asked, n)
	if err != nil {
		l.gone = err
		return
	}
	p.asked += n
	p.owed += len(ends)
	p.ends, p.state, p.wrote, p.until = ends, asksRows, l.frames.wrote, now.Add(proofTime)
	if len(ends) < n || n == 0 { // there are no such rows
		l.refute(strays)
	}
}

// proved takes a cursor report, if one is owed to a proof.
func (l *loop) proved(ev terminal.CursorReport, now time.Time) bool {
	p := &l.proof
	if p.owed == 0 {
		return false
	}
	p.owed--
	switch p.state {
	case asksRows:
		if !p.fits(ev, l.rows) {
			p.state = draining
		} else if p.got++; p.got == p.asked && p.asked < p.rows {
			l.prove(now, false)
		} else if p.got == p.rows {
			p.state = proven
			l.want(ordinary, "proven")
		}
	}
	if p.state == draining && p.owed == 0 {
		if p.tries < 2 {
			l.prove(now, true)
		} else {
			l.refute(strays)
		}
	}
	return true
}

// fits reports whether ev is where the next answer should be, on a grid of so many rows.
func (p *proof) fits(ev terminal.CursorReport, rows int) bool {
	if p.got == 0 {
		p.first = ev.Row
	}
	ends := p.ends[p.got-(p.asked-len(p.ends))]
	return ev.Row == p.first+p.got && ev.Row < rows && ev.Col >= ends.First && ev.Col <= ends.Last
}

// refute ends a proof without success.
func (l *loop) refute(why string) {
	l.proof.state, l.proof.why = refuted, why
	l.touch()
	l.want(forced, "refuted")
}

// proving reports whether a proof holds the next frame, and until when at most.
func (l *loop) proving(now time.Time) (until time.Time, holds bool) {
	p := &l.proof
	if p.state != asksRows && p.state != draining {
		return time.Time{}, false
	}
	if p.of != l.state.top() {
		l.forgetProof()
		return time.Time{}, false
	}
	if now.Before(p.until) {
		return p.until, true
	}
	l.refute(silent)
	return time.Time{}, false
}
