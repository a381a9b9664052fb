package terminal

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// pasted returns the text of a paste: line ends are LF, and controls that tmux has encoded as keys
// (CSI 106;5 u, CSI 27;5;106 ~, seen with extended keys in 3.5) are controls again; of letters
// only, so that nothing else that looks like it is touched.
func pasted(p []byte) string {
	s := string(p)
	if strings.Contains(s, "\x1b[") {
		s = decodeControls(s)
	}
	return lineFeeds(s)
}

// lineFeeds returns s with line ends as LF. It makes one copy: a paste may be large.
func lineFeeds(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\r')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		b.WriteByte('\n')
		s = strings.TrimPrefix(s[i+1:], "\n")
	}
}

// maxPaste is how many bytes of a paste are one event.
const maxPaste = 16 << 20

// pieces puts a paste together that comes in several tokens, up to maxPaste.
type pieces struct {
	texts []string // that no event has told
	size  int
	over  bool   // events tell each piece as it comes
	open  bool   // an event has told one
	carry []byte // the end of the last token, which may be the beginning of a CR LF or of a control
}

// take adds the events of a token that is a paste.
func (p *pieces) take(events []Event, tok stdinbuf.Token) []Event {
	data := tok.Data
	if len(p.carry) > 0 {
		data = append(p.carry, data...)
		p.carry = nil
	}
	if tok.More {
		whole := len(data)
		if at := max(len(data)-maxControl, 0); bytes.IndexByte(data[at:], 0x1b) >= 0 {
			whole = at + bytes.LastIndexByte(data[at:], 0x1b)
		}
		if whole > 0 && data[whole-1] == '\r' {
			whole--
		}
		p.carry = bytes.Clone(data[whole:])
		data = data[:whole]
	}
	text := pasted(data)
	p.texts, p.size = append(p.texts, text), p.size+len(text)
	switch p.over = p.over || p.size > maxPaste; {
	case p.over:
		for i, text := range p.texts {
			events = append(events, Paste{Text: text, More: tok.More || i < len(p.texts)-1, Rest: p.open})
			p.open = true
		}
		p.texts = nil
	case !tok.More:
		events = append(events, Paste{Text: strings.Join(p.texts, "")})
	}
	if !tok.More {
		*p = pieces{}
	}
	return events
}

// raw is a paste that came without brackets, because the terminal does not know them: it looks like
// typing, and each of its lines would be sent off. A read with three lines or more was not typed,
// unless the loop was asleep meanwhile; then, too, showing the lines is safer than obeying them.
type raw struct {
	seen bool      // a bracketed paste has come: the terminal knows them
	text []byte    // what has been collected
	at   time.Time // when it counts as complete
}

// add takes a read that belongs to such a paste.
func (r *raw) add(p []byte, at time.Time) bool {
	if r.seen || bytes.IndexByte(p, 0x1b) >= 0 || len(r.text) > maxRaw {
		return false
	}
	if len(r.text) == 0 {
		lines := 1 + bytes.Count(p, []byte{'\r'}) + bytes.Count(p, []byte{'\n'}) - bytes.Count(p, []byte{'\r', '\n'})
		if last := p[len(p)-1]; last == '\r' || last == '\n' {
			lines--
		}
		if lines < 3 {
			return false
		}
	}
	r.text = append(r.text, p...)
	r.at = at.Add(rawQuiet)
	return true
}

const (
	rawQuiet = 10 * time.Millisecond // between the reads of one paste
	maxRaw   = 16 << 20              // bytes
)

// pasteTail looks at what follows a paste in the same read. A text that holds the end marker ends
// its own paste, and what comes behind would be typing, Enter included; but then the terminal's own
// end marker still follows: what stands between the two was pasted. (Terminals filter the marker;
// this is for those that do not.)
type pasteTail struct {
	at   int    // 1 + the index of the paste among the events; 0: there is none
	data []byte // what came after it
}

// follow takes the token that has just been turned into events, and returns the events as they are
// now known to be.
func (p *pasteTail) follow(t stdinbuf.Token, events []Event) []Event {
	switch {
	case t.Kind == stdinbuf.Paste && t.More:
	case t.Kind == stdinbuf.Paste:
		p.at, p.data = len(events), p.data[:0]
	case p.at == 0:
	case t.Kind != stdinbuf.CSI || string(t.Data) != "\x1b[201~":
		p.data = append(p.data, t.Data...)
	default:
		paste := events[p.at-1].(Paste)
		paste.Text += "\x1b[201~" + pasted(p.data)
		events[p.at-1] = paste
		kept := slices.DeleteFunc(events[p.at:], func(ev Event) bool {
			_, isKey := ev.(Key)
			return isKey
		})
		events, p.data = events[:p.at+len(kept)], p.data[:0]
	}
	return events
}

func decodeControls(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		c, n := encodedControl(s)
		if n == 0 {
			b.WriteString(s[:2])
			s = s[2:]
			continue
		}
		b.WriteByte(c)
		s = s[n:]
	}
}

// maxControl is how many bytes of an encoded control are looked at.
const maxControl = 16

// encodedControl reads one such key at the start of s; n is 0 if there is none.
func encodedControl(s string) (c byte, n int) {
	end := strings.IndexAny(s[2:min(len(s), maxControl)], "u~")
	if end < 0 {
		return 0, 0
	}
	end += 2
	p, ok := params([]byte(s[2:end]))
	code := 0
	switch {
	case !ok:
	case s[end] == 'u' && p.n == 2 && p.at(1, 0, 0) == 5:
		code = p.at(0, 0, 0)
	case s[end] == '~' && p.n == 3 && p.at(0, 0, 0) == 27 && p.at(1, 0, 0) == 5:
		code = p.at(2, 0, 0)
	}
	if code |= 0x20; code < 'a' || code > 'z' {
		return 0, 0
	}
	return byte(code) & 0x1f, end + 1
}
