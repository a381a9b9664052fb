package streamrule

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Span is the length of the longest match, in bytes.
const Span = 2 << 10

// Bounds of the new bytes after which the patterns are matched again. In between, it happens when
// an eighth of the text is new. So all matching together takes time proportional to the text,
// however small the pieces are.
const (
	minNewBytes = 128
	maxNewBytes = 4 << 10
)

// Watch matches rules against one message of a model as it streams. The zero value matches nothing.
type Watch struct {
	Rules []Rule // each one matches once
	// by index of Rules
	matched []bool
	streams map[string]*stream
}

// stream is the window of one source.
type stream struct {
	window    []byte
	truncated bool // window does not begin at the beginning of the text
	size      int  // bytes of the whole text
	newBytes  int  // bytes since the last matching
	unescaper jsonUnescaper
}

// Text adds a piece of the answer, or of the model's thinking. It returns the rules that match now.
func (w *Watch) Text(delta string, thinking bool) []Rule {
	if thinking {
		return w.add("thinking", "thinking", delta, false)
	}
	return w.add("text", "text", delta, false)
}

// Call adds a piece of the JSON arguments of a call, without the escapes in strings. It returns the
// rules that match now.
func (w *Watch) Call(id, name, delta string) []Rule {
	if len(w.Rules) == 0 {
		return nil
	}
	s := w.streamOf("call " + id)
	return w.add("call "+id, "tool:"+name, s.unescaper.write(delta), false)
}

// EndCall ends a call. input is used if no arguments were streamed.
func (w *Watch) EndCall(id, name, input string) []Rule {
	if len(w.Rules) == 0 {
		return nil
	}
	s, key, source := w.streamOf("call "+id), "call "+id, "tool:"+name
	var matches []Rule
	if len(s.window) == 0 && s.unescaper.incomplete == "" {
		matches = w.add(key, source, s.unescaper.write(input), false)
	}
	remainder := s.unescaper.incomplete
	s.unescaper.incomplete = ""
	return append(matches, w.add(key, source, remainder, true)...)
}

// End ends the message. It returns the rules that match now.
func (w *Watch) End() []Rule {
	return append(w.add("text", "text", "", true), w.add("thinking", "thinking", "", true)...)
}

func (w *Watch) streamOf(key string) *stream {
	if w.streams == nil {
		w.streams, w.matched = map[string]*stream{}, make([]bool, len(w.Rules))
	}
	if w.streams[key] == nil {
		w.streams[key] = &stream{}
	}
	return w.streams[key]
}

// add adds text to a window, and matches the rules if there is enough new text, or at the end.
func (w *Watch) add(key, source, text string, end bool) (matches []Rule) {
	if len(w.Rules) == 0 || text == "" && !end {
		return nil
	}
	s := w.streamOf(key)
	for {
		n := min(len(text), maxNewBytes)
		s.window = append(s.window, text[:n]...)
		s.newBytes, s.size = s.newBytes+n, s.size+n
		text = text[n:]
		if s.newBytes >= min(max(s.size/8, minNewBytes), maxNewBytes) || end && text == "" && s.newBytes > 0 {
			matches = append(matches, w.matchRules(s, source)...)
			s.newBytes = 0
			if excess := len(s.window) - Span; excess > 0 {
				s.window = append(s.window[:0], s.window[excess:]...)
				s.truncated = true
			}
		}
		if text == "" {
			return matches
		}
	}
}

func (w *Watch) matchRules(s *stream, source string) (matches []Rule) {
	for i, r := range w.Rules {
		if !w.matched[i] && r.appliesTo(source) && r.matchesIn(s.window, s.truncated) {
			w.matched[i] = true
			matches = append(matches, r)
		}
	}
	return matches
}

// matchesIn reports whether the rule matches in a window. In a truncated window a match at its
// beginning does not count: it may begin earlier, or the pattern may take the cut for the beginning
// of the text.
func (r Rule) matchesIn(window []byte, truncated bool) bool {
	for _, re := range r.patterns {
		loc := re.FindIndex(window)
		if loc == nil {
			continue
		}
		if !truncated || loc[0] > 0 {
			return true
		}
		for _, location := range re.FindAllIndex(window, 8) {
			if location[0] > 0 {
				return true
			}
		}
	}
	return false
}

// jsonUnescaper replaces the escapes in JSON that comes in pieces.
type jsonUnescaper struct{ incomplete string }

// escapeLetters maps the letter after a backslash to its meaning.
var escapeLetters = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '"': `"`, '\\': `\`,
	'/': "/"}

func (u *jsonUnescaper) write(delta string) string {
	if u.incomplete == "" && !strings.Contains(delta, `\`) {
		return delta
	}
	s := u.incomplete + delta
	u.incomplete = ""
	var b bytes.Buffer
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		if s = s[i:]; len(s) < 2 {
			u.incomplete = s
			break
		}
		text, n := decodeEscape(s)
		if n == 0 {
			u.incomplete = s
			break
		}
		b.WriteString(text)
		s = s[n:]
	}
	return b.String()
}

// decodeEscape returns the text of the escape at the beginning of s, and the length of the escape,
// or 0 if it is incomplete.
func decodeEscape(s string) (text string, n int) {
	if s[1] != 'u' {
		if text, ok := escapeLetters[s[1]]; ok {
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
