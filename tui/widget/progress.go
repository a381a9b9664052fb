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

// Progress is one row that shows how far some work is: a bar, how much of how much, how fast, and
// the remaining time. Several stand below one another, each a block of the transcript. One that has
// ended becomes a row of history; [Each] does that. The zero value counts items of an unknown
// total. Add, SetTotal, Reader, Writer, Percent and End may be called on any goroutine; the fields
// are set before. A Progress is not copied.
type Progress struct {
	Title string
	Total int64 // how much there is to do, in items or bytes; 0: not known, see SetTotal
	Bytes bool  // bytes are counted, else items; Reader and Writer count bytes

	bytes       atomic.Bool
	done, total atomic.Int64
	end         ending

	began, ended time.Time // by Space.Now
	samples      []sample
}

// sample is how much was done at a time.
type sample struct {
	at   time.Time
	done int64
}

const (
	refreshInterval = 100 * time.Millisecond // between two samples
	rateWindow      = 5 * time.Second        // the time over which the rate is measured
	minRateTime     = time.Second / 2        // then there is a rate
	maxShownTime    = 100 * time.Hour        // a longer remaining time is not shown
)

// ending is the result of some work. Any goroutine.
type ending struct{ err atomic.Pointer[error] }

// set records that the work has ended with err, nil for success. Later calls do nothing.
func (e *ending) set(err error) { e.err.CompareAndSwap(nil, &err) }

// get returns the error. over reports whether the work has ended.
func (e *ending) get() (err error, ended bool) {
	if p := e.err.Load(); p != nil {
		return *p, true
	}
	return nil, false
}

// Add says that n more items or bytes are done.
func (p *Progress) Add(n int64) { p.done.Add(n) }

// SetTotal sets how much there is to do, in items or bytes; below 1: that is not known.
func (p *Progress) SetTotal(n int64) { p.total.Store(n) }

// End ends it: the row shows how much was done and how long that took, or err. The first call
// counts.
func (p *Progress) End(err error) { p.end.set(err) }

// Percent returns how far it is, from 0 to 100; -1 if the total is not known. It fits
// [tui.App.SetProgress].
func (p *Progress) Percent() int {
	total := p.totalCount()
	if total <= 0 {
		return -1
	}
	return int(100 * min(float64(max(p.done.Load(), 0))/float64(total), 1))
}

// totalCount returns the total.
func (p *Progress) totalCount() int64 {
	if n := p.total.Load(); n != 0 {
		return max(n, 0)
	}
	return max(p.Total, 0)
}

// Reader returns r and counts its bytes as done when they are read. It is used by one goroutine at
// a time, as r is.
func (p *Progress) Reader(r io.Reader) io.Reader {
	p.bytes.Store(true)
	return &countedReader{r, p}
}

// Writer returns w and counts its bytes as done when they are written. It is used by one goroutine
// at a time, as w is.
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

// View returns one row, which moves until End. In a transcript the last one is as long as its text.
func (p *Progress) View(s tui.Space) tui.View {
	th := s.Look()
	err, ended := p.end.get()
	done := p.done.Load()
	if p.began.IsZero() {
		p.began = s.Now
	}
	if ended {
		if p.ended.IsZero() {
			p.ended = s.Now
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

// finalRows returns the row that stays: cut if something stands below it, complete in a transcript.
func finalRows(s tui.Space, spans []tui.Span) []tui.Line {
	if s.Height > 0 {
		return []tui.Line{s.Cut(spans...)}
	}
	return s.Fill(spans...)
}

// summarySpans returns the text at the end.
func (p *Progress) summarySpans(th *tui.Theme, done int64, err error) []tui.Span {
	if err != nil {
		return []tui.Span{{Text: th.Glyphs.No + " ", Style: th.Error}, {Text: p.Title},
			{Text: "  " + err.Error(), Style: th.Error}}
	}
	note := "  " + p.formatAmount(done)
	if elapsed := p.ended.Sub(p.began); elapsed >= time.Second {
		note += " in " + tui.Elapsed(elapsed) + ", " + p.formatAmount(int64(float64(done)/elapsed.Seconds())) + "/s"
	}
	return []tui.Span{{Text: th.Glyphs.Yes + " ", Style: th.Added}, {Text: p.Title}, {Text: note, Style: th.Dim}}
}

// addSample notes how much is done now.
func (p *Progress) addSample(now time.Time, done int64) {
	if n := len(p.samples); n > 0 && now.Sub(p.samples[n-1].at) < refreshInterval/2 {
		return
	}
	p.samples = append(p.samples, sample{now, done})
	for len(p.samples) > 2 && now.Sub(p.samples[1].at) >= rateWindow {
		p.samples = p.samples[1:]
	}
}

// rate returns how much is done in a second; below 0: it is not known yet.
func (p *Progress) rate() float64 {
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

// progressRow returns the row while the work goes on. Notes have fixed places, so that rows below
// one another are a table. Notes that do not fit are left out.
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
	rate, speed := p.rate(), ""
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

// fitTitle returns a title in cols columns. A longer path or address shows its end.
func fitTitle(s tui.Space, title string, cols int) string {
	if excess := len(title) - cols; excess > 0 && ascii(title) && strings.Contains(title, "/") {
		return s.Look().Glyphs.More + title[min(excess+1, len(title)):]
	}
	return title
}

// remainingTime returns the time that n more take; "" if it is not known.
func remainingTime(n int64, rate float64) string {
	if rate <= 0 || n < 0 || float64(n)/rate > maxShownTime.Seconds() {
		return ""
	}
	return tui.Elapsed(time.Duration(math.Ceil(float64(n)/rate))*time.Second) + " left"
}

// barSpans returns a bar of cols columns.
func barSpans(s tui.Space, cols, percent int) []tui.Span {
	th := s.Look()
	full, empty := "=", "-"
	if unicodeGlyphs(th) && s.Columns("━─") == 2 {
		full, empty = "━", "─"
	}
	n := cols * percent / 100
	return []tui.Span{{Text: strings.Repeat(full, n), Style: th.Accent},
		{Text: strings.Repeat(empty, cols-n), Style: th.Dim}}
}

// formatAmount returns n for a person.
func (p *Progress) formatAmount(n int64) string {
	if !p.Bytes && !p.bytes.Load() {
		return strconv.FormatInt(n, 10)
	}
	return formatBytes(n)
}

// formatBytes returns a number of bytes for a person: "812 B", "12.3 MB".
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
