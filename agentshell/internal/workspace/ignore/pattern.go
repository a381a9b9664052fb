package ignore

import "strings"

// rule is one pattern of a .gitignore file.
type rule struct {
	order     int // order tells which rule decides: the one with the highest number.
	negated   bool
	dirOnly   bool
	foldsCase bool // foldsCase ignores the case of ASCII letters.
	matchKind ruleMatchKind
	// text is the name, the end of a name, or the beginning of the path.
	text string
	prog *program // prog matches a name, or the rest of a path after text; nil: nothing follows.
}

type ruleMatchKind uint8

const (
	exactName  ruleMatchKind = iota // exactName means that the name equals text.
	nameSuffix                      // nameSuffix means that the name ends with text.
	nameGlob                        // nameGlob means that prog matches the name.
	// pathGlob means that the path, relative to the file's directory, is text followed by what prog
	// matches.
	pathGlob
)

// maxPatternBytes is the number of bytes of the longest pattern that is used. No path is longer.
const maxPatternBytes = 4096

const specialChars = `*?[\`

// bom is the byte order mark that some editors write at the beginning of files.
const bom = "\xef\xbb\xbf"

// parsePatterns parses the text of a .gitignore file, as git's dir.c does. order is the number of
// the first rule.
func parsePatterns(text string, order int, fold bool) (names, paths []*rule) {
	text = strings.TrimPrefix(text, bom)
	for text != "" {
		line, next, _ := strings.Cut(text, "\n")
		text = next
		if line == "" || line[0] == '#' {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\r"), "\x00")
		r := parsePattern(trimBlanks(line), fold)
		if r == nil {
			continue
		}
		r.order = order
		order++
		if r.matchKind == pathGlob {
			paths = append(paths, r)
		} else {
			names = append(names, r)
		}
	}
	return names, paths
}

// trimBlanks removes the blanks at the end of a line, except those after a backslash.
func trimBlanks(line string) string {
	from := -1 // the first of the last blanks
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == ' ' && from < 0:
			from = i
		case line[i] == ' ':
		case line[i] == '\\':
			if i++; i == len(line) {
				return line
			}
			from = -1
		default:
			from = -1
		}
	}
	if from >= 0 {
		return line[:from]
	}
	return line
}

// parsePattern parses one pattern. It returns nil if the pattern matches nothing.
func parsePattern(line string, fold bool) *rule {
	r := &rule{foldsCase: fold}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" || len(line) > maxPatternBytes {
		return nil
	}
	if !strings.Contains(line, "/") {
		r.setNamePattern(line)
		return r
	}
	if line = strings.TrimPrefix(line, "/"); line == "" {
		return nil
	}
	if after, ok := strings.CutPrefix(line, "**/"); ok && !strings.Contains(after, "/") {
		r.setNamePattern(after)
		return r
	}
	r.matchKind = pathGlob
	at := strings.IndexAny(line, specialChars)
	if at < 0 {
		at = len(line)
	}
	r.text = line[:at]
	if line = line[at:]; line != "" {
		// Git before 2.52 matches what follows the text by itself, so that two stars there stand
		// at the beginning of a name: "x**/y" matches "x/y" and "xy".
		r.prog = compile(line, true, fold)
	}
	return r
}

// setNamePattern makes r a rule about names.
func (r *rule) setNamePattern(pattern string) {
	switch {
	case !strings.ContainsAny(pattern, specialChars):
		r.matchKind, r.text = exactName, pattern
	case pattern[0] == '*' && !strings.ContainsAny(pattern[1:], specialChars):
		r.matchKind, r.text = nameSuffix, pattern[1:]
	default:
		r.matchKind, r.prog = nameGlob, compile(pattern, false, r.foldsCase)
	}
}

// matches reports whether a rule about names matches name.
func (r *rule) matches(x *stateScratch, name string) bool {
	switch r.matchKind {
	case exactName:
		return len(name) == len(r.text) && r.equal(name, r.text)
	case nameSuffix:
		return len(name) >= len(r.text) && r.equal(name[len(name)-len(r.text):], r.text)
	}
	return r.prog.isMatch(r.prog.runText(x, r.prog.start(), name))
}

// equal compares two texts of the same length, as r.foldsCase says.
func (r *rule) equal(a, b string) bool {
	if !r.foldsCase {
		return a == b
	}
	for i := range len(a) {
		if lowerByte(a[i], true) != lowerByte(b[i], true) {
			return false
		}
	}
	return true
}

// pathProgress tells how much of a rule the beginning of a path has matched.
type pathProgress struct {
	text  int       // text is the number of matched bytes of rule.text.
	state positions // state is the state of rule.prog after all of rule.text is matched.
}

// startProgress returns the progress of an empty path.
func (r *rule) startProgress() pathProgress {
	if r.text == "" {
		return pathProgress{state: r.prog.start()}
	}
	return pathProgress{}
}

// advance returns the progress of a path after text is added to it. It returns false if no such
// path can match. The state uses the memory of x.
func (r *rule) advance(x *stateScratch, at pathProgress, text string) (pathProgress, bool) {
	if left := len(r.text) - at.text; left > 0 {
		n := min(left, len(text))
		if !r.equal(text[:n], r.text[at.text:at.text+n]) {
			return pathProgress{}, false
		}
		at.text += n
		text = text[n:]
		if n < left {
			return at, true
		}
		if r.prog == nil {
			return at, text == ""
		}
		at.state = r.prog.start()
	} else if r.prog == nil {
		return at, text == ""
	}
	at.state = r.prog.runText(x, at.state, text)
	return at, len(at.state) > 0
}

// isMatch reports whether the rule matches a path with the progress at.
func (r *rule) isMatch(at pathProgress) bool {
	return at.text == len(r.text) && (r.prog == nil || r.prog.isMatch(at.state))
}
