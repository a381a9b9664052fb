package streamrule

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Span is how long a match may be, in bytes.
const Span = 2 << 10

// What a look costs is bounded by the window. There is one once an eighth of what was written is
// new, within these bounds in bytes: so all looks together cost a small factor of the stream,
// however small its pieces are.
const (
	leastNew = 128
	mostNew  = 4 << 10
)

// Watch looks at one message of a model as it streams. The zero value sees nothing.
type Watch struct {
	Rules   []Rule // each is found once
	found   []bool
	streams map[string]*stream
}

// stream is the window of one source.
type stream struct {
	window []byte
	cut    bool // window is not the beginning
	size   int  // bytes of all
	fresh  int  // bytes that were not looked at
	open   escapes
}

// Text returns a piece of the answer, or with thinking of what the model thinks. The rules that
// match now are given.
func (w *Watch) Text(delta string, thinking bool) []Rule {
	if thinking {
		return w.add("thinking", "thinking", delta, false)
	}
	return w.add("text", "text", delta, false)
}

// Call returns a piece of the arguments of a call, JSON: strings in it are seen without their
// escapes.
func (w *Watch) Call(id, name, delta string) []Rule {
	if len(w.Rules) == 0 {
		return nil
	}
	s := w.at("call " + id)
	return w.add("call "+id, "tool:"+name, s.open.write(delta), false)
}

// EndCall returns the end of a call; input counts if nothing of it was streamed.
func (w *Watch) EndCall(id, name, input string) []Rule {
	if len(w.Rules) == 0 {
		return nil
	}
	s, key, source := w.at("call "+id), "call "+id, "tool:"+name
	var hits []Rule
	if len(s.window) == 0 && s.open.rest == "" {
		hits = w.add(key, source, s.open.write(input), false)
	}
	rest := s.open.rest
	s.open.rest = ""
	return append(hits, w.add(key, source, rest, true)...)
}

// End returns the end of the message.
func (w *Watch) End() []Rule {
	return append(w.add("text", "text", "", true), w.add("thinking", "thinking", "", true)...)
}

func (w *Watch) at(key string) *stream {
	if w.streams == nil {
		w.streams, w.found = map[string]*stream{}, make([]bool, len(w.Rules))
	}
	if w.streams[key] == nil {
		w.streams[key] = &stream{}
	}
	return w.streams[key]
}

// add puts text into a window and looks at it when there is enough of it, or at the end.
func (w *Watch) add(key, source, text string, end bool) (hits []Rule) {
	if len(w.Rules) == 0 || text == "" && !end {
		return nil
	}
	s := w.at(key)
	for {
		n := min(len(text), mostNew)
		s.window = append(s.window, text[:n]...)
		s.fresh, s.size = s.fresh+n, s.size+n
		text = text[n:]
		if s.fresh >= min(max(s.size/8, leastNew), mostNew) || end && text == "" && s.fresh > 0 {
			hits = append(hits, w.look(s, source)...)
			s.fresh = 0
			if over := len(s.window) - Span; over > 0 {
				s.window = append(s.window[:0], s.window[over:]...)
				s.cut = true
			}
		}
		if text == "" {
			return hits
		}
	}
}

func (w *Watch) look(s *stream, source string) (hits []Rule) {
	for i, r := range w.Rules {
		if !w.found[i] && r.about(source) && r.in(s.window, s.cut) {
			w.found[i] = true
			hits = append(hits, r)
		}
	}
	return hits
}

// in reports whether the rule matches in a window. What begins where a window was cut began before
// it, or the cut looks to the pattern like the beginning of the text.
func (r Rule) in(window []byte, cut bool) bool {
	for _, re := range r.patterns {
		loc := re.FindIndex(window)
		if loc == nil {
			continue
		}
		if !cut || loc[0] > 0 {
			return true
		}
		for _, at := range re.FindAllIndex(window, 8) {
			if at[0] > 0 {
				return true
			}
		}
	}
	return false
}

// escapes takes the escapes out of JSON that comes in pieces.
type escapes struct{ rest string }

// plain is what a letter behind a backslash stands for.
var plain = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '"': `"`, '\\': `\`, '/': "/"}

func (e *escapes) write(delta string) string {
	if e.rest == "" && !strings.Contains(delta, `\`) {
		return delta
	}
	s := e.rest + delta
	e.rest = ""
	var b bytes.Buffer
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		if s = s[i:]; len(s) < 2 {
			e.rest = s
			break
		}
		text, n := escaped(s)
		if n == 0 {
			e.rest = s
			break
		}
		b.WriteString(text)
		s = s[n:]
	}
	return b.String()
}

// escaped returns what the escape at the beginning of s stands for, and its length; 0: it is not
// whole.
func escaped(s string) (text string, n int) {
	if s[1] != 'u' {
		if text, ok := plain[s[1]]; ok {
			return text, 2
		}
		return s[:1], 1
	}
	if len(s) < 6 {
		return "", 0
	}
	first, err := strconv.ParseUint(s[2:6], 16, 16)
	switch {
	case err != nil:
		return s[:2], 2
	case !utf16.IsSurrogate(rune(first)):
		return string(rune(first)), 6
	case len(s) < 12 && strings.HasPrefix(`\u`, s[6:min(len(s), 8)]):
		return "", 0
	case len(s) >= 12 && strings.HasPrefix(s[6:], `\u`):
		if second, err := strconv.ParseUint(s[8:12], 16, 16); err == nil {
			return string(utf16.DecodeRune(rune(first), rune(second))), 12
		}
	}
	return string(utf8.RuneError), 6
}
