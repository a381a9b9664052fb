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
	maxShownLine = 160 // bytes of a line that an error quotes
	maxShownPart = 40  // bytes of a part of one
)

// quote is old_string by lines. Of a line at its beginning or its end it may have a part only.
type quote struct {
	lines []string
	first int  // the first line that is not blank
	whole bool // the last line has its end
}

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

// stands reports whether line i of the quote stands in a line of the file, as far as it has to.
func (q quote) stands(i int, line string) bool { return q.compare(i, line, q.lines[i]) }

// matches reports whether line i stands in a line of the file but for blanks and characters that
// look alike.
func (q quote) matches(i int, line string) bool { return q.compare(i, bare(line), bare(q.lines[i])) }

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

// bare returns a line without blanks and with ASCII for what looks like it.
func bare(line string) string { return strings.Map(bareRune, line) }

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

// difference is the first line at a place of the file that differs from the quote.
type difference struct {
	line    int    // of the file, counted from 1
	text    string // as it stands there
	sent    string // what the quote has for it
	before  int    // lines of the quote that match above it
	skipped bool   // the quote leaves the line out
	extra   bool   // sent stands nowhere
	short   bool   // the file ends before the quote does; line is its last one
	alike   bool   // the two differ in blanks or in a part
}

// firstDifference returns where the quote differs first from the place that most of its lines
// match. There is none if the quote has one line and several are like it.
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

// run returns how many lines of the quote match from its first one on, which counts as one that
// does.
func (q quote) run(lines []string) int {
	n := 1
	for i := q.first + 1; i < len(q.lines) && i < len(lines) && q.matches(i, lines[i]); i++ {
		n++
	}
	return n
}

// differs returns the first difference from lines that begin at a line of the file.
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

// sameLine reports whether line i of the quote, which is not blank, matches a line.
func (q quote) sameLine(i int, line string) bool { return bare(q.lines[i]) != "" && q.matches(i, line) }

// place returns the number of the line and the line.
func (d difference) place() string {
	return fmt.Sprintf("line %d: %s", d.line, width.Head(d.text, maxShownLine))
}

// how says in a sentence how the line differs from what was sent.
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

// howLinesDiffer says how a line differs from what was sent for it or for a part of it: "begins
// with a tab, you sent 4 spaces".
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

// part returns the part of a line that sent stands for, if that differs in blanks and characters
// that look alike only; else the line.
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

func leadingBlanks(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))] }

// blanksInWords returns "a tab", "4 spaces", "a tab and 2 spaces", "no blanks".
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

// quoted returns text in quotation marks, its beginning if it is long.
func quoted(s string) string {
	short := width.Head(s, maxShownPart)
	if short != s {
		return fmt.Sprintf("%q...", short)
	}
	return fmt.Sprintf("%q", s)
}

// named returns quoted text, with the number of a character that may look like another one.
func named(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if r < utf8.RuneSelf || size != len(s) {
		return quoted(s)
	}
	return fmt.Sprintf("%q (U+%04X)", s, r)
}
