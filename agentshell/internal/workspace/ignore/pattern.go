package ignore

import "strings"

// rule is one pattern of a .gitignore file.
type rule struct {
	order   int // order tells which rule decides: the one with the highest number.
	negated bool
	dirOnly bool
	fold    bool // fold ignores the case of ASCII letters.
	form    form
	// text is the name, the end of a name, or the beginning of the path.
	text string
	prog *program // prog matches a name, or the rest of a path after text; nil: nothing follows.
}

type form uint8

const (
	exactName  form = iota // exactName means that the name equals text.
	nameSuffix             // nameSuffix means that the name ends with text.
	nameGlob               // nameGlob means that prog matches the name.
	// pathGlob means that the path, relative to the file's directory, is text followed by what prog
	// matches.
	pathGlob
)

// maxPattern is the number of bytes of the longest pattern that is used. No path is longer.
const maxPattern = 4096

const special = `*?[\`

// bom is the byte order mark that some editors write at the beginning of files.
const bom = "\xef\xbb\xbf"

// parse parses the text of a .gitignore file, as git's dir.c does. order is the number of the first
// rule.
func parse(text string, order int, fold bool) (names, paths []*rule) {
	text = strings.TrimPrefix(text, bom)
	for text != "" {
		line, next, _ := strings.Cut(text, "\n")
		text = next
		if line == "" || line[0] == '#' {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\r"), "\x00")
		r := parseLine(trimBlanks(line), fold)
		if r == nil {
			continue
		}
		r.order = order
		order++
		if r.form == pathGlob {
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

// parseLine parses one pattern. It returns nil if the pattern matches nothing.
func parseLine(line string, fold bool) *rule {
	r := &rule{fold: fold}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" || len(line) > maxPattern {
		return nil
	}
	if !strings.Contains(line, "/") {
		r.setName(line)
		return r
	}
	if line = strings.TrimPrefix(line, "/"); line == "" {
		return nil
	}
	if after, ok := strings.CutPrefix(line, "**/"); ok && !strings.Contains(after, "/") {
		r.setName(after)
		return r
	}
	r.form = pathGlob
	at := strings.IndexAny(line, special)
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

// setName makes r a rule about names.
func (r *rule) setName(pattern string) {
	switch {
	case !strings.ContainsAny(pattern, special):
		r.form, r.text = exactName, pattern
	case pattern[0] == '*' && !strings.ContainsAny(pattern[1:], special):
		r.form, r.text = nameSuffix, pattern[1:]
	default:
		r.form, r.prog = nameGlob, compile(pattern, false, r.fold)
	}
}

// matches reports whether a rule about names matches name.
func (r *rule) matches(x *scratch, name string) bool {
	switch r.form {
	case exactName:
		return len(name) == len(r.text) && r.equal(name, r.text)
	case nameSuffix:
		return len(name) >= len(r.text) && r.equal(name[len(name)-len(r.text):], r.text)
	}
	return r.prog.ends(r.prog.run(x, r.prog.start(), name))
}

// equal compares two texts of the same length, as r.fold says.
func (r *rule) equal(a, b string) bool {
	if !r.fold {
		return a == b
	}
	for i := range len(a) {
		if lower(a[i], true) != lower(b[i], true) {
			return false
		}
	}
	return true
}

// pathProgress tells how much of a rule the beginning of a path has matched.
type pathProgress struct {
	text  int   // text is the number of matched bytes of rule.text.
	state state // state is the state of rule.prog after all of rule.text is matched.
}

// begin returns the progress of an empty path.
func (r *rule) begin() pathProgress {
	if r.text == "" {
		return pathProgress{state: r.prog.start()}
	}
	return pathProgress{}
}

// next returns the progress of a path after text is added to it. It returns false if no such path
// can match. The state uses the memory of x.
func (r *rule) next(x *scratch, at pathProgress, text string) (pathProgress, bool) {
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
	at.state = r.prog.run(x, at.state, text)
	return at, len(at.state) > 0
}

// ends reports whether the rule matches a path with the progress at.
func (r *rule) ends(at pathProgress) bool {
	return at.text == len(r.text) && (r.prog == nil || r.prog.ends(at.state))
}
