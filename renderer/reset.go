package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// ResetMode says how [Renderer.Reset] shows again what the terminal may have lost.
type ResetMode uint8

const (
	// Redraw prints the live rows again, whatever the terminal shows there. It changes nothing
	// else.
	Redraw ResetMode = iota
	// Append leaves everything where it is and starts a new copy of the session below. The caller
	// commits all rows again, from Base 0.
	Append
	// Rebuild erases the screen and the scrollback of the terminal, even from before the session,
	// and starts at the top. The caller commits all rows again, from Base 0. It becomes Redraw with
	// Config.Strict and in a multiplexer, whose scrollback holds other programs' text.
	Rebuild
)

// Reset prepares the next Render for m, and returns the mode that is used. After Append and Rebuild
// the caller has to commit every row again, from Base 0. Frames of at most 256 rows keep memory
// small.
func (r *Renderer) Reset(m ResetMode) (ResetMode, error) {
	if r.released {
		return Redraw, nil
	}
	if m == Rebuild && (r.config.Mux || r.config.Strict) {
		m = Redraw
	}
	switch m {
	case Append:
		if err := r.Release(false); err != nil {
			return m, err
		}
		r.forgetSession()
		r.Restart()
	case Rebuild:
		r.forgetSession()
		r.emit.beginFrame()
		// ED2 first: a terminal that archives the screen on ED2 would fill the history that ED3 has
		// just cleared. The only ED3 there is.
		r.emit.buf = append(r.emit.buf, ansi.Home+"\x1b[2J\x1b[3J"...)
		r.ledger.rebase(1, 0, 0)
		r.ledger.shown[0].reset()
		r.ledger.cursor, r.ledger.dirtyBelow = Pos{}, false
		r.untouched, r.resize.active = false, false
		return m, r.emit.flush(r.config.Out, r.config.Sync)
	default:
		for i := range r.ledger.shown {
			r.ledger.shown[i].known = false
		}
		r.ledger.dirtyBelow = true
	}
	return m, nil
}

// forgetSession starts the numbering of session rows anew.
func (r *Renderer) forgetSession() {
	r.history.truncate(0)
	r.pending.clear()
	r.ledger.origin, r.ledger.seam, r.ledger.immutable = 0, 0, 0
}
