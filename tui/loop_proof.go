package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
)

const (
	// For the answers of one part of a proof.
	proofTime = 2 * time.Second
	// Rows of one part: vterm of Emacs 28 drops answers to one read beyond 63 bytes.
	maxProofRows = 6
)

// Reasons why a proof has failed.
const (
	noCursorReports = "the terminal does not say where its cursor is"
	wrongCursor     = "the terminal draws it otherwise than it should"
)

// proof checks that a terminal shows the scene of the overlay on top as it was sent, if nobody has
// measured how it draws ([terminal.Caps].Unmeasured).
//
// A proof follows each frame that writes something, and no other frame comes before its end. The
// rows of the overlay are written again, with a request for the cursor after each
// ([renderer.Renderer.Prove]). The answers have to lead down row by row, each in a column where the
// row may end. If they do not, the proof is repeated once. Then it has failed for as long as the
// overlay is shown. Only their order tells answers apart, so that a proof begins when no answers
// are pending.
type proof struct {
	overlay        *overlay // nil: there is no proof
	state          proofState
	atWrite        int             // frames.writes when the screen was as it is proven
	rows           int             // of the overlay: the last ones of the live region
	askedRows      int             // rows that were asked about
	ends           []renderer.Ends // of the last part
	firstRow       int             // grid row of the first answer
	answers        int             // that have come
	tries          int
	deadline       time.Time // when the answers count as lost
	failure        string    // the reason why it has failed
	pendingAnswers int       // answers to come, even to proofs that were given up
}

// proofState is the progress of a proof.
type proofState uint8

const (
	noProof proofState = iota
	asksRows
	draining // waits for the other answers to a failed try, before the next one
	proven
	refuted
)

// prover paints the rows of a proof.
type prover interface {
	Prove(from, n int) ([]renderer.Ends, error)
}

// needsProof reports whether the overlay on top counts as shown only once that is proven.
func (l *loop) needsProof() bool {
	o := l.state.topOverlay()
	return l.caps.Unmeasured && l.term != nil && o != nil && o.scene.name != ""
}

// proofFailure returns why the overlay on top may not be shown as it should, "" if nothing is known
// against it.
func (l *loop) proofFailure() string {
	if l.proof.overlay == nil || l.proof.overlay != l.state.topOverlay() {
		return ""
	}
	return l.proof.failure
}

// isProven reports whether the screen needs no proof, or has been proven since the last frame.
func (l *loop) isProven() bool {
	return !l.needsProof() || l.proof.overlay == l.state.topOverlay() && l.proof.state == proven &&
		l.proof.atWrite == l.frames.writes
}

// dropProof drops the proof: its overlay is gone, or may be. Answers may still come.
func (l *loop) dropProof() { l.proof = proof{pendingAnswers: l.proof.pendingAnswers} }

// startProof begins a proof of the last frame, if one is needed.
func (l *loop) startProof(now time.Time) {
	p, o := &l.proof, l.state.topOverlay()
	if p.overlay != nil && p.overlay != o {
		l.dropProof()
	}
	if !l.needsProof() || l.isProven() || p.state == refuted || l.fatalErr != nil {
		return
	}
	if l.measurement.awaited > 0 && now.Before(l.measurement.deadline) {
		return // the last of its answers asks for the next frame
	}
	p.overlay, p.rows, p.tries = o, o.scene.rows, 0
	if p.pendingAnswers > 0 || l.measurement.awaited > 0 {
		l.refute(noCursorReports)
		return
	}
	l.proveRows(now, true)
}

// proveRows writes the next part of the rows, or with restart the first one again.
func (l *loop) proveRows(now time.Time, restart bool) {
	p := &l.proof
	if restart {
		p.askedRows, p.answers = 0, 0
		p.tries++
	}
	var out prover = l.canvas
	from := l.frames.seam.Live - p.rows
	if l.chrome.fullScreen != nil {
		out, from = l.chrome.fullScreen.screen, 0
		if !p.overlay.place.Full {
			from = l.rows - p.rows // a layer
		}
	}
	n := min(maxProofRows, p.rows-p.askedRows)
	for range n {
		l.term.ExpectCursor()
	}
	ends, err := out.Prove(from+p.askedRows, n)
	if err != nil {
		l.fatalErr = err
		return
	}
	p.askedRows += n
	p.pendingAnswers += len(ends)
	p.ends, p.state, p.atWrite, p.deadline = ends, asksRows, l.frames.writes, now.Add(proofTime)
	if len(ends) < n || n == 0 { // there are no such rows
		l.refute(wrongCursor)
	}
}

// takeProofReport takes a cursor report as an answer to the check of what the terminal shows, see
// proof. It returns false if no such answer is awaited.
func (l *loop) takeProofReport(ev terminal.CursorReport, now time.Time) bool {
	p := &l.proof
	if p.pendingAnswers == 0 {
		return false
	}
	p.pendingAnswers--
	switch p.state {
	case asksRows:
		if !p.isExpectedReport(ev, l.rows) {
			p.state = draining
		} else if p.answers++; p.answers == p.askedRows && p.askedRows < p.rows {
			l.proveRows(now, false)
		} else if p.answers == p.rows {
			p.state = proven
			l.requestFrame(ordinary, "proven")
		}
	}
	if p.state == draining && p.pendingAnswers == 0 {
		if p.tries < 2 {
			l.proveRows(now, true)
		} else {
			l.refute(wrongCursor)
		}
	}
	return true
}

// isExpectedReport reports whether ev names the position at which the next answer of the proof must
// be. rows is the height of the grid.
func (p *proof) isExpectedReport(ev terminal.CursorReport, rows int) bool {
	if p.answers == 0 {
		p.firstRow = ev.Row
	}
	ends := p.ends[p.answers-(p.askedRows-len(p.ends))]
	return ev.Row == p.firstRow+p.answers && ev.Row < rows && ev.Col >= ends.First && ev.Col <= ends.Last
}

// refute ends a proof without success.
func (l *loop) refute(reason string) {
	l.proof.state, l.proof.failure = refuted, reason
	l.markAllDirty()
	l.requestFrame(forced, "refuted")
}

// holdForProof reports whether a proof holds the next frame back, and until when at most.
func (l *loop) holdForProof(now time.Time) (until time.Time, holds bool) {
	p := &l.proof
	if p.state != asksRows && p.state != draining {
		return time.Time{}, false
	}
	if p.overlay != l.state.topOverlay() {
		l.dropProof()
		return time.Time{}, false
	}
	if now.Before(p.deadline) {
		return p.deadline, true
	}
	l.refute(noCursorReports)
	return time.Time{}, false
}
