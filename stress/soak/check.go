package soak

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Count counts what is wrong in the rows of a terminal at the end of some runs, added up. The zero
// value means that each row of the text is there exactly once.
type Count struct {
	Lost     int // words of the text that are missing, and missing words of the file change
	Heads    int // rows whose first word is missing, which no terminal cuts off by itself
	Disorder int // words that stand before the word that they should follow
	Whole    int // extra copies of whole rows
	Pieces   int // rows that are doubled in part: some of their words stand there too often
	Torn     int // words that are there only in part
	Residue  int // rows between the first word and the end that are not of the text: footer, status, prompt
	Pane     int // extra rows of the pane with the question, or of the file change that it shows
	Shell    int // rows that the shell had printed before, and that are not there exactly once
}

// Add adds the counts of another run to c.
func (c *Count) Add(o Count) {
	c.Lost += o.Lost
	c.Heads += o.Heads
	c.Disorder += o.Disorder
	c.Whole += o.Whole
	c.Pieces += o.Pieces
	c.Torn += o.Torn
	c.Residue += o.Residue
	c.Pane += o.Pane
	c.Shell += o.Shell
}

// String lists the counts that are not zero by name, or returns "exact".
func (c Count) String() string {
	var parts []string
	for _, p := range []struct {
		name string
		n    int
	}{
		{"lost", c.Lost}, {"heads lost", c.Heads}, {"out of order", c.Disorder},
		{"doubled", c.Whole}, {"pieces", c.Pieces}, {"torn", c.Torn},
		{"residue", c.Residue}, {"pane", c.Pane}, {"shell", c.Shell},
	} {
		if p.n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.name, p.n))
		}
	}
	if parts == nil {
		return "exact"
	}
	return strings.Join(parts, ", ")
}

// ShellRows is the number of rows that [Greeting] returns.
const ShellRows = 20

// Greeting returns the rows that the shell prints before the program begins.
func Greeting() (rows []string) {
	for i := range ShellRows {
		rows = append(rows, fmt.Sprintf("s%05d", i))
	}
	return rows
}

// End is the row that the shell prints when the program has ended.
const End = "soak-end"

// ChangeFile is the name of the file that the program asks to create during a run.
const ChangeFile = "change.txt"

// changeFileRows is the number of rows of ChangeFile. It is small enough that the transcript shows
// all of them once the user has decided.
const changeFileRows = 34

// Change returns the text of ChangeFile, which the pane with the question shows: rows of two words,
// d00000 and so on.
func Change() string {
	var b strings.Builder
	for i := range changeFileRows {
		fmt.Fprintf(&b, "d%05d d%05d\n", 2*i, 2*i+1)
	}
	return b.String()
}

var (
	word      = regexp.MustCompile(`w\d{5}`)
	shellWord = regexp.MustCompile(`s\d{5}`)
	paneWord  = regexp.MustCompile(`d\d{5}`)
	letter    = regexp.MustCompile(`[A-Za-z]`)
	// begun matches a row that ends within a word, goesOn a row that begins with the rest of one.
	// partial and alone match parts of words.
	begun   = regexp.MustCompile(`(^|[^A-Za-z0-9])[wd]\d{0,4}$`)
	goesOn  = regexp.MustCompile(`^\d{1,5}($|[^.\d])`)
	partial = regexp.MustCompile(`w\d{1,4}`)
	alone   = regexp.MustCompile(`(^|[^A-Za-z])[wd]\d{0,4}($|[^A-Za-z0-9])`)
	// decided and goodbye match rows that the program prints once, when the file change was decided
	// and at its end.
	decided = regexp.MustCompile(`✓ write ` + regexp.QuoteMeta(ChangeFile))
	goodbye = regexp.MustCompile(`^Resume this session with: `)
	// paneRow and paneWrap match rows that only the pane with the question has.
	paneRow  = regexp.MustCompile(regexp.QuoteMeta(ChangeFile) + `|\[y\]|\[f\]ull`)
	paneWrap = regexp.MustCompile(`^\d*\s*\+~`)
	prompt   = regexp.MustCompile(`^[›>]$`)
)

// Check counts what is wrong in tape, the text of a terminal's history and screen at the end of a
// run. Each row is a line, but the terminal may have joined soft-wrapped rows. Check looks at the
// rows from the first word of t up to End, so that everything which the program shows only while it
// runs must be gone.
//
// pane says that the file change was shown and approved during the run.
func Check(t Text, tape string, pane bool) Count {
	rows := strings.Split(tape, "\n")
	for i, r := range rows {
		rows[i] = strings.Trim(r, " \r\x00\u00a0")
	}
	if end := slices.Index(rows, End); end >= 0 {
		rows = rows[:end]
	}
	var c Count
	c.countShellRows(rows)
	first := slices.IndexFunc(rows, word.MatchString)
	if first < 0 {
		first = len(rows)
	}
	c.countWords(t, c.separateText(rows[first:], pane))
	return c
}

// countShellRows counts the rows of the shell above the text that are missing or there several
// times.
func (c *Count) countShellRows(rows []string) {
	seen := map[string]int{}
	for _, r := range rows {
		for _, w := range shellWord.FindAllString(r, -1) {
			seen[w]++
		}
	}
	for _, w := range Greeting() {
		if seen[w] != 1 {
			c.Shell++
		}
	}
}

// separateText counts the rows that are not part of the text, and returns the words of all other
// rows, whole and torn.
func (c *Count) separateText(rows []string, pane bool) string {
	var text strings.Builder
	copies := map[string]int{} // of the words of the change
	for _, r := range rows {
		for _, w := range paneWord.FindAllString(r, -1) {
			copies[w]++
		}
	}
	if pane {
		for i := range 2 * changeFileRows {
			if copies[fmt.Sprintf("d%05d", i)] == 0 {
				c.Lost++
			}
		}
	}
	open := false // the row before ends within a word
	outcomes := 0
	for _, r := range rows {
		if goodbye.MatchString(r) {
			continue
		}
		if pane && decided.MatchString(r) {
			if outcomes++; outcomes > 1 {
				c.Pane++
			}
			continue
		}
		if changed := paneWord.FindAllString(r, -1); pane && changed != nil {
			extra := 0
			for _, w := range changed {
				if copies[w] > 1 {
					copies[w]--
					extra = 1
				}
			}
			c.Pane += extra
			open = begun.MatchString(r)
			continue
		}
		rest := partial.ReplaceAllString(word.ReplaceAllString(r, " "), " ")
		foreign := letter.MatchString(alone.ReplaceAllString(alone.ReplaceAllString(rest, " "), " "))
		switch {
		case pane && (foreign && paneRow.MatchString(rest) || paneWrap.MatchString(r)):
			c.Pane++
		case foreign || prompt.MatchString(r):
			c.Residue++
		case goesOn.MatchString(r) && !open:
			c.Torn++
		default:
			if !open {
				text.WriteByte(' ')
			}
			text.WriteString(r)
			open = begun.MatchString(r)
			continue
		}
		for _, w := range word.FindAllString(r, -1) { // the terminal has joined it with what it is not
			text.WriteString(" " + w)
		}
		open = false
	}
	if pane && outcomes == 0 {
		c.Lost++
	}
	return text.String()
}

// countWords counts the lost, repeated and misplaced words of t in text.
func (c *Count) countWords(t Text, text string) {
	c.Torn += strings.Count(word.ReplaceAllString(text, ""), "w")
	at := map[int][]int{} // where a word stands
	for i, w := range word.FindAllString(text, -1) {
		n, _ := strconv.Atoi(w[1:])
		at[n] = append(at[n], i)
	}
	behind := -1
	for _, r := range t {
		least, most := len(text), 0
		for k, n := range r.Words {
			copies := at[n]
			least, most = min(least, len(copies)), max(most, len(copies))
			next := slices.IndexFunc(copies, func(i int) bool { return i > behind })
			switch {
			case len(copies) == 0:
				c.Lost++
				if k == 0 {
					c.Heads++
				}
			case next < 0:
				c.Disorder++
			default:
				behind = copies[next]
			}
		}
		c.Whole += max(least-1, 0)
		if most > max(least, 1) {
			c.Pieces++
		}
	}
}
