// Package renderer turns frames into bytes that never touch a row of the terminal's history.
package renderer

import (
	"io"
)

// Config is fixed for the life of a Renderer. The zero value of each field is a safe choice.
type Config struct {
	Out        io.Writer // takes one Write a frame
	Cols, Rows int
	Sync       bool // DEC 2026 brackets are known to work
	Mux        bool // inside tmux or screen
}

// Renderer is the ledger, the planner and the emitter of one session on one terminal. Not safe for concurrent use.
type Renderer struct{ c Config }

// New returns a Renderer that starts inline, on the row where the cursor is.
func New(c Config) *Renderer { return &Renderer{c: c} }

// Render shows f with at most one Write; none if the terminal shows it already.
func (r *Renderer) Render(f Frame) (Seam, error) { return Seam{}, nil }

// Resize says that the terminal has a new size. Until [Renderer.Anchor] or [Renderer.Predict] nothing may be rendered.
func (r *Renderer) Resize(cols, rows int) {}

// Ask writes a tagged cursor position request; its answer is given to Anchor. To be called when the size has settled.
func (r *Renderer) Ask() error { return nil }

// Anchor takes a cursor report (0-based); false: it does not answer the last Ask.
func (r *Renderer) Anchor(col, row int) bool { return false }

// Predict goes on without a report.
func (r *Renderer) Predict() {}

// Restart begins anew, inline, where the cursor is: after a suspend or a hand-over. What was final stays so.
func (r *Renderer) Restart() {}

// Release ends the session: the live region is erased, or, with keep, left behind as text. The cursor stands in column 0 after it.
func (r *Renderer) Release(keep bool) error { return nil }
