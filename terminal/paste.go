package terminal

import (
	"bytes"
	"strings"
	"time"
)

// pasted is the text of a paste: line ends are LF, and controls that tmux has encoded as keys (CSI 106;5 u, CSI 27;5;106 ~, seen with extended keys in 3.5) are
// controls again; of letters only, so that nothing else that looks like it is touched.
func pasted(p []byte) string {
	s := string(p)
	if strings.Contains(s, "\x1b[") {
		s = decodeControls(s)
	}
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// raw is a paste that came without brackets, because the terminal does not know them: it looks like typing, and each of its lines would be sent off. A read with three lines or more was
// not typed, unless the loop was asleep meanwhile; then, too, showing the lines is safer than obeying them.
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
	maxRaw   = 64 << 20              // bytes
)

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

// encodedControl reads one such key at the start of s; n is 0 if there is none.
func encodedControl(s string) (c byte, n int) {
	end := strings.IndexAny(s[2:min(len(s), 16)], "u~")
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
