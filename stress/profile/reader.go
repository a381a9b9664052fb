package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// Reader represents a user who looks at a terminal and may have scrolled up in its history. Output
// has to go through [Reader.Write], so that the view moves as in the profile's terminal. A Reader
// is not safe for concurrent use.
type Reader struct {
	*vt.Terminal
	jumps bool
	up    bool
	top   int // number of the first row in view, counted from the first row that ever went into history
}

// Read returns a Reader for terminal t. Its view is at the end of the history, and moves as p says.
func (p Profile) Read(t *vt.Terminal) *Reader { return &Reader{Terminal: t, jumps: p.OutputJumps} }

// Write feeds output to the terminal. If the user has scrolled up, the same text stays in view, or
// the view jumps to the end.
func (r *Reader) Write(b []byte) (int, error) {
	n, err := r.Terminal.Write(b)
	if r.jumps && len(b) > 0 {
		r.up = false
	}
	return n, err
}

// ScrollUp moves the view n rows towards the oldest row, or towards the newest one if n is
// negative.
func (r *Reader) ScrollUp(n int) {
	end := r.Scrolled()
	if !r.up {
		r.top = end
	}
	r.top = max(r.top-n, end-r.ScrollbackLen())
	r.up = r.top < end
}

// Rows returns the texts of the rows in view, the top one first.
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
