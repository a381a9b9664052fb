package widget

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// spinInterval is the time of one picture of a spinner.
const spinInterval = 80 * time.Millisecond

// Spinner is one row that moves during work whose end is not known. Text is for the loop. End may
// be called on any goroutine, and makes the row a final one. A Spinner is not copied.
type Spinner struct {
	Text string
	Hint string // after the time

	end          ending
	began, ended time.Time
}

// End stops it: the row shows how long the work took, or err. The first call counts.
func (sp *Spinner) End(err error) { sp.end.set(err) }

// View returns one row. In a transcript the last one is as long as its text.
func (sp *Spinner) View(s tui.Space) tui.View {
	th := s.Look()
	if sp.began.IsZero() {
		sp.began = s.Now
	}
	err, ended := sp.end.get()
	if ended && sp.ended.IsZero() {
		sp.ended = s.Now
	}
	switch {
	case ended && err != nil:
		return tui.View{Lines: finalRows(s, []tui.Span{{Text: th.Glyphs.No + " ", Style: th.Error}, {Text: sp.Text},
			{Text: "  " + err.Error(), Style: th.Error}})}
	case ended:
		elapsedText := ""
		if d := sp.ended.Sub(sp.began); d >= time.Second {
			elapsedText = "  " + tui.Elapsed(d)
		}
		return tui.View{Lines: finalRows(s, []tui.Span{{Text: th.Glyphs.Yes + " ", Style: th.Added}, {Text: sp.Text},
			{Text: elapsedText, Style: th.Dim}})}
	}
	glyph, refreshAfter := spinnerGlyph(th, s.Now)
	run := max(s.Now.Sub(sp.began), 0)
	if refreshAfter <= 0 {
		refreshAfter = time.Second - run%time.Second
	}
	note := "  " + tui.Elapsed(run)
	if sp.Hint != "" {
		note += " " + th.Glyphs.Dot + " " + sp.Hint
	}
	return tui.View{RefreshAfter: refreshAfter, Lines: []tui.Line{s.Cut(tui.Span{Text: glyph + " ", Style: th.Accent},
		tui.Span{Text: sp.Text}, tui.Span{Text: note, Style: th.Dim})}}
}

// spinnerGlyph returns the picture of a spinner, and for how long; 0: for ever.
func spinnerGlyph(th *tui.Theme, now time.Time) (glyph string, refreshAfter time.Duration) {
	frames := th.Glyphs.Spinner
	if len(frames) == 0 {
		return th.Glyphs.Dot, 0
	}
	if len(frames) == 1 {
		return frames[0], 0
	}
	n := int(now.UnixMilli()/spinInterval.Milliseconds()) % len(frames)
	return frames[max(n, 0)], spinInterval - now.Sub(now.Truncate(spinInterval))
}
