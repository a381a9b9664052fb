package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
)

const (
	// maximum time to wait for the answers to one part of a proof
	proofTimeout = 2 * time.Second
	// maximum number of rows in one part of a proof: vterm of Emacs 28 drops answers beyond 63
	// bytes for one read
	maxProofRows = 6
)

// Reasons for the failure of a proof.
const (
	noCursorReports = "the terminal does not say where its cursor is"
	wrongCursor     = "the terminal draws it otherwise than it should"
)

// proof checks that the terminal shows the scene of the topmost overlay as it was sent. It is
// needed for terminals whose drawing is unknown ([terminal.Caps].Unmeasured).
//
// A proof follows each frame that has written something, and delays the next frame. It writes the
// rows of the overlay again, and asks for the cursor after each ([renderer.Renderer.Prove]). The
// answers must go down row by row, each in a column where the row may end. If they do not, the
// proof is repeated once. After that it has failed for as long as the overlay is shown. Answers are
// recognized only by their order, so that a proof begins only while no other answer is expected.
type proof struct {
	overlay         *overlay // nil: no proof is in progress or done
	state           proofState
	provenAtWrite   int             // value of frames.writes when the proof was made
	rows            int             // number of rows to check, the last ones of the live region
	askedRows       int             // number of rows that were asked about
	ends            []renderer.Ends // the columns in which the rows of the last part may end
	firstRow        int             // grid row of the first answer
	receivedAnswers int             // number of answers that have arrived
	tries           int             // number of times the proof was started
	deadline        time.Time       // when missing answers count as lost
	failure         string          // the reason for the failure; "": it has not failed
	pendingAnswers  int             // number of answers to come, including those to cancelled proofs
}

// proofState is the progress of a proof.
type proofState uint8

const (
	noProof proofState = iota
	rowsAsked
	draining // waits for the remaining answers to a failed try before the next one
	proven
	refuted
)

// prover writes the rows of a proof to the terminal.
type prover interface {
	Prove(from, n int) ([]renderer.Ends, error)
}

// needsProof reports whether the topmost overlay counts as shown only after a proof.
func (l *loop) needsProof() bool {
	o := l.state.topOverlay()
	return l.caps.Unmeasured && l.term != nil && o != nil && o.scene.name != ""
}

// proofFailure returns the reason why the topmost overlay may not be shown as it should. It returns
// "" if none is known.
func (l *loop) proofFailure() string {
	if l.proof.overlay == nil || l.proof.overlay != l.state.topOverlay() {
		return ""
	}
	return l.proof.failure
}

// isProven reports whether the screen needs no proof, or was proven after the last frame.
func (l *loop) isProven() bool {
	return !l.needsProof() || l.proof.overlay == l.state.topOverlay() && l.proof.state == proven &&
		l.proof.provenAtWrite == l.frames.writes
}

// dropProof cancels the proof because its overlay may no longer be shown. Answers may still arrive.
func (l *loop) dropProof() { l.proof = proof{pendingAnswers: l.proof.pendingAnswers} }

// startProof begins a proof of the last frame if one is needed.
func (l *loop) startProof(now time.Time) {
	p, o := &l.proof, l.state.topOverlay()
	if p.overlay != nil && p.overlay != o {
		l.dropProof()
	}
	if !l.needsProof() || l.isProven() || p.state == refuted || l.fatalErr != nil {
		return
	}
	if l.measurement.awaitedReports > 0 && now.Before(l.measurement.deadline) {
		return // the last of its answers asks for the next frame
	}
	p.overlay, p.rows, p.tries = o, o.scene.rows, 0
	if p.pendingAnswers > 0 || l.measurement.awaitedReports > 0 {
		l.refute(noCursorReports)
		return
	}
	l.proveRows(now, true)
}

// proveRows writes the next rows of the proof. If restart is true it begins again with the first
// row.
func (l *loop) proveRows(now time.Time, restart bool) {
	p := &l.proof
	if restart {
		p.askedRows, p.receivedAnswers = 0, 0
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
	p.ends, p.state, p.provenAtWrite, p.deadline = ends, rowsAsked, l.frames.writes, now.Add(proofTimeout)
	if len(ends) < n || n == 0 { // there are no such rows
		l.refute(wrongCursor)
	}
}

// takeProofReport handles a cursor report as an answer to a proof. It returns false if no such
// answer is expected.
func (l *loop) takeProofReport(ev terminal.CursorReport, now time.Time) bool {
	p := &l.proof
	if p.pendingAnswers == 0 {
		return false
	}
	p.pendingAnswers--
	switch p.state {
	case rowsAsked:
		if !p.isExpectedReport(ev, l.rows) {
			p.state = draining
		} else if p.receivedAnswers++; p.receivedAnswers == p.askedRows && p.askedRows < p.rows {
			l.proveRows(now, false)
		} else if p.receivedAnswers == p.rows {
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

// isExpectedReport reports whether the position in ev is right for the next answer of the proof.
// rows is the height of the grid.
func (p *proof) isExpectedReport(ev terminal.CursorReport, rows int) bool {
	if p.receivedAnswers == 0 {
		p.firstRow = ev.Row
	}
	ends := p.ends[p.receivedAnswers-(p.askedRows-len(p.ends))]
	return ev.Row == p.firstRow+p.receivedAnswers && ev.Row < rows && ev.Col >= ends.First && ev.Col <= ends.Last
}

// refute ends a proof as failed for the given reason.
func (l *loop) refute(reason string) {
	l.proof.state, l.proof.failure = refuted, reason
	l.markAllDirty()
	l.requestFrame(forced, "refuted")
}

// holdForProof reports in holds whether a running proof delays the next frame, and until when at
// most.
func (l *loop) holdForProof(now time.Time) (until time.Time, holds bool) {
	p := &l.proof
	if p.state != rowsAsked && p.state != draining {
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
