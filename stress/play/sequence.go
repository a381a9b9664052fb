package play

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// sequence compares the lines of a terminal with the text that they must have, wherever rows are
// broken. It is for text that was written at several widths, or measured by another width model
// than the expected rows.
//
// All of the text must be there once and in order, and rows must end where words end. The lines are
// read from the last one up, since text that a terminal has pushed out while it was live stands
// above its final copy.
type sequence struct {
	text  string // expected text, with one blank between words and a line feed between paragraphs
	p     int    // the text before this byte is still to be found
	rules rules
	lines []string // lines of the terminal that were not looked for yet; the last one is next
	extra []string // lines that are not expected text, the last one of the terminal first
	v     *verdict
}

// rules describes what a terminal may do to rows by itself when its size changes.
type rules struct {
	cut    []int    // widths, in columns, at which the terminal has cut rows
	behind int      // number of cells behind that edge that the terminal keeps
	widest int      // the largest width, in columns, that the terminal has had
	pieces int      // number of lines that the terminal may have broken into two
	left   []string // live rows, without blanks, that the terminal pushed into its history
	parts  []string // beginnings of such rows, which may stand alone
}

// compare looks for all lines of the terminal in the text, and counts what is wrong in s.v.
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

// lineLength returns the length of line in bytes if the text before byte p ends with it, otherwise
// 0.
func (s *sequence) lineLength(line string, p int) int {
	if line == "" || !strings.HasSuffix(s.text[:p], line) || strings.Contains(line, "\n") {
		return 0
	}
	return len(line)
}

// take marks the last n bytes before s.p as found, and the gap before them, too. A line that begins
// within a word counts as split or as garbage, unless a row may break there.
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

// breaks reports whether a row may end at s.p in the middle of a word: on either side of a wide
// cluster (Unicode's line breaking, UAX 14: ideographs, syllables and emoji), never within a
// cluster.
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

// distinctPrefix is the number of bytes at which a text is long enough to be told from all other
// lines.
const distinctPrefix = 12

// takeGlued takes a line that begins with other text and ends with the expected one, because the
// terminal has joined a row that it pushed out with the row after it. It reports whether line is
// such a line.
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

// takeCut takes a line whose end the terminal may have cut off. It reports whether line is such a
// line.
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

// maxRow is a limit in bytes: every row of the text is shorter.
const maxRow = 1000

// skip takes a line that stands further up in the text, and counts the text behind it, up to s.p,
// as lost. It reports whether line was found there.
func (s *sequence) skip(line string) bool {
	at := strings.LastIndex(s.text[:s.p], line)
	if at < 0 || len(line) < distinctPrefix {
		return false
	}
	s.lose(at + len(line))
	s.take(len(line))
	return true
}

// lose counts the text from byte end to s.p as lost.
func (s *sequence) lose(end int) {
	lost := strings.Trim(s.text[end:s.p], " \n")
	if lost != "" {
		s.v.Lost++
		s.v.LostIDs += ids(lost)
		s.v.LostWords += len(strings.Fields(lost))
	}
	s.p = end
}

// explainExtra counts the lines that are not expected text. A line that is one of the live rows
// that the terminal itself pushed out is exempt; each pushed row explains one line. The program has
// left or doubled the others.
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

// dropPushed removes one pushed row whose text without blanks is t. It reports whether there was
// one.
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

// withoutDoubtfulGaps returns line without the free columns behind clusters of doubtful width. They
// are there because the next text stands where the widest measure puts it.
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
