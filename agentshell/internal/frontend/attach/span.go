package attach

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// span is a range of lines of a file, from first to last, counted from 1 and both included. The
// zero value stands for the whole file.
type span struct{ first, last int }

// String returns the span as it is written after the name of a file, such as "10-20".
func (s span) String() string {
	if s.first == s.last {
		return strconv.Itoa(s.first)
	}
	return fmt.Sprintf("%d-%d", s.first, s.last)
}

// cutSpan splits the name of a file that ends in a span of lines: calc.py:3, calc.py:10-20,
// calc.py#L10-20 or calc.py#L10-L20. ok is false if name does not end in a valid span.
func cutSpan(name string) (path string, lines span, ok bool) {
	m := regexp.MustCompile(`^(.+?)(?::|#L)([0-9]{1,9})(?:-L?([0-9]{1,9}))?$`).FindStringSubmatch(name)
	if m == nil {
		return "", span{}, false
	}
	lines.first, _ = strconv.Atoi(m[2]) // nine digits fit into an int
	if lines.last = lines.first; m[3] != "" {
		lines.last, _ = strconv.Atoi(m[3])
	}
	return m[1], lines, 0 < lines.first && lines.first <= lines.last
}

// attached returns the text that is attached for the span of a file, and a phrase about it for the
// user. text is the content of the file, and count its number of lines.
func (s span) attached(name, text string, count int) (part, about string, err error) {
	if s.first > count {
		return "", "", fmt.Errorf("the file has %s", plural.Of(count, "line"))
	}
	s.last = min(s.last, count)
	var wanted strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; s.first <= n && n <= s.last {
			wanted.WriteString(line)
		}
	}
	shown, rows := firstLines(wanted.String())
	about = fmt.Sprintf("%s of %d", plural.Of(rows, "line"), count)
	part = fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(shown))
	if len(shown) < wanted.Len() {
		part += fmt.Sprintf("The rest is in the file: read_file reads it from line %d on.\n", s.first+rows)
	}
	return part, about, nil
}
