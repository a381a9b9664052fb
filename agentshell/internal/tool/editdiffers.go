package tool

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

const (
	maxShownLine = 160 // maxShownLine is the number of bytes of a line that an error quotes.
	maxShownPart = 40  // maxShownPart is the number of bytes that an error quotes of a part of a line.
)

// quote holds the old_string of an edit, split into lines. The first and the last line may be only
// a part of a line in the file.
type quote struct {
	lines []string
	first int  // first is the index of the first line that is not blank.
	whole bool // whole is true if the last line ends with a line break.
}

// newQuote splits the old_string of an edit into lines.
func newQuote(old string) quote {
	q := quote{lines: strings.Split(old, "\n")}
	if last := len(q.lines) - 1; last > 0 && q.lines[last] == "" {
		q.lines, q.whole = q.lines[:last], true
	}
	for q.first < len(q.lines)-1 && strings.TrimSpace(q.lines[q.first]) == "" {
		q.first++
	}
	return q
}

func (q quote) text(i int) string { return q.lines[i] }

// stands reports whether line i of the quote is equal to a line of the file, or to the required
// part of it.
func (q quote) stands(i int, line string) bool { return q.compare(i, line, q.lines[i]) }

// matches reports whether line i of the quote is equal to a line of the file, or to the required
// part of it, apart from blanks and characters that look alike.
func (q quote) matches(i int, line string) bool { return q.compare(i, bare(line), bare(q.lines[i])) }

// compare reports whether sent, a form of line i of the quote, is equal to line. The first line of
// the quote only has to be the end of the line, and the last one its beginning.
func (q quote) compare(i int, line, sent string) bool {
	begins, ends := i == 0, i == len(q.lines)-1 && !q.whole
	switch {
	case begins && ends:
		return strings.Contains(line, sent)
	case begins:
		return strings.HasSuffix(line, sent)
	case ends:
		return strings.HasPrefix(line, sent)
	}
	return line == sent
}

// bare returns a line without blanks and invisible characters, and with ASCII instead of characters
// that look like it, such as typographic quotation marks.
func bare(line string) string { return strings.Map(bareRune, line) }

// bareRune returns the ASCII character that r looks like, r itself if there is none, or -1 for a
// blank and an invisible character.
func bareRune(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.Is(unicode.Cf, r):
		return -1
	case r < utf8.RuneSelf:
		return r
	case strings.ContainsRune("‘’‚‛′", r):
		return '\''
	case strings.ContainsRune("“”„‟″", r):
		return '"'
	case strings.ContainsRune("‐‑‒–—−", r):
		return '-'
	case r >= '！' && r <= '～': // full width
		return r - '！' + '!'
	}
	return r
}

// difference describes the first line of the file that differs from the quote, at the most similar
// place.
type difference struct {
	line    int    // line is the line's number, counted from 1.
	text    string // text is the line as the file has it.
	sent    string // sent is the corresponding line in the quote.
	before  int    // before is the number of matching lines before it.
	skipped bool   // skipped means that the quote lacks the line.
	extra   bool   // extra means that the file lacks the line sent.
	// short means that the file ends before the quote does. The field line is the number of its
	// last line then.
	short bool
	alike bool // alike means that the two lines differ only in blanks or in a part.
}

// firstDifference returns the first difference from the place in text at which most lines of the
// quote match. found lists the lines at which such a place may begin. ok is false if several places
// are equally likely, because only one line can be compared.
func (q quote) firstDifference(text string, found []candidate) (d difference, ok bool) {
	lines := strings.SplitAfterN(strings.TrimSuffix(text, "\n"), "\n", maxCompared+1)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r\n")
	}
	best, length := -1, -1
	for _, c := range found {
		at := c.line - 1 - q.first
		if at < 0 {
			continue
		}
		n := q.run(lines[at:])
		if c.score < blanksDiffer {
			n-- // its first line differs by more than blanks
		}
		if n > length {
			best, length = at, n
		}
	}
	if best < 0 || length <= 0 && found[0].score < blanksDiffer && len(found) > 1 {
		return d, false
	}
	return q.differs(lines[best:], best), true
}

// run returns the number of adjacent lines of the quote that match, beginning with its first
// non-blank one, which is not compared again.
func (q quote) run(lines []string) int {
	n := 1
	for i := q.first + 1; i < len(q.lines) && i < len(lines) && q.matches(i, lines[i]); i++ {
		n++
	}
	return n
}

// differs returns the first difference between the quote and lines. at is the index of the first of
// lines in the file.
func (q quote) differs(lines []string, at int) difference {
	i := 0
	for i < len(q.lines) && i < len(lines) && q.stands(i, lines[i]) {
		i++
	}
	if i == len(q.lines) { // only how lines end differs
		i--
	}
	if i >= len(lines) {
		last := lines[len(lines)-1]
		return difference{line: at + len(lines), text: last, sent: q.lines[i], before: i - 1, short: true}
	}
	d := difference{line: at + i + 1, text: lines[i], sent: q.lines[i], before: i}
	switch {
	case q.matches(i, lines[i]):
		d.text, d.alike = lines[i], true
	case i+1 < len(lines) && q.sameLine(i, lines[i+1]):
		d.skipped = true
	case i+1 < len(q.lines) && q.sameLine(i+1, lines[i]):
		d.extra = true
	default:
		d.alike = diff.Similarity(strings.TrimSpace(lines[i]), strings.TrimSpace(d.sent)) >= minSimilar
	}
	return d
}

// sameLine reports whether line i of the quote is not blank and matches a line.
func (q quote) sameLine(i int, line string) bool { return bare(q.lines[i]) != "" && q.matches(i, line) }

// place returns the line of the file with its number, for an error message.
func (d difference) place() string {
	return fmt.Sprintf("line %d: %s", d.line, width.Head(d.text, maxShownLine))
}

// how returns a sentence that says how the line in the file differs from the model's text.
func (d difference) how() string {
	how := ""
	switch {
	case d.short:
		how = "The file ends there, and you sent " + quoted(d.sent) + " below it."
	case d.skipped:
		how = "You left it out."
	case d.extra:
		how = "Above it you sent " + quoted(d.sent) + ", which is not there."
	case d.alike:
		how = "It " + howLinesDiffer(d.text, d.sent) + "."
	default:
		how = "You sent " + quoted(d.sent) + "."
	}
	switch d.before {
	case 0:
		return how
	case 1:
		return "The line above it matches. " + how
	}
	return fmt.Sprintf("The %d lines above it match. %s", d.before, how)
}

// howLinesDiffer returns a clause that says how a line differs from the text that the model has
// sent for it, such as "begins with a tab, you sent 4 spaces".
func howLinesDiffer(line, sent string) string {
	line = part(line, sent)
	from := commonPrefix(line, sent)
	has, gave := line[from:], sent[from:]
	if leadingBlanks(has) != "" || leadingBlanks(gave) != "" {
		before := strings.TrimRightFunc(line[:from], unicode.IsSpace)
		where := "has after " + quoted(width.Tail(before, maxShownPart)) + " "
		switch len(before) {
		case 0:
			where = "begins with "
		case len(strings.TrimRightFunc(line, unicode.IsSpace)):
			where = "ends with "
		}
		return where + blanksInWords(leadingBlanks(line[len(before):])) + ", you sent " +
			blanksInWords(leadingBlanks(sent[len(before):]))
	}
	for has != "" && gave != "" { // what both end with
		a, n := utf8.DecodeLastRuneInString(has)
		b, m := utf8.DecodeLastRuneInString(gave)
		if a != b || n != m {
			break
		}
		has, gave = has[:len(has)-n], gave[:len(gave)-m]
	}
	switch {
	case gave == "":
		return "has " + named(has) + ", which you left out"
	case has == "":
		return "does not have " + named(gave)
	}
	return "has " + named(has) + ", you sent " + named(gave)
}

// part returns the part of a line that corresponds to sent, if the two differ only in blanks and
// characters that look alike. Otherwise it returns the whole line.
func part(line, sent string) string {
	want := bare(sent)
	begin := strings.Index(bare(line), want)
	if begin < 0 || want == "" {
		return line
	}
	from, to, at := -1, len(line), 0
	for i, r := range line {
		b := bareRune(r)
		if b < 0 {
			continue
		}
		if at == begin {
			from = i
		}
		at += utf8.RuneLen(b)
		if at >= begin+len(want) && from >= 0 {
			_, size := utf8.DecodeRuneInString(line[i:])
			to = i + size
			break
		}
	}
	if from < 0 {
		return line
	}
	if leadingBlanks(sent) != "" || strings.TrimSpace(line[:from]) == "" {
		from = len(strings.TrimRightFunc(line[:from], unicode.IsSpace))
	}
	if tail := line[to:]; strings.TrimSpace(tail) == "" || strings.TrimRightFunc(sent, unicode.IsSpace) != sent {
		to += len(leadingBlanks(tail))
	}
	return line[from:to]
}

// commonPrefix returns the number of bytes that a and b have in common at the beginning, without
// splitting a character.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// leadingBlanks returns the blanks at the beginning of s.
func leadingBlanks(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))] }

// blanksInWords returns a description of blank characters, such as "a tab and 2 spaces" or "no
// blanks".
func blanksInWords(s string) string {
	if s == "" {
		return "no blanks"
	}
	var parts []string
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		n := 0
		for strings.HasPrefix(s, string(r)) {
			s, n = s[size:], n+1
		}
		parts = append(parts, blanksOfOneKind(r, n))
	}
	if len(parts) > 4 {
		parts = append(parts[:4], "more")
	}
	return strings.Join(parts, " and ")
}

// blanksOfOneKind returns a description of n blanks of the same kind, such as "4 spaces".
func blanksOfOneKind(r rune, n int) string {
	name := fmt.Sprintf("U+%04X", r)
	switch r {
	case ' ':
		name = "space"
	case '\t':
		name = "tab"
	case '\r':
		name = "carriage return"
	case 0xa0:
		name = "no-break space (U+00A0)"
	}
	switch {
	case n == 1:
		return "a " + name
	case strings.HasPrefix(name, "U+"):
		return fmt.Sprintf("%d %s", n, name)
	}
	return count(n, name)
}

// quoted returns text in quotation marks, cut if it is long.
func quoted(s string) string {
	short := width.Head(s, maxShownPart)
	if short != s {
		return fmt.Sprintf("%q...", short)
	}
	return fmt.Sprintf("%q", s)
}

// named returns text in quotation marks. If it is a single character outside of ASCII, its code
// point follows, because it may look like another one.
func named(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if r < utf8.RuneSelf || size != len(s) {
		return quoted(s)
	}
	return fmt.Sprintf("%q (U+%04X)", s, r)
}
