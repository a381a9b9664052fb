package soak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Run describes one program that ran in one terminal while the window changed its size, and what
// was wrong at the end.
type Run struct {
	Terminal string // name and version of the terminal
	Program  string // which program ran: shell, workload or control
	Content  string // which text it showed: plain or markdown
	// one of the Manners in which the window changed its size
	Manner string
	Seed   uint64
	Failed string // reason why the run did not come to its end; "" if it did
	Count
}

// Control is the name of the program that only prints the rows and has no live region. It shows
// what a terminal does by itself.
const Control = "control"

// Limit holds the largest counts that are accepted for a run. No text may be lost or out of order.
// The counts of the program without a live region (see [Control]) are added to the limits, because
// the terminal itself causes them.
type Limit struct {
	Whole   int // extra copies of whole rows
	Doubled int // extra copies of rows, as a whole or in part
	Residue int // rows of the footer and the pane that were left
	// Cuts says that the terminal cuts rows by itself, and shows the cut ends behind later rows, so
	// that words are torn and joined with others. Then lost and torn words are not checked.
	// Instead, no more rows than in the control run may lack their first word.
	Cuts bool
	// AsControl says that the terminal loses or tears words by itself. Then no more of them are
	// accepted than in the control run.
	AsControl bool
}

// Exceeds returns the counts of c that are above the limits, as text, or "" for none. control holds
// the counts of the program without a live region for the same rows.
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

// Table holds the results of runs. It is printed with a row for each terminal, text and program,
// and a column for each manner.
type Table []Run

// cell adds up the runs that belong to one cell of the printed table.
type cell struct {
	Count
	runs, failed int
}

// String returns the counts as "lost/whole+pieces/residue/pane", followed by all other counts that
// are not 0.
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

// rows returns the texts of the table's cells, row by row, with the headings first.
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

// legend explains the numbers in a cell of the printed table.
const legend = "Words lost / rows doubled whole + in pieces / rows of footer and prompt left / rows of the pane left"

// Markdown returns the table in Markdown, with a title above it.
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

// Text returns the table as plain text in columns, with a title above it.
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
