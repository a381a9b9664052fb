package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// A Reader is a person looking at a terminal, perhaps scrolled up in its history. Output goes
// through Write, so that the view moves as the profile's does. It is not safe for concurrent use.
type Reader struct {
	*vt.Terminal
	jumps bool
	up    bool
	top   int // the first row in view, counted from the first row that the screen ever scrolled out
}

// Read returns a reader at the end of t's history, the way p moves its view.
func (p Profile) Read(t *vt.Terminal) *Reader { return &Reader{Terminal: t, jumps: p.OutputJumps} }

// Write feeds output to the terminal. A reader who has scrolled up keeps the same text in view, or
// is taken to the end.
func (r *Reader) Write(b []byte) (int, error) {
	n, err := r.Terminal.Write(b)
	if r.jumps && len(b) > 0 {
		r.up = false
	}
	return n, err
}

// ScrollUp moves the view n rows towards the oldest row, or towards the newest if n is below 0.
func (r *Reader) ScrollUp(n int) {
	end := r.Scrolled()
	if !r.up {
		r.top = end
	}
	r.top = max(r.top-n, end-r.ScrollbackLen())
	r.up = r.top < end
}

// Rows returns the text in view, top first.
func (r *Reader) Rows() []string {
	_, rows := r.Size()
	end, n := r.Scrolled(), r.ScrollbackLen()
	top := end
	if r.up {
		top = min(max(r.top, end-n), end) // rows that are gone cannot stay in view
	}
	var view []string
	for i := top - end; len(view) < rows; i++ {
		if i < 0 {
			view = append(view, r.ScrollbackRow(n+i).Text())
		} else {
			view = append(view, r.Row(i).Text())
		}
	}
	return view
}
