package vt

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// replyString sends s to the application, unless s is empty.
func (t *Terminal) replyString(s string) {
	if s != "" {
		t.reply([]byte(s))
	}
}

// reportAttributes implements DA1, DA2 and DA3 (level 0, 1, 2). The ghostty application answers the
// first two (stream_handler.zig deviceAttributes).
func (t *Terminal) reportAttributes(level int) {
	if r := t.config.Personality.Replies; r != nil {
		t.replyString([]string{r.DA1, r.DA2, r.DA3}[level])
		return
	}
	switch level {
	case 0:
		t.replyString("\x1b[?62;22;52c")
	case 1:
		t.replyString("\x1b[>1;10;0c")
	}
}

// reportVersion implements XTVERSION.
func (t *Terminal) reportVersion() {
	if r := t.config.Personality.Replies; r != nil {
		t.replyString(r.Version)
		return
	}
	t.replyString("\x1bP>|ghostty " + t.config.Version + "\x1b\\")
}

// reportStatus implements DSR 5 and 6, ?996 for the dark or light theme, and ?998 for whether the
// window is visible.
func (t *Terminal) reportStatus(kind int, private bool) {
	switch {
	case kind == 5 && !private:
		t.replyString("\x1b[0n")
	case kind == 6 && !private:
		c := &t.active.cursor
		x, y := c.x, c.y
		if t.modes.has(modeOrigin) {
			x, y = max(0, x-t.margins.left), max(0, y-t.margins.top)
		}
		t.reply(fmt.Appendf(nil, "\x1b[%d;%dR", y+1, x+1))
	case kind == 996 && private && t.config.Personality.Replies == nil:
		t.reportScheme()
	case kind == 998 && private:
		t.reportVisibility()
	}
}

func (t *Terminal) reportScheme() {
	if t.window.light {
		t.replyString("\x1b[?997;2n")
	} else {
		t.replyString("\x1b[?997;1n")
	}
}

// SetLight sets whether the window has a light theme. With mode 2031 the application gets a report.
func (t *Terminal) SetLight(light bool) {
	if t.window.light == light {
		return
	}
	t.window.light = light
	if t.modes.has(modeColorScheme) {
		t.reportScheme()
	}
}

// SetFocus sets whether the window has the keyboard focus. With mode 1004 the application gets a
// report.
func (t *Terminal) SetFocus(focused bool) {
	if t.window.focused == focused {
		return
	}
	t.window.focused = focused
	if t.modes.has(modeFocus) {
		t.reportFocus()
	}
}

func (t *Terminal) reportFocus() {
	if t.window.focused {
		t.replyString("\x1b[I")
	} else {
		t.replyString("\x1b[O")
	}
}

// SetVisible sets whether the window is visible, as it is at the start. With mode 2033 the
// application gets a report.
func (t *Terminal) SetVisible(visible bool) {
	if t.window.unseen == !visible {
		return
	}
	t.window.unseen = !visible
	if t.modes.has(modeVisibility) {
		t.reportVisibility()
	}
}

// reportVisibility sends the report of mode 2033 (device_status.zig encodeVisibilityReport).
func (t *Terminal) reportVisibility() {
	switch {
	case t.config.Personality.Replies != nil:
	case t.window.unseen:
		t.replyString("\x1b[?999;2n")
	default:
		t.replyString("\x1b[?999;1n")
	}
}

// modeEraseColor is the number of DECECM, which chooses the colour of erased cells. ghostty does
// not support it and reports that it can never be set (modes.zig getReport).
const modeEraseColor = 117

// reportMode implements DECRQM for DEC private modes. ANSI modes get no answer.
func (t *Terminal) reportMode(n int) {
	t.expireSync()
	state := 0
	if m, ok := modeOf(n, true); ok {
		state = 2
		if t.modes.has(m) {
			state = 1
		}
	} else if n == modeEraseColor {
		state = 4
	}
	if r := t.config.Personality.Replies; r != nil {
		known, ok := r.Modes[n]
		switch {
		case !ok:
			known = r.UnknownMode
		case known == 1 || known == 2:
			known = max(state, 1)
		}
		if state = known; state < 0 {
			return
		}
	}
	t.reply(fmt.Appendf(nil, "\x1b[?%d;%d$y", n&0x7fff, state))
}

// windowOp implements the size reports of XTWINOPS. The title is not reported, since ghostty does
// so only if its user has allowed it.
func (t *Terminal) windowOp(q *ansi.Sequence) {
	if len(q.Params) != 1 {
		return
	}
	r := t.config.Personality.Replies
	switch q.Params[0] {
	case 14:
		if r == nil || r.TextPixels {
			t.reply(fmt.Appendf(nil, "\x1b[4;%d;%dt", t.rows*t.config.CellHeight, t.cols*t.config.CellWidth))
		}
	case 16:
		if r == nil || r.CellPixels {
			t.reply(fmt.Appendf(nil, "\x1b[6;%d;%dt", t.config.CellHeight, t.config.CellWidth))
		}
	case 18:
		switch {
		case r != nil && r.CellsSwapped:
			t.reply(fmt.Appendf(nil, "\x1b[8;%d;%dt", t.cols, t.rows))
		case r == nil || r.Cells:
			t.reply(fmt.Appendf(nil, "\x1b[8;%d;%dt", t.rows, t.cols))
		}
	}
}

// reportInBandSize sends the report of mode 2048.
func (t *Terminal) reportInBandSize() {
	t.reply(fmt.Appendf(nil, "\x1b[48;%d;%d;%d;%dt", t.rows, t.cols, t.rows*t.config.CellHeight,
		t.cols*t.config.CellWidth))
}
