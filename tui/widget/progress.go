package widget

import (
	"io"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Progress is one row that shows the progress of some work: a bar, the amount done, the rate, and
// the remaining time. Several of them can stand below one another, each as a block of the
// transcript. When the work has ended the row becomes history; [Each] does all of this.
//
// The zero value counts items of an unknown total. Add, SetTotal, Reader, Writer, Percent and End
// may be called on any goroutine. Set the fields before the first use. Do not copy a Progress.
type Progress struct {
	Title string
	Total int64 // the total amount of work, in items or bytes; 0: unknown, or see SetTotal
	Bytes bool  // the amounts are bytes instead of items; Reader and Writer imply it

	// Reader or Writer was called
	bytes       atomic.Bool
	done, total atomic.Int64 // the amounts set by Add and SetTotal
	end         endState

	startedAt, endedAt time.Time // times of the first View, and of the first View after End, by Space.Now
	samples            []sample
}

// sample is the amount done at one moment.
type sample struct {
	at   time.Time
	done int64
}

const (
	// refreshInterval is the time between two samples, and between two frames without a spinner.
	refreshInterval = 100 * time.Millisecond
	// rateWindow is the length of the recent time over which the rate is measured.
	rateWindow = 5 * time.Second
	// minRateTime is the minimum time between the first and the last sample for a rate to be shown.
	minRateTime  = time.Second / 2
	maxShownTime = 100 * time.Hour // maxShownTime is the longest remaining time that is shown.
)

// endState records how some work has ended. It may be used on any goroutine.
type endState struct{ err atomic.Pointer[error] }

// end records that the work has ended with err, or nil for success. Only the first call counts.
func (e *endState) end(err error) { e.err.CompareAndSwap(nil, &err) }

// result returns whether the work has ended, and its error.
func (e *endState) result() (err error, ended bool) {
	if p := e.err.Load(); p != nil {
		return *p, true
	}
	return nil, false
}

// Add reports that n more items or bytes are done.
func (p *Progress) Add(n int64) { p.done.Add(n) }

// SetTotal sets the total amount of work, in items or bytes. A negative n means that it is unknown.
func (p *Progress) SetTotal(n int64) { p.total.Store(n) }

// End reports that the work has ended. The row then shows the amount done and the elapsed time, or
// err if it is not nil. Only the first call counts.
func (p *Progress) End(err error) { p.end.end(err) }

// Percent returns the progress from 0 to 100, or -1 if the total is unknown. The result can be
// passed to [tui.App.SetProgress].
func (p *Progress) Percent() int {
	total := p.totalCount()
	if total <= 0 {
		return -1
	}
	return int(100 * min(float64(max(p.done.Load(), 0))/float64(total), 1))
}

// totalCount returns the total of SetTotal or else the field Total; 0 means unknown.
func (p *Progress) totalCount() int64 {
	if n := p.total.Load(); n != 0 {
		return max(n, 0)
	}
	return max(p.Total, 0)
}

// Reader wraps r to count the bytes that are read as done. Like r, it is for one goroutine at a
// time.
func (p *Progress) Reader(r io.Reader) io.Reader {
	p.bytes.Store(true)
	return &countedReader{r, p}
}

// Writer wraps w to count the bytes that are written as done. Like w, it is for one goroutine at a
// time.
func (p *Progress) Writer(w io.Writer) io.Writer {
	p.bytes.Store(true)
	return &countedWriter{w, p}
}

type countedReader struct {
	r io.Reader
	p *Progress
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.p.Add(int64(n))
	return n, err
}

type countedWriter struct {
	w io.Writer
	p *Progress
}

func (c *countedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.p.Add(int64(n))
	return n, err
}

// View returns the row, which is animated until End. In a transcript the final row is not cut.
func (p *Progress) View(s tui.Space) tui.View {
	th := s.Look()
	err, ended := p.end.result()
	done := p.done.Load()
	if p.startedAt.IsZero() {
		p.startedAt = s.Now
	}
	if ended {
		if p.endedAt.IsZero() {
			p.endedAt = s.Now
		}
		return tui.View{Lines: finalRows(s, p.summarySpans(th, done, err))}
	}
	p.addSample(s.Now, done)
	mark := tui.Span{Text: th.Glyphs.Dot, Style: th.Dim}
	refreshAfter := refreshInterval
	total := p.totalCount()
	if total <= 0 {
		mark.Style = th.Accent
		mark.Text, refreshAfter = spinnerGlyph(th, s.Now)
	}
	if refreshAfter <= 0 {
		refreshAfter = refreshInterval
	}
	return tui.View{Lines: []tui.Line{p.progressRow(s, mark, done, total)}, RefreshAfter: refreshAfter}
}

// finalRows returns the final row of ended work. It is cut to the width if the Space has a height.
// In a transcript it is not, and may wrap.
func finalRows(s tui.Space, spans []tui.Span) []tui.Line {
	if s.Height > 0 {
		return []tui.Line{s.Cut(spans...)}
	}
	return s.Fill(spans...)
}

// summarySpans returns the text of the final row.
func (p *Progress) summarySpans(th *tui.Theme, done int64, err error) []tui.Span {
	if err != nil {
		return []tui.Span{{Text: th.Glyphs.No + " ", Style: th.Error}, {Text: p.Title},
			{Text: "  " + err.Error(), Style: th.Error}}
	}
	note := "  " + p.formatAmount(done)
	if elapsed := p.endedAt.Sub(p.startedAt); elapsed >= time.Second {
		note += " in " + tui.Elapsed(elapsed) + ", " + p.formatAmount(int64(float64(done)/elapsed.Seconds())) + "/s"
	}
	return []tui.Span{{Text: th.Glyphs.Yes + " ", Style: th.Added}, {Text: p.Title}, {Text: note, Style: th.Dim}}
}

// addSample records the amount done at the time now, unless the last sample is very recent.
func (p *Progress) addSample(now time.Time, done int64) {
	if n := len(p.samples); n > 0 && now.Sub(p.samples[n-1].at) < refreshInterval/2 {
		return
	}
	p.samples = append(p.samples, sample{now, done})
	for len(p.samples) > 2 && now.Sub(p.samples[1].at) >= rateWindow {
		p.samples = p.samples[1:]
	}
}

// ratePerSecond returns the amount done per second. It returns a negative number while too little
// is known.
func (p *Progress) ratePerSecond() float64 {
	if len(p.samples) < 2 {
		return -1
	}
	from, to := p.samples[0], p.samples[len(p.samples)-1]
	elapsed := to.at.Sub(from.at)
	if elapsed < minRateTime {
		return -1
	}
	return max(float64(to.done-from.done), 0) / elapsed.Seconds()
}

// progressRow returns the row during the work. Notes have fixed widths, so that the rows of several
// Progress align as a table. Notes that do not fit are left out.
func (p *Progress) progressRow(s tui.Space, mark tui.Span, done, total int64) tui.Line {
	th := s.Look()
	title := max(min(s.Width/3, 28), 1)
	freeCols, full := s.Width-title-4, false // columns for bar and notes
	var notes []tui.Span
	note := func(text string, cols, bar int) {
		if full = full || freeCols-cols-2 < bar; full {
			return
		}
		freeCols -= cols + 2
		text = strings.Repeat(" ", max(cols-s.Columns(text), 0)+2) + text
		notes = append(notes, tui.Span{Text: text, Style: th.Dim})
	}
	rate, speed := p.ratePerSecond(), ""
	if rate >= 0 {
		speed = p.formatAmount(int64(rate)) + "/s"
	}
	if total > 0 {
		note(strconv.Itoa(p.Percent())+"%", 4, -2)
		note(remainingTime(total-done, rate), 14, 8)
		note(speed, 10, 8)
		note(p.formatAmount(done)+" of "+p.formatAmount(total), 2*len(p.formatAmount(total))+4, 8)
	} else {
		note(p.formatAmount(done), 8, -2)
		note(speed, 10, 0)
	}
	spans := appendPadded([]tui.Span{mark, {Text: " "}}, s, fitTitle(s, p.Title, title), title, false, tui.Style{})
	spans = append(spans, tui.Span{Text: "  "})
	if total > 0 && freeCols > 2 {
		spans = append(spans, barSpans(s, min(freeCols, 40), p.Percent())...)
	}
	return s.Cut(trimBlanks(append(spans, notes...))...)
}

// fitTitle shortens a title to cols columns if it is a path or an address, so that its end is
// shown. Other titles are returned as they are.
func fitTitle(s tui.Space, title string, cols int) string {
	if excess := len(title) - cols; excess > 0 && isPrintableASCII(title) && strings.Contains(title, "/") {
		return s.Look().Glyphs.More + title[min(excess+1, len(title)):]
	}
	return title
}

// remainingTime returns a text for the time that the remaining amount n takes at rate per second.
// It returns "" if that is unknown or too long.
func remainingTime(n int64, rate float64) string {
	if rate <= 0 || n < 0 || float64(n)/rate > maxShownTime.Seconds() {
		return ""
	}
	return tui.Elapsed(time.Duration(math.Ceil(float64(n)/rate))*time.Second) + " left"
}

// barSpans returns a progress bar of cols columns.
func barSpans(s tui.Space, cols, percent int) []tui.Span {
	th := s.Look()
	full, empty := "=", "-"
	if hasUnicodeGlyphs(th) && s.Columns("━─") == 2 {
		full, empty = "━", "─"
	}
	n := cols * percent / 100
	return []tui.Span{{Text: strings.Repeat(full, n), Style: th.Accent},
		{Text: strings.Repeat(empty, cols-n), Style: th.Dim}}
}

// formatAmount formats an amount for display, as a number of items or bytes.
func (p *Progress) formatAmount(n int64) string {
	if !p.Bytes && !p.bytes.Load() {
		return strconv.FormatInt(n, 10)
	}
	return formatBytes(n)
}

// formatBytes formats a number of bytes for display: "812 B", "12.3 MB".
func formatBytes(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), -1
	for f >= 999.95 && unit < 5 {
		f, unit = f/1000, unit+1
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + " " + "kMGTPE"[unit:unit+1] + "B"
}
