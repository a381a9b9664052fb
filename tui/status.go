package tui

import (
	"strconv"
	"time"
)

// spinnerInterval is the time for which a spinner shows each of its glyphs.
const spinnerInterval = 80 * time.Millisecond

// Status is one row that reports work in progress: a spinner, Text, the elapsed time, and Hint. It
// has no rows while Text is empty.
type Status struct {
	Text, Hint string
	Since      time.Time // start of the elapsed time; zero: no time is shown
	Still      bool      // hides the spinner

	rows [1]Line
}

// View returns one row, or none. It leaves the last columns free, so that a narrower terminal does
// not wrap the row.
func (st *Status) View(s Space) View {
	if st.Text == "" {
		return View{}
	}
	th := s.Look()
	var v View
	var storage [4]Span
	spans := storage[:0]
	if frames := th.Glyphs.Spinner; !st.Still && len(frames) > 0 {
		n := int(s.Now.UnixMilli()/spinnerInterval.Milliseconds()) % len(frames)
		spans = append(spans, Span{Text: frames[max(n, 0)] + " ", Style: th.Accent})
		if len(frames) > 1 {
			v.RefreshAfter = spinnerInterval - s.Now.Sub(s.Now.Truncate(spinnerInterval))
		}
	}
	text := st.Text
	if !st.Since.IsZero() {
		run := max(s.Now.Sub(st.Since), 0)
		text += " " + Elapsed(run)
		if v.RefreshAfter == 0 {
			v.RefreshAfter = time.Second - run%time.Second
		}
	}
	spans = append(spans, Span{Text: text})
	if st.Hint != "" {
		spans = append(spans, Span{Text: " " + th.Glyphs.Dot + " " + st.Hint, Style: th.Dim})
	}
	s.Width = max(s.Width-2, 1)
	st.rows[0] = s.Cut(spans...)
	v.Lines = st.rows[:]
	return v
}

// Elapsed formats d for display: "12 s", "3 min 5 s", "2 h 3 min".
func Elapsed(d time.Duration) string {
	n := int(d / time.Second)
	switch {
	case n < 60:
		return strconv.Itoa(n) + " s"
	case n < 3600:
		return strconv.Itoa(n/60) + " min " + strconv.Itoa(n%60) + " s"
	}
	return strconv.Itoa(n/3600) + " h " + strconv.Itoa(n/60%60) + " min"
}
