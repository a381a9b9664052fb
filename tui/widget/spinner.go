package widget

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// spinInterval is the time for which a spinner shows each of its glyphs.
const spinInterval = 80 * time.Millisecond

// Spinner is an animated row for work of unknown length. Access Text and Hint only on the App's
// loop. End may be called on any goroutine and makes the row final. Do not copy a Spinner.
type Spinner struct {
	Text string
	Hint string // text behind the elapsed time

	end                endState
	startedAt, endedAt time.Time
}

// End reports that the work has ended. The row then shows the elapsed time, or err if it is not
// nil. Only the first call counts.
func (sp *Spinner) End(err error) { sp.end.end(err) }

// View returns the row. In a transcript the final row is not cut.
func (sp *Spinner) View(s tui.Space) tui.View {
	th := s.Look()
	if sp.startedAt.IsZero() {
		sp.startedAt = s.Now
	}
	err, ended := sp.end.result()
	if ended && sp.endedAt.IsZero() {
		sp.endedAt = s.Now
	}
	switch {
	case ended && err != nil:
		return tui.View{Lines: finalRows(s, []tui.Span{{Text: th.Glyphs.No + " ", Style: th.Error}, {Text: sp.Text},
			{Text: "  " + err.Error(), Style: th.Error}})}
	case ended:
		elapsedText := ""
		if d := sp.endedAt.Sub(sp.startedAt); d >= time.Second {
			elapsedText = "  " + tui.Elapsed(d)
		}
		return tui.View{Lines: finalRows(s, []tui.Span{{Text: th.Glyphs.Yes + " ", Style: th.Added}, {Text: sp.Text},
			{Text: elapsedText, Style: th.Dim}})}
	}
	glyph, refreshAfter := spinnerGlyph(th, s.Now)
	run := max(s.Now.Sub(sp.startedAt), 0)
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

// spinnerGlyph returns the spinner's glyph at the time now, and the time until the next one. The
// time is 0 if the glyph never changes.
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
