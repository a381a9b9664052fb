package stress

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A graphicsWatch looks at the pictures of a session from outside: all bytes that the program
// writes, and the terminal that keeps the pictures. It knows the protocol (kitty graphics) and
// nothing of the renderer or of tui.
type graphicsWatch struct {
	ansi.NopHandler
	keeps *vt.Terminal // the terminal with the pictures: in a multiplexer the one around it
	strip func([]byte) []byte
	most  int // live at a time

	bad     error
	frames  int
	control int // bytes of graphics commands without payload, wrapping included
	payload int
	sent    int          // transmissions
	alive   map[int]bool // ids that were sent, and neither deleted nor erased
	deletes int
	live    int // most that were live at a time
	rebuilt int

	string  []byte // the command that is being read
	current int    // the id whose pieces come
	inSync  bool
	parser  ansi.Parser // of what the terminal itself gets
	passed  ansi.Parser // of what goes to the one around
}

func newGraphicsWatch(most int) *graphicsWatch {
	return &graphicsWatch{most: most, alive: map[int]bool{}}
}

func (g *graphicsWatch) fault(format string, args ...any) {
	if g.bad == nil {
		g.bad = fmt.Errorf(format, args...)
	}
}

// output sees what the program writes, in the pieces in which it does, and returns what the
// terminal itself gets.
func (g *graphicsWatch) output(p []byte) []byte {
	if g.strip == nil {
		g.parser.Parse(p, g)
		return p
	}
	payload := g.payload
	var own []byte
	for i := range p { // so that what passes and what does not are seen in their order
		b := g.strip(p[i : i+1])
		g.parser.Parse(b, g)
		own = append(own, b...)
	}
	g.control += len(p) - len(own) - (g.payload - payload)
	if len(own) > 0 {
		g.frames++
		if g.payload > payload {
			g.fault("a frame of %d bytes holds %d bytes of pictures", len(own), g.payload-payload)
		}
	}
	return own
}

// Write is given what a multiplexer passes on.
func (g *graphicsWatch) Write(p []byte) (int, error) {
	g.passed.Parse(p, g)
	n, err := g.keeps.Write(p)
	g.check()
	return n, err
}

// check looks at what the terminal keeps.
func (g *graphicsWatch) check() {
	if g.keeps == nil {
		return
	}
	n := len(g.keeps.Images())
	g.live = max(g.live, n)
	if n > g.most {
		g.fault("%d pictures are live, at most %d may be", n, g.most)
	}
}

func (g *graphicsWatch) CSI(s *ansi.Sequence) {
	switch mark := string(s.Intermediates); {
	case mark == "?" && len(s.Params) == 1 && s.Params[0] == 2026:
		g.inSync = s.Final == 'h'
		if g.inSync {
			g.frames++
		}
	case mark == "" && s.Final == 'J' && len(s.Params) == 1 && s.Params[0] == 3:
		g.rebuilt++
		clear(g.alive) // each may be sent once more
	}
}

func (g *graphicsWatch) StringStart(byte)   { g.string = g.string[:0] }
func (g *graphicsWatch) StringPut(b []byte) { g.string = append(g.string, b...) }

// StringEnd takes a graphics command.
func (g *graphicsWatch) StringEnd() {
	if len(g.string) == 0 || g.string[0] != 'G' {
		return
	}
	head, data, _ := bytes.Cut(g.string[1:], []byte(";"))
	keys := map[string]string{}
	for pair := range strings.SplitSeq(string(head), ",") {
		k, v, _ := strings.Cut(pair, "=")
		keys[k] = v
	}
	if g.strip == nil {
		g.control += len("\x1b_\x1b\\") + len(g.string) - len(data)
	}
	g.payload += len(data)
	if len(data) > 0 && g.inSync {
		g.fault("a frame holds %d bytes of a picture", len(data))
	}
	if len(data) > 4096 {
		g.fault("a piece has %d bytes of base64", len(data))
	}
	id, _ := strconv.Atoi(keys["i"])
	switch keys["a"] {
	case "d":
		g.deletes++
		delete(g.alive, id)
		return
	case "q", "p":
		return
	case "t":
		if g.current != 0 {
			g.fault("picture %d begins in the middle of %d", id, g.current)
		}
		if g.alive[id] {
			g.fault("picture %d is sent though the terminal has it", id)
		}
		g.sent++
		if keys["q"] != "2" {
			g.fault("the transmission of %d may be answered", id)
		}
		g.current, g.alive[id] = id, true
	case "":
		if g.current == 0 {
			g.fault("a piece of no picture: %q", head)
		}
	default:
		g.fault("the action of %q is not known here", head)
	}
	if keys["m"] != "1" {
		g.current = 0
	}
}
