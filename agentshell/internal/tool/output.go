package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// What is kept of the output of a command, in bytes, and how much more of it is looked at to tell
// where a character begins and ends.
const (
	keepHead   = 16 << 10
	keepTail   = 32 << 10
	keepBeside = 1 << 10
	keepRing   = keepTail + keepBeside
)

// output collects what a command leaves on a terminal: the beginning and the end. It passes on
// everything as it comes.
type output struct {
	progress func(string)
	redactor *secret.Stream // before anything is cut: half a secret would not be found; nil: none
	screen   console.Screen
	head     []byte
	tail     []byte // a ring once it is full
	at       int
	total    int
	split    []byte // the beginning of a character
	left     room   // of the result

	keep *Outputs // for what the model is not given; nil: that is lost
	all  []byte   // the first keepOutput bytes, for keep
	name string   // in keep
}

func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	if o.redactor != nil {
		p = []byte(o.redactor.Write(string(p)))
	}
	o.show(p)
	return n, nil
}

// show passes on what has no secrets, and puts it on the screen.
func (o *output) show(p []byte) {
	if o.progress != nil {
		o.pass(p)
	}
	o.screen.Out = o.take
	_, _ = o.screen.Write(p)
}

// take collects text that cannot change any more.
func (o *output) take(p []byte) {
	o.total += len(p)
	if room := keepOutput - len(o.all); o.keep != nil && room > 0 {
		o.all = append(o.all, p[:min(room, len(p))]...)
	}
	if room := keepHead + keepBeside - len(o.head); room > 0 {
		k := min(room, len(p))
		o.head = append(o.head, p[:k]...)
		p = p[k:]
	}
	if len(p) > keepRing {
		p = p[len(p)-keepRing:]
	}
	for len(p) > 0 {
		if len(o.tail) < keepRing {
			k := min(keepRing-len(o.tail), len(p))
			o.tail = append(o.tail, p[:k]...)
			p = p[k:]
			continue
		}
		k := copy(o.tail[o.at:], p)
		o.at = (o.at + k) % keepRing
		p = p[k:]
	}
}

// pass gives text on, whole characters at a time.
func (o *output) pass(p []byte) {
	buf := append(o.split, p...)
	end := len(buf)
	for i := 1; i < utf8.UTFMax && i <= len(buf); i++ {
		if c := buf[len(buf)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(buf[len(buf)-i:]) {
				end = len(buf) - i
			}
			break
		}
	}
	if end > 0 {
		o.progress(strings.ToValidUTF8(string(buf[:end]), "\uFFFD"))
	}
	o.split = append([]byte(nil), buf[end:]...)
}

// flush ends the output: it takes what was held back and what stands on the screen, and passes on
// what is left of a broken character.
func (o *output) flush() {
	if o.redactor != nil {
		o.show([]byte(o.redactor.Flush()))
	}
	o.screen.Out = o.take
	o.screen.Close()
	if len(o.split) > 0 && o.progress != nil {
		o.progress("\uFFFD")
	}
	o.split = nil
}

// text returns what there is room for: all of it, or the beginning and the end with a line between
// them that says what was left out.
func (o *output) text() string { return o.within(o.left) }

// detail returns the text for a person, whose bound does not depend on what is left for the model.
func (o *output) detail() string { return o.within(openRoom()) }

func (o *output) within(left room) string {
	tail := string(o.tail[o.at:]) + string(o.tail[:o.at])
	if text := string(o.head) + tail; o.total <= keepHead+keepTail && left.holds(text) {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	head := left.share(1, 3).head(width.Head(string(o.head), keepHead))
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	tail = width.Tail(tail, min(keepTail, o.total-len(head)))
	tail = left.share(2, 3).tail(tail)
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	text := fmt.Sprintf("%s[%d bytes left out%s]\n%s", head, o.total-len(head)-len(tail), o.elsewhere(), tail)
	return strings.ToValidUTF8(text, "\uFFFD")
}

// cleared says that the command erased what stood on the screen, "" if it did not.
func (o *output) cleared() string {
	switch n := o.screen.ClearCount(); n {
	case 0:
		return ""
	case 1:
		return "[the command cleared the screen: what stood on it is left out]\n"
	default:
		return fmt.Sprintf("[the command cleared the screen %d times: what stood on it is left out]\n", n)
	}
}

// elsewhere returns where what was left out can be read, "" if nowhere.
func (o *output) elsewhere() string {
	if o.keep == nil {
		return ""
	}
	if o.name == "" {
		o.name = o.keep.Keep(strings.ToValidUTF8(string(o.all), "\uFFFD"))
	}
	what := "all of it"
	if o.total > keepOutput {
		what = fmt.Sprintf("the first %d MiB of it", keepOutput>>20)
	}
	return fmt.Sprintf("; read_file artifact://%s has %s", o.name, what)
}
