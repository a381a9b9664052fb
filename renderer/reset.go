package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// ResetMode says how to show a picture again that can no longer be trusted, or a whole session.
// Each is a gesture of the user or a setting.
type ResetMode uint8

const (
	// Redraw paints the live rows again, whatever is believed to stand there. It touches nothing
	// else.
	Redraw ResetMode = iota
	// Append leaves everything where it is and starts a new copy of the session below: the caller
	// hands over all rows again, from Base 0.
	Append
	// Rebuild erases the screen and the saved lines of the terminal, even those from before the
	// session, and starts at the top: the caller hands over all rows again, from Base 0. It becomes
	// Redraw in a multiplexer, whose history is not ours, and with Config.Strict.
	Rebuild
)

// Reset prepares the next Render for m and returns the mode that it will use. After Append and
// Rebuild every row has to be committed again, from Base 0. At most 256 of them in a frame keep
// memory small.
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

// forgetSession starts a new count of session rows.
func (r *Renderer) forgetSession() {
	r.history.truncate(0)
	r.pending.clear()
	r.ledger.origin, r.ledger.seam, r.ledger.immutable = 0, 0, 0
}
