package harness

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

var dropDoubtful = strings.NewReplacer(func() (pairs []string) {
	for _, d := range slices.Concat(program.Doubts, program.Scripts) {
		for _, r := range d {
			pairs = append(pairs, string(r), "")
		}
	}
	return append(pairs, " ", "")
}()...)

// Squeeze returns s without blanks and without the characters of doubtful width that the test
// programs use. A terminal may add or lose these when it wraps a row anew.
func Squeeze(s string) string { return dropDoubtful.Replace(s) }

// oneColumnText returns s without wide characters and combining marks, because a window of one
// column cannot show them and loses them for good.
func oneColumnText(s string) string {
	var m width.Model
	return strings.Map(func(r rune) rune {
		if m.String(string(r)) != 1 {
			return -1
		}
		return r
	}, s)
}

// sameText reports whether two lines have the same text and agree in whether they wrap into the
// next line.
func sameText(a, b renderer.Line) bool {
	return a.Wrapped == b.Wrapped && textOf(a) == textOf(b)
}

// textOf returns the text of a line without its styles.
func textOf(l renderer.Line) string {
	s := ""
	for i := range l.Spans {
		s += l.Spans[i].Text
	}
	return s
}
