package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// ResetMode is how a picture that can no longer be trusted, or a whole session, is shown anew. Each
// is a gesture of the user or a setting.
type ResetMode uint8

const (
	// Redraw paints the live rows again, whatever is believed to stand there. Nothing else is
	// touched.
	Redraw ResetMode = iota
	// Append leaves everything where it is and begins a new copy of the session below: the caller
	// hands over all rows again, from Base 0.
	Append
	// Rebuild erases the screen and the terminal's saved lines, those from before the session too,
	// and begins at the top: the caller hands over all rows again, from Base 0. Never in a
	// multiplexer, whose history is not ours, and never with Config.Strict: it redraws there.
	Rebuild
)

// Reset prepares the next Render for m and returns the mode that will be carried out. After Append
// and Rebuild every row has to be committed again, from Base 0; at most 256 of them in a frame keep
// memory small.
func (r *Renderer) Reset(m ResetMode) (ResetMode, error) {
	if r.idle {
		return Redraw, nil
	}
	if m == Rebuild && (r.c.Mux || r.c.Strict) {
		m = Redraw
	}
	switch m {
	case Append:
		if err := r.Release(false); err != nil {
			return m, err
		}
		r.forget()
		r.Restart()
	case Rebuild:
		r.forget()
		r.e.begin()
		// ED2 first: a terminal that archives the screen on ED2 would fill the history that ED3 has
		// just cleared. The only ED3 there is.
		r.e.buf = append(r.e.buf, ansi.Home+"\x1b[2J\x1b[3J"...)
		r.l.rebase(1, 0, 0)
		r.l.shown[0].reset()
		r.l.cur, r.l.dirty = Pos{}, false
		r.fresh, r.resize.on = false, false
		return m, r.e.flush(r.c.Out, r.c.Sync)
	default:
		for i := range r.l.shown {
			r.l.shown[i].known = false
		}
		r.l.dirty = true
	}
	return m, nil
}

// forget begins a new account of session rows.
func (r *Renderer) forget() {
	r.history.cut(0)
	r.pending.clear()
	r.l.origin, r.l.b, r.l.c = 0, 0, 0
}
