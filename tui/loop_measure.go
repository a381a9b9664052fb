package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// measurement finds how wide a terminal draws the parts of clusters, if nobody has measured it
// ([terminal.Caps].Unmeasured). It begins when the first rows are shown and the terminal has
// answered what else it was asked. First it asks where the cursor is. A terminal that answers gets
// [width.Samples] on the first live row, and that row again in the same write
// ([renderer.Renderer.Measure]).
//
// Nothing waits for the answers. Only their order tells them from others, so that it begins when no
// answers to others are pending.
type measurement struct {
	state     measureState
	awaited   int // answers to come
	reports   []terminal.CursorReport
	deadline  time.Time // when an answer counts as late
	cols      int       // of the window when the samples were printed
	tries     int
	model     width.Model
	succeeded bool // model is the terminal's
}

// measureState is the progress of a measurement.
type measureState uint8

const (
	unmeasured measureState = iota
	asksCursor
	asksSamples
	measureEnded
)

// maxMeasureTries bounds the tries of a measurement. A change of size spoils one.
const maxMeasureTries = 3

// startMeasuring begins to measure the terminal if that is due.
func (l *loop) startMeasuring(now time.Time) {
	m := &l.measurement
	if m.state != unmeasured || l.term == nil || !l.caps.Unmeasured || !l.caps.Answered || !l.caps.Unicode ||
		l.chrome.fullScreen != nil || l.proof.pendingAnswers > 0 || l.fatalErr != nil {
		return
	}
	m.state, m.awaited, m.deadline = asksCursor, 1, now.Add(proofTime)
	l.term.ExpectCursor()
	if _, err := l.term.Write([]byte(ansi.CPRRequest)); err != nil {
		l.fatalErr = err
	}
}

// takeMeasureReport takes a cursor report as an answer to a measurement. It returns false if none
// is awaited.
func (l *loop) takeMeasureReport(ev terminal.CursorReport, now time.Time) bool {
	m := &l.measurement
	if m.awaited == 0 {
		return false
	}
	m.awaited--
	m.reports = append(m.reports, ev)
	switch {
	case m.awaited > 0:
	case m.state == asksCursor:
		l.printSamples(now)
	default:
		l.endMeasuring()
	}
	return true
}

// printSamples prints the samples, unless the screen is not at rest: then the measurement begins
// anew.
func (l *loop) printSamples(now time.Time) {
	m := &l.measurement
	m.state, m.reports = unmeasured, m.reports[:0]
	l.requestFrame(ordinary, "measure") // a proof may wait
	if l.lent || l.resize.phase != steady || l.chrome.fullScreen != nil || l.backlogged {
		return
	}
	samples := width.Samples()
	asked, err := l.canvas.Measure(samples[:], width.MaxSampleCols)
	if err != nil {
		l.fatalErr = err
		return
	}
	m.tries++
	if asked == 0 {
		m.state = measureEnded
		return
	}
	for range asked {
		l.term.ExpectCursor()
	}
	m.state, m.awaited, m.cols, m.deadline = asksSamples, asked, l.cols, now.Add(proofTime)
}

// endMeasuring takes the answers as widths, if the screen has stayed as it was.
func (l *loop) endMeasuring() {
	m := &l.measurement
	m.state = measureEnded
	spoilt := m.cols != l.cols || l.resize.phase != steady
	if spoilt && m.tries < maxMeasureTries {
		m.state = unmeasured
	}
	var cols [4]int
	for i, r := range m.reports {
		spoilt = spoilt || r.Row != m.reports[0].Row || i == 0 && r.Col != 0
		if i > 0 {
			cols[i-1] = r.Col
		}
	}
	m.reports = nil
	l.requestFrame(ordinary, "measured")
	if spoilt {
		return
	}
	if m.model, m.succeeded = width.FromSamples(cols); m.succeeded {
		l.canvas.SetModel(l.widthModel())
		l.transcript.markAllDirty()
		l.markAllDirty()
	}
}

// dropMeasuring gives a measurement up: what was on its way is lost. It is made again.
func (l *loop) dropMeasuring() {
	m := &l.measurement
	if m.awaited = 0; m.state != measureEnded {
		m.state, m.reports = unmeasured, nil
	}
}
