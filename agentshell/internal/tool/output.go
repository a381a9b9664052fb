package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// What is kept of the output of a command, in bytes.
const (
	keepHead = 16 << 10
	keepTail = 32 << 10
)

// output collects what a command prints: the beginning and the end, and passes everything on as it
// comes.
type output struct {
	progress func(string)
	redactor *secret.Stream // before anything is cut: half a secret would not be found; nil: none
	head     []byte
	tail     []byte // a ring once it is full
	at       int
	total    int
	split    []byte // the beginning of a character

	keep *Outputs // for what the model is not given; nil: that is lost
	all  []byte   // the first keepOutput bytes, for keep
	name string   // in keep
}

func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	if o.redactor != nil {
		p = []byte(o.redactor.Write(string(p)))
	}
	o.take(p)
	return n, nil
}

// take collects what has no secrets.
func (o *output) take(p []byte) {
	o.total += len(p)
	if room := keepOutput - len(o.all); o.keep != nil && room > 0 {
		o.all = append(o.all, p[:min(room, len(p))]...)
	}
	if o.progress != nil {
		o.pass(p)
	}
	if room := keepHead - len(o.head); room > 0 {
		k := min(room, len(p))
		o.head = append(o.head, p[:k]...)
		p = p[k:]
	}
	if len(p) > keepTail {
		p = p[len(p)-keepTail:]
	}
	for len(p) > 0 {
		if len(o.tail) < keepTail {
			k := min(keepTail-len(o.tail), len(p))
			o.tail = append(o.tail, p[:k]...)
			p = p[k:]
			continue
		}
		k := copy(o.tail[o.at:], p)
		o.at = (o.at + k) % keepTail
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

// flush ends the output: it takes what was held back, and passes on what is left of a broken
// character.
func (o *output) flush() {
	if o.redactor != nil {
		o.take([]byte(o.redactor.Flush()))
	}
	if len(o.split) > 0 && o.progress != nil {
		o.progress("\uFFFD")
	}
	o.split = nil
}

// text returns what was kept, with a line that says what was not.
func (o *output) text() string {
	tail := append(append([]byte(nil), o.tail[o.at:]...), o.tail[:o.at]...)
	left := o.total - len(o.head) - len(tail)
	s := string(o.head) + string(tail)
	if left > 0 {
		head, rest := string(o.head), string(tail)
		if i := strings.LastIndexByte(head, '\n'); i >= 0 {
			left += len(head) - i - 1
			head = head[:i+1]
		}
		if i := strings.IndexByte(rest, '\n'); i >= 0 && i < len(rest)-1 {
			left += i + 1
			rest = rest[i+1:]
		}
		s = fmt.Sprintf("%s[%d bytes left out%s]\n%s", head, left, o.elsewhere(), rest)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// elsewhere returns where what was left out can be read, "" if nowhere.
func (o *output) elsewhere() string {
	if o.keep == nil {
		return ""
	}
	if o.name == "" {
		o.name = o.keep.add(strings.ToValidUTF8(string(o.all), "\uFFFD"))
	}
	what := "all of it"
	if o.total > keepOutput {
		what = fmt.Sprintf("the first %d MiB of it", keepOutput>>20)
	}
	return fmt.Sprintf("; read_file artifact://%s has %s", o.name, what)
}
