package vt

import (
	"bytes"
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// maxDCS is the most bytes of a device control string; a longer one is ignored (dcs.zig max_bytes).
const maxDCS = 1 << 20

// dcs collects the bytes of a device control string.
type dcs struct {
	kind dcsKind
	data []byte
}

type dcsKind uint8

const (
	ignoredDCS  dcsKind = iota
	settingDCS          // DECRQSS
	terminfoDCS         // XTGETTCAP
)

func (t *Terminal) dcsHook(q *ansi.Sequence) {
	t.dcs = dcs{data: t.dcs.data[:0]}
	if len(q.Intermediates) == 1 && q.Final == 'q' {
		switch q.Intermediates[0] {
		case '$':
			t.dcs.kind = settingDCS
		case '+':
			t.dcs.kind = terminfoDCS
		}
	}
}

func (t *Terminal) dcsPut(b []byte) {
	d := &t.dcs
	if d.kind == ignoredDCS {
		return
	}
	limit := maxDCS
	if d.kind == settingDCS {
		limit = 2
	}
	if len(d.data)+len(b) > limit {
		d.kind, d.data = ignoredDCS, nil
		return
	}
	d.data = append(d.data, b...)
}

func (t *Terminal) dcsUnhook() {
	d := &t.dcs
	switch d.kind {
	case settingDCS:
		t.reportSetting(string(d.data))
	case terminfoDCS:
		for name := range bytes.SplitSeq(bytes.ToUpper(d.data), []byte{';'}) {
			t.reportCapability(string(name))
		}
	}
	d.kind, d.data = ignoredDCS, d.data[:0]
}

// reportSetting implements DECRQSS.
func (t *Terminal) reportSetting(name string) {
	if r := t.config.Personality.Replies; r != nil && !r.Settings {
		return
	}
	var b []byte
	m := &t.margins
	switch name {
	case "m":
		b = append(t.active.cursor.style.appendSGR(b), 'm')
	case "r":
		b = fmt.Appendf(b, "%d;%dr", m.top+1, m.bottom+1)
	case "s":
		if t.modes.has(modeMargins) {
			b = fmt.Appendf(b, "%d;%ds", m.left+1, m.right+1)
		}
	case " q":
		n := 2 * int(t.active.cursor.shape)
		if !t.modes.has(modeCursorBlink) {
			n++
		}
		b = fmt.Appendf(b, "%d q", n+1)
	}
	valid := 0
	if len(b) > 0 {
		valid = 1
	}
	t.reply(fmt.Appendf(nil, "\x1bP%d$r%s\x1b\\", valid, b))
}

// underlineParameters holds the SGR parameters for the styles of underline.
var underlineParameters = [...]string{
	SingleUnderline: "4", DoubleUnderline: "4:2", CurlyUnderline: "4:3", DottedUnderline: "4:4", DashedUnderline: "4:5",
}

// appendSGR appends the SGR parameters for s: a 0, and those that Terminal.zig printAttributes
// writes.
func (s *Style) appendSGR(b []byte) []byte {
	b = append(b, '0')
	for _, a := range []struct {
		on         bool
		parameters string
	}{
		{s.Attr&Bold != 0, "1"}, {s.Attr&Faint != 0, "2"}, {s.Attr&Italic != 0, "3"},
		{s.Underline != NoUnderline, underlineParameters[s.Underline]}, {s.Attr&Overline != 0, "53"},
		{s.Attr&Blink != 0, "5"}, {s.Attr&Inverse != 0, "7"}, {s.Attr&Invisible != 0, "8"}, {s.Attr&Strike != 0, "9"},
	} {
		if a.on {
			b = append(append(b, ';'), a.parameters...)
		}
	}
	b = appendColor(b, s.Fg, 30)
	return appendColor(b, s.Bg, 40)
}

func appendColor(b []byte, c ansi.Color, base int) []byte {
	if n, ok := c.Index(); ok {
		switch {
		case n >= 16:
			return fmt.Appendf(b, ";%d:5:%d", base+8, n)
		case n >= 8:
			return fmt.Appendf(b, ";%d", base+60+int(n)-8)
		}
		return fmt.Appendf(b, ";%d", base+int(n))
	}
	if r, g, bl, ok := c.RGB(); ok {
		return fmt.Appendf(b, ";%d:2::%d:%d:%d", base+8, r, g, bl)
	}
	return b
}

// reportCapability answers one name of XTGETTCAP, in hexadecimal. An unknown name gets no answer
// (stream_handler.zig).
func (t *Terminal) reportCapability(name string) {
	if r := t.config.Personality.Replies; r != nil {
		if r.Capability != "" {
			t.reply(fmt.Appendf(nil, r.Capability, name))
		}
		return
	}
	value, ok := capabilities()[name]
	if !ok {
		return
	}
	b := []byte("\x1bP1+r" + name)
	if value != "" {
		b = fmt.Appendf(append(b, '='), "%X", value)
	}
	t.reply(append(b, "\x1b\\"...))
}
