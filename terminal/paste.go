package terminal

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// pasteText returns the text of a paste with LF as line end. tmux encodes control characters in a
// paste as keys (CSI 106;5 u, CSI 27;5;106 ~; seen with extended keys in 3.5), which are decoded.
// Only Ctrl with a letter is, so that other text that looks like this stays as it is.
func pasteText(p []byte) string {
	s := string(p)
	if strings.Contains(s, "\x1b[") {
		s = decodeControls(s)
	}
	return lineFeeds(s)
}

// lineFeeds returns s with LF as line end. It makes at most one copy, since a paste may be large.
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

// maxPaste is the most bytes of a paste in one event.
const maxPaste = 16 << 20

// pastePieces joins the tokens of one paste, up to maxPaste bytes.
type pastePieces struct {
	texts    []string // Texts that no event has delivered yet.
	size     int
	streamed bool // The paste is too large to be joined: each piece becomes an event when it comes.
	started  bool // The event of the first piece was made.
	// The end of the last token, which may be the beginning of a CR LF or of an encoded control
	// character.
	carry []byte
}

// takeToken appends the events that follow from tok, a token of a paste.
func (p *pastePieces) takeToken(events []Event, tok stdinbuf.Token) []Event {
	data := tok.Data
	if len(p.carry) > 0 {
		data = append(p.carry, data...)
		p.carry = nil
	}
	if tok.More {
		complete := len(data)
		if at := max(len(data)-maxEncodedControl, 0); bytes.IndexByte(data[at:], 0x1b) >= 0 {
			complete = at + bytes.LastIndexByte(data[at:], 0x1b)
		}
		if complete > 0 && data[complete-1] == '\r' {
			complete--
		}
		p.carry = bytes.Clone(data[complete:])
		data = data[:complete]
	}
	text := pasteText(data)
	p.texts, p.size = append(p.texts, text), p.size+len(text)
	switch p.streamed = p.streamed || p.size > maxPaste; {
	case p.streamed:
		for i, text := range p.texts {
			events = append(events, Paste{Text: text, More: tok.More || i < len(p.texts)-1, Continued: p.started})
			p.started = true
		}
		p.texts = nil
	case !tok.More:
		events = append(events, Paste{Text: strings.Join(p.texts, "")})
	}
	if !tok.More {
		*p = pastePieces{}
	}
	return events
}

// rawPaste collects a paste in a terminal without bracketed paste. It looks like typing, and each
// of its lines would be sent as a message. A read with three lines or more was pasted, unless the
// program was asleep before it. Even then it is safer to show the lines than to obey them.
type rawPaste struct {
	bracketedSeen bool      // A bracketed paste has come, so that the terminal supports it.
	text          []byte    // collected so far
	completeAt    time.Time // When the paste is considered complete.
}

// add takes the bytes of a read and returns true if they belong to such a paste.
func (r *rawPaste) add(p []byte, at time.Time) bool {
	if r.bracketedSeen || bytes.IndexByte(p, 0x1b) >= 0 || len(r.text) > maxRaw {
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
	r.completeAt = at.Add(rawQuiet)
	return true
}

const (
	rawQuiet = 10 * time.Millisecond // The longest pause between two reads of one paste.
	maxRaw   = 16 << 20              // The most bytes of such a paste.
)

// pasteTail looks at the tokens behind a paste in the same read. If the pasted text contains the
// end marker, its rest would count as typing, including Enter. But then the terminal's own end
// marker still follows, and the text between the two markers was pasted. (Most terminals remove the
// marker from pasted text.)
type pasteTail struct {
	pasteEnd int    // The index of the paste among the events, plus 1; 0: there is no paste.
	after    []byte // The bytes behind the paste.
}

// followToken handles token t, whose events are already in events. It returns the events, with the
// paste corrected if t is a second end marker.
func (p *pasteTail) followToken(t stdinbuf.Token, events []Event) []Event {
	switch {
	case t.Kind == stdinbuf.Paste && t.More:
	case t.Kind == stdinbuf.Paste:
		p.pasteEnd, p.after = len(events), p.after[:0]
	case p.pasteEnd == 0:
	case t.Kind != stdinbuf.CSI || string(t.Data) != "\x1b[201~":
		p.after = append(p.after, t.Data...)
	default:
		paste := events[p.pasteEnd-1].(Paste)
		paste.Text += "\x1b[201~" + pasteText(p.after)
		events[p.pasteEnd-1] = paste
		remaining := slices.DeleteFunc(events[p.pasteEnd:], func(ev Event) bool {
			_, isKey := ev.(Key)
			return isKey
		})
		events, p.after = events[:p.pasteEnd+len(remaining)], p.after[:0]
	}
	return events
}

// decodeControls returns s with encoded control characters decoded: see pasteText.
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

// maxEncodedControl is the most bytes of an encoded control character.
const maxEncodedControl = 16

// encodedControl decodes the encoded control character at the start of s. n is its length in bytes,
// 0 if there is none.
func encodedControl(s string) (c byte, n int) {
	end := strings.IndexAny(s[2:min(len(s), maxEncodedControl)], "u~")
	if end < 0 {
		return 0, 0
	}
	end += 2
	p, ok := parseParams([]byte(s[2:end]))
	code := 0
	switch {
	case !ok:
	case s[end] == 'u' && p.count == 2 && p.at(1, 0, 0) == 5:
		code = p.at(0, 0, 0)
	case s[end] == '~' && p.count == 3 && p.at(0, 0, 0) == 27 && p.at(1, 0, 0) == 5:
		code = p.at(2, 0, 0)
	}
	if code |= 0x20; code < 'a' || code > 'z' {
		return 0, 0
	}
	return byte(code) & 0x1f, end + 1
}
