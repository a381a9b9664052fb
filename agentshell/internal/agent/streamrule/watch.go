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

// Span is the longest match of a pattern in bytes.
const Span = 2 << 10

// Limits on the number of new bytes after which the patterns are matched again. Between these
// limits, they are matched when an eighth of the text is new. So the total time is proportional to
// the length of the text, however small the streamed pieces are.
const (
	minNewBytes = 128
	maxNewBytes = 4 << 10
)

// Watch matches rules against one message of a model while it streams. The zero value matches
// nothing.
type Watch struct {
	Rules []Rule // the rules to match; each is returned at most once
	// matched[i] says that Rules[i] has matched already
	matched []bool
	streams map[string]*stream
}

// stream holds the last bytes of one source: the answer, the thinking, or the arguments of a call.
type stream struct {
	window    []byte
	truncated bool // the beginning of the text was dropped from window
	size      int  // the number of bytes of the whole text so far
	newBytes  int  // the number of bytes since the patterns were last matched
	unescaper jsonUnescaper
	head      string   // the first bytes of a call's arguments, in which paths are searched
	paths     []string // the paths that were found in the call so far
	waiting   []int    // indexes of rules that match if the call names a path for their globs
}

// maxHead is the number of bytes of an incomplete call's arguments in which paths are searched.
const maxHead = 1 << 10

// Text adds a streamed piece of the model's answer, or of its thinking, and returns the rules that
// match now.
func (w *Watch) Text(delta string, thinking bool) []Rule {
	if thinking {
		return w.add("thinking", "thinking", delta, false)
	}
	return w.add("text", "text", delta, false)
}

// Call adds a streamed piece of a call's JSON arguments, and returns the rules that match now.
// Rules see the contents of strings without escapes.
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

// EndCall ends the arguments of a call, and returns the rules that match now. input holds all of
// the arguments, which some servers do not stream. paths are further paths that the call names.
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

// pathArgument matches an argument with a path. It does not match inside a JSON string, where the
// quotes would be escaped.
var pathArgument = lazyregexp.New(`[{,]\s*"(?:path|file_path)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// pathsIn returns the path arguments in JSON, which may be incomplete.
func pathsIn(input string) (paths []string) {
	for _, m := range pathArgument().FindAllStringSubmatch(input, maxPaths) {
		var file string
		if json.Unmarshal([]byte(m[1]), &file) == nil {
			paths = append(paths, file)
		}
	}
	return paths
}

// maxPaths is the number of paths of one call that are compared with globs.
const maxPaths = 100

// release returns the rules of a stream that were waiting for a path, if their globs match a path
// that is now known.
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

// watches reports whether any rule with regular expressions checks a source.
func (w *Watch) watches(source string) bool {
	return slices.ContainsFunc(w.Rules, func(r Rule) bool { return len(r.patterns) > 0 && r.appliesTo(source) })
}

// Structural returns the rules that have ast-grep patterns for calls of the tool, and that have not
// matched yet.
func (w *Watch) Structural(tool string) (rules []Rule) {
	for i, r := range w.Rules {
		if len(r.structures) > 0 && r.appliesTo("tool:"+tool) && (w.matched == nil || !w.matched[i]) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Found records that the rule with that name has matched, so that it does not match again.
func (w *Watch) Found(name string) {
	w.streamOf("text")
	for i, r := range w.Rules {
		w.matched[i] = w.matched[i] || r.Name == name
	}
}

// End ends the message, and returns the rules that match now.
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

// add appends text to the window of a stream. It matches the rules if there is enough new text, or
// if end is true.
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

// matchesIn reports whether a pattern of the rule matches in a window. If the window is truncated,
// a match at its first byte does not count: the real match may begin earlier, or the pattern may
// take the cut for the beginning of the text.
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

// jsonUnescaper decodes the escapes in JSON that arrives in pieces. incomplete is the beginning of
// an escape at the end of the last piece.
type jsonUnescaper struct{ incomplete string }

// escapeLetters maps the letter after a backslash in JSON to the character that the escape stands
// for.
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

// decodeEscape decodes the JSON escape at the beginning of s. n is its length in bytes, or 0 if it
// is incomplete.
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
