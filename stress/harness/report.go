package harness

import (
	"errors"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

var errNoReport = errors.New("the terminal does not answer the request for the cursor")

// report is a cursor report, 0-based.
type report struct{ col, row int }

// acceptAny gives the renderer what the terminal has answered, up to the report that it accepts,
// and reports whether it has accepted one.
func (h *harness) acceptAny(all []report) bool {
	for _, r := range all {
		if h.r.Anchor(r.col, r.row) {
			return true
		}
	}
	return false
}

// askCursor lets the renderer ask for the cursor and takes the terminal's answer: one report, and
// where the cursor's column says something, one from there before it.
func (h *harness) askCursor() ([]report, error) {
	h.term.TakeReplies()
	h.wire.allowed.ask = true
	err := h.r.Ask()
	h.wire.allowed.ask = false
	if err != nil {
		return nil, err
	}
	if h.wire.bad != nil {
		return nil, h.wire.bad
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
