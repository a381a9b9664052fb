package harness

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// ownStack returns the lines of the current goroutine's stack that are in the renderer or in the
// stress packages, at most eight. A report of a panic shows them.
func ownStack() string {
	var out []string
	for _, line := range strings.Split(string(debug.Stack()), "\n") {
		if i := max(strings.LastIndex(line, "/renderer/"), strings.LastIndex(line, "/stress/")); i >= 0 &&
			len(out) < 8 {
			out = append(out, strings.TrimSpace(line[i+1:]))
		}
	}
	return strings.Join(out, "\n")
}

// dump returns a text for the message of a failed check: the last rows of the tape (history plus
// grid), the rows that the ledger expects there, and the last Write of the renderer.
func (h *harness) dump() string {
	t := Tape{h.term.Terminal}
	var b strings.Builder
	c := h.term.Cursor()
	fmt.Fprintf(&b, "%s %dx%d, %d rows in history, cursor %d,%d, T %d, B %d, seam %+v\n", h.profile.Name, h.window.cols,
		h.window.rows, h.term.ScrollbackLen(), c.Row, c.Col, h.ledger.top, h.ledger.finals, h.seam)
	line := func(mark string, text string, wrapped bool) {
		if wrapped {
			text += "↩"
		}
		fmt.Fprintf(&b, "  %s %.70s\n", mark, text)
	}
	b.WriteString(" the tape\n")
	for i := max(0, t.ScrollbackLen()-6); i < t.Len(); i++ {
		mark := "hist"
		if i >= t.ScrollbackLen() {
			mark = fmt.Sprintf("%4d", i-t.ScrollbackLen())
		}
		if i > t.ScrollbackLen()+30 {
			break
		}
		line(mark, t.RowAt(i).Text(), t.RowAt(i).Wrapped())
	}
	b.WriteString(" wanted above the live region\n")
	for _, r := range h.ledger.rows[max(0, len(h.ledger.rows)-min(h.window.rows+6, 20)):] {
		mark := "    "
		if r.optional {
			mark = "maybe"
		}
		line(mark, r.text, r.wraps)
	}
	b.WriteString(" live\n")
	for _, l := range h.shown.live[max(0, len(h.shown.live)-h.window.rows):] {
		r := h.newRow(l)
		line("    ", r.text, r.wraps)
	}
	fmt.Fprintf(&b, " last Write %.600q\n", h.wire.last)
	return b.String()
}
