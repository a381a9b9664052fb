package play

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A sequence compares a tape with the text that must be on it, wherever rows are broken: for text
// that was written at several widths, or measured by another model than that of the expected rows.
// All of it must be there once and in order, and rows end where words end. It is read from the end,
// since what a terminal has pushed out while it was live stands above its final copy.
type sequence struct {
	text  string // words by one blank, paragraphs by a line feed
	p     int    // what stands before it is still to be found
	rules rules
	lines []string // of the tape, of which the last is to be found next
	extra []string // lines that are none of it, from the end
	v     *verdict
}

// rules are what a terminal may do to rows by itself (specification of the terminals).
type rules struct {
	cut    []int    // it cuts rows at these widths
	behind int      // and keeps so many cells behind that edge
	widest int      // the most columns that it has had
	pieces int      // so many lines may be taken apart
	left   []string // rows that it pushed out while they were live, without blanks
	parts  []string // beginnings of such rows
}

// compare reads all lines.
func (s *sequence) compare() {
	for len(s.lines) > 0 {
		line := s.lines[len(s.lines)-1]
		switch n := s.lineLength(line, s.p); {
		case n > 0:
			s.take(n)
		case s.takeGlued(line):
		case s.takeCut(line):
		case s.skip(line):
		default:
			s.extra = append(s.extra, line)
		}
		s.lines = s.lines[:len(s.lines)-1]
	}
	s.lose(0)
	s.explainExtra()
}

// lineLength returns the number of bytes before p that are this line, 0 if the text is another one
// there.
func (s *sequence) lineLength(line string, p int) int {
	if line == "" || !strings.HasSuffix(s.text[:p], line) || strings.Contains(line, "\n") {
		return 0
	}
	return len(line)
}

// take goes n bytes back, over the gap between two words, too. A line that begins within a word is
// a piece, or torn.
func (s *sequence) take(n int) {
	if s.p -= n; s.p == 0 {
		return
	}
	if c := s.text[s.p-1]; c == ' ' || c == '\n' {
		s.p--
		return
	}
	if s.breaks() {
		return
	}
	if s.v.Split < s.rules.pieces {
		s.v.Split++
		return
	}
	s.v.Garbage++
}

// breaks reports whether a row may end at p, in the middle of a word: beside a wide cluster
// (Unicode's line breaking, UAX 14: ideographs, syllables and emoji have an opportunity on both
// sides), never within one.
func (s *sequence) breaks() bool {
	m := width.Model{Method: width.Grapheme}
	before, at := 0, strings.LastIndexAny(s.text[:s.p], " \n")+1
	for at < s.p {
		c, _, w := m.Next(s.text[at:])
		before, at = w, at+len(c)
	}
	_, _, after := m.Next(s.text[s.p:])
	return at == s.p && max(before, after) > 1
}

// distinctPrefix is the number of bytes that tell a line from all others.
const distinctPrefix = 12

// takeGlued takes a line that begins with foreign text: the terminal joins a row that it has pushed
// out with the row after it.
func (s *sequence) takeGlued(line string) bool {
	n := 0
	for i := range line {
		if k := s.lineLength(line[i:], s.p); k >= distinctPrefix &&
			(s.p == k || s.text[s.p-k-1] == ' ' || s.text[s.p-k-1] == '\n') {
			n = k
			break
		}
	}
	if n == 0 {
		return false
	}
	s.extra = append(s.extra, line[:len(line)-n])
	s.take(n)
	return true
}

// takeCut takes a line whose end the terminal has cut off.
func (s *sequence) takeCut(line string) bool {
	w := width.Model{}.String(line)
	for _, cols := range s.rules.cut {
		if w < cols-1 || w > cols+s.rules.behind { // of a blank at the edge nothing is left
			continue
		}
		from := max(0, s.p-maxRow)
		at := strings.LastIndex(s.text[from:s.p], line)
		if at < 0 {
			continue
		}
		if rest := s.text[from+at+len(line) : s.p]; !strings.Contains(rest, "\n") && len(rest) > 0 &&
			w+(width.Model{}).String(rest) <= s.rules.widest {
			s.v.Cut++
			s.p = from + at + len(line)
			s.take(len(line))
			return true
		}
	}
	return false
}

// maxRow is more than any row has, in bytes.
const maxRow = 1000

// skip takes a line that stands further up in the text, and counts the text between as lost. The
// terminal has left that text behind while it was not final, so it stands further down.
func (s *sequence) skip(line string) bool {
	at := strings.LastIndex(s.text[:s.p], line)
	if at < 0 || len(line) < distinctPrefix {
		return false
	}
	s.lose(at + len(line))
	s.take(len(line))
	return true
}

// lose counts the text from byte end to p.
func (s *sequence) lose(end int) {
	lost := strings.Trim(s.text[end:s.p], " \n")
	if lost != "" {
		s.v.Lost++
		s.v.LostIDs += ids(lost)
		s.v.LostWords += len(strings.Fields(lost))
	}
	s.p = end
}

// explainExtra looks for each extra line among the live rows that the terminal pushed out. Each
// pushed row explains one line. The others were left behind or written twice without need.
func (s *sequence) explainExtra() {
	for i := len(s.extra) - 1; i >= 0; i-- {
		line := s.extra[i]
		t := withoutBlanks(line)
		switch n := ids(line); {
		case t == "":
			s.v.Blank++
		case s.rules.dropPushed(t):
			s.v.Left++
			s.v.LeftIDs += n
		case footer.MatchString(line):
			s.v.StaleFooterRows++
		case n > 0 || strings.Contains(strings.ReplaceAll(s.text, "\n", " "), line):
			s.v.Dup++
			s.v.DupIDs += n
			s.v.Extra += len(strings.Fields(line))
		default:
			s.v.Garbage++
			s.v.Extra += len(strings.Fields(line))
		}
	}
}

// dropPushed removes one pushed row with the text t, compared without blanks.
func (r *rules) dropPushed(t string) bool {
	for i, l := range r.left {
		if l == t || len(r.cut) > 0 && len(t) >= distinctPrefix && strings.HasPrefix(l, t) {
			r.left = slices.Delete(r.left, i, i+1)
			return true
		}
	}
	for i, l := range r.parts {
		if l == t {
			r.parts = slices.Delete(r.parts, i, i+1)
			return true
		}
	}
	return false
}

func ids(text string) int {
	n := 0
	for _, w := range strings.Fields(text) {
		if id.MatchString(w) {
			n++
		}
	}
	return n
}

// withoutDoubtfulGaps removes the free columns after a cluster of doubtful width. The text after it
// stands where the widest measure puts it.
func withoutDoubtfulGaps(line string) string {
	var b strings.Builder
	m := width.Model{}
	for spare := 0; line != ""; {
		if n := len(line) - len(strings.TrimLeft(line, " ")); n > 0 {
			b.WriteString(strings.Repeat(" ", max(n-spare, min(n, 1))))
			line, spare = line[n:], 0
			continue
		}
		c, rest, _ := m.Next(line)
		spare = 0
		if m.Doubtful(c) {
			spare = m.Widest(c) - 1
		}
		b.WriteString(c)
		line = rest
	}
	return b.String()
}
