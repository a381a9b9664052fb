package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// keepHead and keepTail are the numbers of bytes that are kept from the beginning and the end of a
// command's output. keepBeside is how many more bytes are kept at the cut, so that no character is
// split. keepRing is the size of the ring buffer for the end.
const (
	keepHead   = 16 << 10
	keepTail   = 32 << 10
	keepBeside = 1 << 10
	keepRing   = keepTail + keepBeside
)

// output is the writer for a command's output. It interprets the output as a terminal would, keeps
// the beginning and the end of the result, and passes everything to progress as it arrives.
type output struct {
	// progress receives the output as it arrives; nil: nobody does.
	progress func(string)
	// redactor removes secrets before anything is cut, because half a secret would not be found;
	// nil: nothing is removed.
	redactor *secret.Stream
	// screen emulates the part of the terminal that the command can still overwrite.
	screen console.Screen
	// head holds the beginning of the output.
	head []byte
	tail []byte // tail holds the end of the output. It is a ring buffer once it has keepRing bytes.
	// at is the index of the oldest byte in a full tail.
	at int
	// total is the number of bytes in the whole output.
	total int
	split []byte // split holds the first bytes of an incomplete UTF-8 character for progress.
	left  room   // left is the room that the result for the model may take.

	keep *Outputs // keep stores a long output for read_file; nil: the part that the model does not get is lost.
	all  []byte   // all holds the first keepOutput bytes of the output, for keep.
	name string   // name is the name of the output in keep; "": it is not stored yet.
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	if o.redactor != nil {
		p = []byte(o.redactor.Write(string(p)))
	}
	o.show(p)
	return n, nil
}

// show passes output without secrets to progress, and writes it to the emulated screen.
func (o *output) show(p []byte) {
	if o.progress != nil {
		o.pass(p)
	}
	o.screen.Out = o.take
	_, _ = o.screen.Write(p)
}

// take collects text that has left the emulated screen and so cannot change any more.
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

// pass calls progress with the complete UTF-8 characters of p, and keeps an incomplete one for the
// next call.
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

// flush must be called at the end of the output. It collects the text that the redactor has held
// back and the contents of the emulated screen.
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

// text returns the output for the model: all of it if there is room, else its beginning and its end
// with a line between them that says how much was left out.
func (o *output) text() string { return o.within(o.left) }

// detail returns the output for the user, in the form of [output.text], but independent of the room
// in the model's context window.
func (o *output) detail() string { return o.within(openRoom()) }

// within returns the output, cut in the middle if it does not fit into the room left.
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

// cleared returns a line that says how often the command has cleared the screen, or "" if it has
// not.
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

// elsewhere stores the whole output, and returns a clause that says where it can be read. It
// returns "" if outputs are not stored.
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
