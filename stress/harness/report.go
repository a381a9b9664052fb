package harness

import (
	"errors"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

var errNoReport = errors.New("the terminal does not answer the request for the cursor")

// report holds the cursor position of one cursor position report (CPR), counted from 0.
type report struct{ col, row int }

// acceptAny passes the reports to the renderer, one by one, until it accepts one. It reports
// whether one was accepted.
func (h *harness) acceptAny(all []report) bool {
	for _, r := range all {
		if h.renderer.Anchor(r.col, r.row) {
			return true
		}
	}
	return false
}

// askCursor lets the renderer request the cursor position, and returns the terminal's reports. It
// is one report. If the renderer reads the cursor's column, another one comes before it.
func (h *harness) askCursor() ([]report, error) {
	h.term.TakeReplies()
	h.wire.allowed.ask = true
	err := h.renderer.Ask()
	h.wire.allowed.ask = false
	if err != nil {
		return nil, err
	}
	if h.wire.firstFault != nil {
		return nil, h.wire.firstFault
	}
	var got reportHandler
	var p ansi.Parser
	p.Parse(h.term.TakeReplies(), &got)
	if n := len(got.all); n == 0 || n > 2 || n == 2 && !h.config.CountsLines {
		return nil, errNoReport
	}
	return got.all, nil
}

type reportHandler struct {
	ansi.NopHandler
	all []report
}

func (h *reportHandler) CSI(s *ansi.Sequence) {
	if s.Final == 'R' && len(s.Params) == 2 && len(s.Intermediates) == 0 {
		h.all = append(h.all, report{int(s.Params[1]) - 1, int(s.Params[0]) - 1})
	}
}
