package harness

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// checker is an [ansi.Handler] that checks the bytes of one Write of the renderer. It records a
// fault for a sequence that an ordinary frame may not contain, and for one that is left open at the
// end.
type checker struct {
	ansi.NopHandler
	allowed
	apc        []byte
	firstFault error
	syncDepth  int
	usedSync   bool
	hides      int
	shows      int
	nowrap     bool
	link       bool
}

func (c *checker) fault(format string, args ...any) {
	if c.firstFault == nil {
		c.firstFault = fmt.Errorf(format, args...)
	}
}

// checkWrite checks p, the bytes of one Write of the renderer, and records the first fault.
func (c *checker) checkWrite(p []byte) {
	var parser ansi.Parser
	parser.Parse(p, c)
	switch {
	case !parser.Ground():
		c.fault("a sequence is not finished")
	case c.syncDepth != 0:
		c.fault("DEC 2026 is not balanced")
	case c.nowrap:
		c.fault("autowrap stays off")
	case c.link:
		c.fault("a hyperlink stays open")
	case c.usedSync && c.hides > 0 && c.shows > 0:
		c.fault("both DEC 2026 and a hidden cursor")
	}
}

func (c *checker) Execute(b byte) {
	if b != '\r' && b != '\n' && b != '\b' {
		c.fault("control %#02x", b)
	}
}

func (c *checker) Escape(s *ansi.Sequence) {
	if len(s.Intermediates) > 0 || s.Final != '\\' && s.Final != '7' && s.Final != '8' && s.Final != 'D' {
		c.fault("ESC %s%c", s.Intermediates, s.Final)
	}
}

func (c *checker) CSI(s *ansi.Sequence) {
	first := 0
	if len(s.Params) > 0 {
		first = int(s.Params[0])
	}
	switch mark := string(s.Intermediates); {
	case mark == "" && (s.Final >= 'A' && s.Final <= 'D' || s.Final == 'G' || s.Final == 'X' || s.Final == 'L') &&
		len(s.Params) <= 1:
	case mark == "" && s.Final == 'M' && c.deletes && len(s.Params) <= 1:
	case mark == "" && (s.Final == 'K' || s.Final == 'J') && len(s.Params) == 0:
	case mark == "" && s.Final == 'm':
	case mark == "" && c.full && (s.Final == 'H' && len(s.Params) == 0 || s.Final == 'M' && len(s.Params) <= 1):
	case mark == "" && s.Final == 'n' && first == 6 && c.ask:
	case mark == "?" && (s.Final == 'h' || s.Final == 'l') && len(s.Params) == 1:
		c.setMode(first, s.Final == 'h')
	default:
		c.fault("CSI %s%v%c", mark, s.Params, s.Final)
	}
}

func (c *checker) setMode(n int, on bool) {
	switch n {
	case 2026:
		if on {
			c.syncDepth++
			c.usedSync = true
		} else {
			c.syncDepth--
		}
		if c.syncDepth < 0 || c.syncDepth > 1 {
			c.fault("DEC 2026 is not balanced")
		}
	case 25:
		if on {
			c.shows++
		} else {
			c.hides++
		}
	case 7:
		c.nowrap = !on
	default:
		c.fault("mode %d", n)
	}
}

func (c *checker) OSC(data []byte, bel bool) {
	switch s := string(data); {
	case bel:
		c.fault("OSC %q ends with BEL", s)
	case s == "133;A;redraw=0", s == "133;C", c.redraws && (s == "133;A;k=s" || s == "133;A;k=s;redraw=0"):
	case strings.HasPrefix(s, "8;;"):
		c.link = len(s) > len("8;;")
	default:
		c.fault("OSC %q", s)
	}
}

func (c *checker) Hook(s *ansi.Sequence) { c.fault("DCS %c", s.Final) }

func (c *checker) StringStart(kind byte) {
	if kind != '_' || !c.graphics || c.usedSync || c.hides > 0 {
		c.fault("string %c", kind)
	}
	c.apc = c.apc[:0]
}

func (c *checker) StringPut(b []byte) { c.apc = append(c.apc, b...) }

func (c *checker) StringEnd() {
	if len(c.apc) == 0 || c.apc[0] != 'G' {
		c.fault("APC %q", c.apc)
	}
}
