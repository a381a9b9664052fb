package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// measurement finds out how wide the terminal draws certain grapheme clusters, for terminals whose
// widths are unknown ([terminal.Caps].Unmeasured). It begins after the first rows are shown and the
// terminal has answered all earlier queries.
//
// First it asks for the position of the cursor. If the terminal answers, it prints [width.Samples]
// on the first live row, asks for the cursor after each, and prints the row's real text again, all
// in one write ([renderer.Renderer.Measure]). Nothing waits for the answers. They are told from
// other answers only by their order, so that a measurement begins only while no other answer is
// expected.
type measurement struct {
	state          measureState
	awaitedReports int // number of answers still expected
	reports        []terminal.CursorReport
	deadline       time.Time // when a missing answer counts as late
	cols           int       // width of the window when the samples were printed
	tries          int       // number of times the samples were printed
	model          width.Model
	succeeded      bool // model describes the terminal
}

// measureState is the progress of a measurement.
type measureState uint8

const (
	unmeasured measureState = iota
	cursorAsked
	samplesAsked
	measureEnded
)

// maxMeasureTries is the maximum number of attempts to measure. A change of size spoils an attempt.
const maxMeasureTries = 3

// startMeasuring begins a measurement of the terminal if one is due.
func (l *loop) startMeasuring(now time.Time) {
	m := &l.measurement
	if m.state != unmeasured || l.term == nil || !l.caps.Unmeasured || !l.caps.Answered || !l.caps.Unicode ||
		l.chrome.fullScreen != nil || l.proof.pendingAnswers > 0 || l.fatalErr != nil {
		return
	}
	m.state, m.awaitedReports, m.deadline = cursorAsked, 1, now.Add(proofTimeout)
	l.term.ExpectCursor()
	if _, err := l.term.Write([]byte(ansi.CPRRequest)); err != nil {
		l.fatalErr = err
	}
}

// takeMeasureReport handles a cursor report as an answer to a measurement. It returns false if no
// answer is expected.
func (l *loop) takeMeasureReport(ev terminal.CursorReport, now time.Time) bool {
	m := &l.measurement
	if m.awaitedReports == 0 {
		return false
	}
	m.awaitedReports--
	m.reports = append(m.reports, ev)
	switch {
	case m.awaitedReports > 0:
	case m.state == cursorAsked:
		l.printSamples(now)
	default:
		l.endMeasuring()
	}
	return true
}

// printSamples prints the samples. If the screen is being changed it starts the measurement again
// later.
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
	m.state, m.awaitedReports, m.cols, m.deadline = samplesAsked, asked, l.cols, now.Add(proofTimeout)
}

// endMeasuring computes the width model from the answers, unless the screen has changed in the
// meantime.
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

// dropMeasuring cancels a running measurement whose answers are lost. It starts again later.
func (l *loop) dropMeasuring() {
	m := &l.measurement
	if m.awaitedReports = 0; m.state != measureEnded {
		m.state, m.reports = unmeasured, nil
	}
}
