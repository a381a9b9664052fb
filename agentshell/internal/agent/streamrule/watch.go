package streamrule

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
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
	head      string   // the beginning of the arguments of a call, where a path is looked for
	paths     []string // that the call names, as far as they are known
	waiting   []int    // rules that match and wait for a path of theirs
}

// maxHead is how much of the arguments of a call is searched for a path before it is complete.
const maxHead = 1 << 10

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
	if !w.watches("tool:" + name) {
		return nil
	}
	s := w.streamOf("call " + id)
	if len(s.head) < maxHead {
		s.head += delta[:min(len(delta), maxHead-len(s.head))]
		s.paths = pathsIn(s.head)
	}
	return append(w.add("call "+id, "tool:"+name, s.unescaper.write(delta), false), w.release(s)...)
}

// EndCall ends a call. input is used if no arguments were streamed. paths are those that the call
// names.
func (w *Watch) EndCall(id, name, input string, paths []string) []Rule {
	if !w.watches("tool:" + name) {
		return nil
	}
	s, key, source := w.streamOf("call "+id), "call "+id, "tool:"+name
	s.paths = append(paths, pathsIn(input)...)
	var matches []Rule
	if len(s.window) == 0 && s.unescaper.incomplete == "" {
		matches = w.add(key, source, s.unescaper.write(input), false)
	}
	remainder := s.unescaper.incomplete
	s.unescaper.incomplete = ""
	matches = append(matches, w.add(key, source, remainder, true)...)
	return append(matches, w.release(s)...)
}

// pathArgument finds a path in arguments. In a string the quotes would have backslashes.
var pathArgument = lazyregexp.New(`[{,]\s*"(?:path|file_path)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// pathsIn returns the paths in JSON arguments, which may be incomplete.
func pathsIn(input string) (paths []string) {
	for _, m := range pathArgument().FindAllStringSubmatch(input, maxPaths) {
		var file string
		if json.Unmarshal([]byte(m[1]), &file) == nil {
			paths = append(paths, file)
		}
	}
	return paths
}

// maxPaths is how many paths of one call are compared with globs.
const maxPaths = 100

// release returns the rules that wait for a path, if it is there now.
func (w *Watch) release(s *stream) (matches []Rule) {
	s.waiting = slices.DeleteFunc(s.waiting, func(i int) bool {
		is := !w.matched[i] && slices.ContainsFunc(s.paths, w.Rules[i].appliesToPath)
		if is {
			w.matched[i] = true
			matches = append(matches, w.Rules[i])
		}
		return is
	})
	return matches
}

// watches reports whether a rule with patterns is for a source.
func (w *Watch) watches(source string) bool {
	return slices.ContainsFunc(w.Rules, func(r Rule) bool { return len(r.patterns) > 0 && r.appliesTo(source) })
}

// Structural returns the rules with patterns of ast-grep that may be found in a call of a tool, and
// were not found yet.
func (w *Watch) Structural(tool string) (rules []Rule) {
	for i, r := range w.Rules {
		if len(r.structures) > 0 && r.appliesTo("tool:"+tool) && (w.matched == nil || !w.matched[i]) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Found notes that a rule was found.
func (w *Watch) Found(name string) {
	w.streamOf("text")
	for i, r := range w.Rules {
		w.matched[i] = w.matched[i] || r.Name == name
	}
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
	if text == "" && !end || !w.watches(source) {
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
		if w.matched[i] || slices.Contains(s.waiting, i) || !r.appliesTo(source) ||
			!r.matchesIn(s.window, s.truncated) {
			continue
		}
		if len(r.globs) > 0 && !slices.ContainsFunc(s.paths, r.appliesToPath) {
			s.waiting = append(s.waiting, i)
			continue
		}
		w.matched[i] = true
		matches = append(matches, r)
	}
	return matches
}

// matchesIn reports whether the rule matches in a window. In a truncated window a match at its
// beginning does not count: it may begin earlier, or the pattern may take the cut for the beginning
// of the text.
func (r Rule) matchesIn(window []byte, truncated bool) bool {
	// To look for a text costs a small part of what an expression costs.
	if len(r.needs) > 0 && !slices.ContainsFunc(r.needs, func(text string) bool {
		return bytes.Contains(window, []byte(text))
	}) {
		return false
	}
	for _, pattern := range r.patterns {
		re := pattern()
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
