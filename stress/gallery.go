package stress

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A gallery watches the pictures of a session from outside: all bytes that the program writes, and the terminal that keeps the pictures. It
// knows the protocol (kitty graphics, contract section 7) and nothing of the renderer or of tui.
type gallery struct {
	ansi.NopHandler
	keeps *vt.Terminal // the terminal with the pictures: in a multiplexer the one around it
	strip func([]byte) []byte
	most  int // live at a time

	bad     error
	frames  int
	control int // bytes of graphics commands without payload, wrapping included
	payload int
	sent    map[int]int    // whole transmissions by id
	bytes   map[int]int    // payload by id
	sizes   map[int]string // of the pixels, as announced
	deletes int
	live    int // most that were live at a time
	rebuilt int

	string  []byte // the command that is being read
	current int    // the id whose pieces come
	inSync  bool
	parser  ansi.Parser
}

func newGallery(most int) *gallery {
	return &gallery{most: most, sent: map[int]int{}, bytes: map[int]int{}, sizes: map[int]string{}}
}

func (g *gallery) fault(format string, args ...any) {
	if g.bad == nil {
		g.bad = fmt.Errorf(format, args...)
	}
}

// output sees what the program writes, in the pieces in which it does, and returns what the terminal itself gets.
func (g *gallery) output(p []byte) []byte {
	own := p
	wrapped := 0
	if g.strip != nil {
		before := g.passed()
		own = g.strip(p)
		wrapped = len(p) - len(own) - (g.passed() - before) // the wrapping, and the doubled ESC
	}
	g.control += wrapped
	if g.strip == nil {
		g.parser.Parse(p, g)
	}
	g.check()
	return own
}

// passed is how many bytes of graphics went to the terminal around.
func (g *gallery) passed() int {
	t := g.keeps.Traffic()
	return t.Control + t.Payload
}

// outer is written what a multiplexer passes on.
func (g *gallery) outer(p []byte) {
	g.parser.Parse(p, g)
	g.keeps.Write(p)
	g.check()
}

// check looks at what the terminal keeps.
func (g *gallery) check() {
	n := len(g.keeps.Images())
	g.live = max(g.live, n)
	if n > g.most {
		g.fault("%d pictures are live, at most %d may be", n, g.most)
	}
}

func (g *gallery) CSI(s *ansi.Sequence) {
	switch mark := string(s.Intermediates); {
	case mark == "?" && len(s.Params) == 1 && s.Params[0] == 2026:
		g.inSync = s.Final == 'h'
		if g.inSync {
			g.frames++
		}
	case mark == "" && s.Final == 'J' && len(s.Params) == 1 && s.Params[0] == 3:
		g.rebuilt++
		clear(g.sent) // each may be sent once more
		clear(g.bytes)
	}
}

func (g *gallery) StringStart(byte)   { g.string = g.string[:0] }
func (g *gallery) StringPut(b []byte) { g.string = append(g.string, b...) }

// StringEnd takes a graphics command.
func (g *gallery) StringEnd() {
	if len(g.string) == 0 || g.string[0] != 'G' {
		return
	}
	head, data, _ := bytes.Cut(g.string[1:], []byte(";"))
	keys := map[string]string{}
	for pair := range strings.SplitSeq(string(head), ",") {
		k, v, _ := strings.Cut(pair, "=")
		keys[k] = v
	}
	g.control += len("\x1b_G\x1b\\") + len(g.string) - 1 - len(data)
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
		delete(g.bytes, id)
		return
	case "q", "p":
		return
	case "t":
		if g.current != 0 {
			g.fault("picture %d begins in the middle of %d", id, g.current)
		}
		if g.sent[id]++; g.sent[id] > 1 {
			g.fault("picture %d is sent %d times", id, g.sent[id])
		}
		if keys["q"] != "2" {
			g.fault("the transmission of %d may be answered", id)
		}
		g.current, g.sizes[id] = id, keys["s"]+"x"+keys["v"]
	case "":
		if g.current == 0 {
			g.fault("a piece of no picture: %q", head)
		}
	default:
		g.fault("the action of %q is not known here", head)
	}
	g.bytes[g.current] += len(data)
	if keys["m"] != "1" {
		g.current = 0
	}
}
