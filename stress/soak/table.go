package soak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Run is one program in one terminal under one plan of sizes.
type Run struct {
	Terminal string // with its version
	Program  string // shell, workload or control
	Content  string // plain or markdown
	Manner   string
	Seed     uint64
	Failed   string // why it did not come to its end; "" if it did
	Count
}

// Control is the name of the program that prints the rows and has no live region.
const Control = "control"

// A Limit is the most that may be wrong in a run. Of the text nothing may be lost or out of order;
// what the terminal doubles of a program without a live region comes on top of the others.
type Limit struct {
	Whole   int // rows doubled whole
	Doubled int // rows doubled whole or in pieces
	Residue int // rows of footer and pane
	// The terminal cuts rows by itself, and shows what it has cut off behind later rows: words are
	// torn and joined with others. Only rows count whose first word is lost, where the control has
	// fewer of them.
	Cuts bool
	// The terminal loses or tears words by itself: no more of them than in the control.
	AsControl bool
}

// Exceeds returns the counts of c that are over l, "" for none. control are the counts of the same
// rows without a live region.
func (l Limit) Exceeds(c, control Count) string {
	var over []string
	check := func(what string, n, most int) {
		if n > most {
			over = append(over, fmt.Sprintf("%s: %d, at most %d", what, n, most))
		}
	}
	switch {
	case l.Cuts:
		check("rows lost", c.Heads, control.Heads)
	case l.AsControl:
		check("words lost", c.Lost, control.Lost)
		check("words torn", c.Torn, control.Torn+c.Whole+c.Pieces)
		check("words out of order", c.Disorder, control.Disorder)
	default:
		check("words lost", c.Lost, 0)
		check("words torn", c.Torn, c.Whole+c.Pieces) // where a copy too many ends
		check("words out of order", c.Disorder, 0)
	}
	check("rows of the shell", c.Shell, control.Shell)
	check("rows doubled whole", c.Whole, control.Whole+l.Whole)
	check("rows doubled", c.Whole+c.Pieces, control.Whole+control.Pieces+l.Doubled)
	check("rows of footer or pane", c.Residue+c.Pane, control.Residue+l.Residue)
	return strings.Join(over, "; ")
}

// A Table is what came of runs, a row for each terminal, content and program, a column for each
// manner.
type Table []Run

// cell is the sum of the runs of one cell.
type cell struct {
	Count
	runs, failed int
}

// String returns "lost/whole+pieces/residue/pane", and after it all other counts that are not 0.
func (c cell) String() string {
	if c.runs == 0 {
		return ""
	}
	s := fmt.Sprintf("%d/%d+%d/%d/%d", c.Lost, c.Whole, c.Pieces, c.Residue, c.Pane)
	for _, more := range []struct {
		name string
		n    int
	}{
		{"rows lost", c.Heads}, {"torn", c.Torn}, {"out of order", c.Disorder},
		{"shell", c.Shell}, {"failed", c.failed},
	} {
		if more.n > 0 {
			s += fmt.Sprintf(" %s %d", more.name, more.n)
		}
	}
	return s
}

// rows returns the cells of the table with their heads.
func (t Table) rows() [][]string {
	var manners []string
	for _, m := range Manners {
		if slices.ContainsFunc(t, func(r Run) bool { return r.Manner == m }) {
			manners = append(manners, m)
		}
	}
	type key struct{ terminal, content, program string }
	var keys []key
	cells := map[key]map[string]cell{}
	for _, r := range t {
		k := key{r.Terminal, r.Content, r.Program}
		if cells[k] == nil {
			keys = append(keys, k)
			cells[k] = map[string]cell{}
		}
		c := cells[k][r.Manner]
		c.runs++
		if r.Failed != "" {
			c.failed++
		}
		c.Add(r.Count)
		cells[k][r.Manner] = c
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		return cmp.Or(strings.Compare(a.terminal, b.terminal), strings.Compare(b.content, a.content))
	})
	rows := [][]string{append([]string{"terminal", "text", "program"}, manners...)}
	for _, k := range keys {
		row := []string{k.terminal, k.content, k.program}
		for _, m := range manners {
			row = append(row, cells[k][m].String())
		}
		rows = append(rows, row)
	}
	return rows
}

// legend says what the numbers of a cell are.
const legend = "Words lost / rows doubled whole + in pieces / rows of footer and prompt left / rows of the pane left"

// Markdown returns the table in Markdown, below a title.
func (t Table) Markdown(title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s.\n\n", title, legend)
	for i, row := range t.rows() {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return b.String()
}

// Text returns the table in columns of plain text, below a title.
func (t Table) Text(title string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, row := range t.rows() {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a Builder takes all
	out := title + "\n" + legend + ".\n\n"
	for line := range strings.Lines(b.String()) {
		out += strings.TrimRight(line, " \n") + "\n"
	}
	return out
}
