package play

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// moment holds the grid at one change of size: before the change, and after it before the program
// has written anything.
type moment struct {
	Before view `json:"before"`
	After  view `json:"after"`
}

// view holds the text of a grid's rows, the row of the cursor, and the width in columns.
type view struct {
	Rows   []string `json:"rows"`
	Cursor int      `json:"cursor"`
	Cols   int      `json:"cols"`
}

func viewOf(t *vt.Terminal) view {
	cols, _ := t.Size()
	return view{Rows: t.Screen(), Cursor: t.Cursor().Row, Cols: cols}
}

// unfinishedTexts returns, for each change of size in a script, the text that is not final at that
// moment: all of an open message if whole is true, otherwise the open paragraph.
func unfinishedTexts(ops []workload.Op, whole bool) (texts []string) {
	live := ""
	add := func(text string) {
		if live += text; !whole && strings.HasSuffix(live, "\n") {
			live = ""
		}
	}
	for _, o := range ops {
		switch o.K {
		case "s":
			add(o.T)
		case "hist":
			for _, par := range o.Rows {
				add(par + "\n")
			}
		case "msgend":
			live = ""
		case "resize":
			texts = append(texts, live)
		}
	}
	return texts
}

// footerRows is the number of rows below the text that is not final: the status row, the input box
// with the cursor, and the row about the model.
const footerRows = 3

// pushedRows returns the rows, without blanks, that the terminal itself moved from the live region
// into its history at a change of size. No program can prevent or undo that.
//
// Of the last one perhaps only the first part bytes are there. live is the text that was not final;
// the number of rows that it takes follows from the width. cut says that the terminal cuts rows.
func (m moment) pushedRows(live string, cut bool) (out []string, part int) {
	rows := m.Before.Rows
	most := min(12, max(len(rows)/2, 1)) // tui.App.LiveRows
	first := m.Before.Cursor + 2 - min(wrappedRows(live, m.Before.Cols)+footerRows, most)
	if first < 0 || m.Before.Cursor >= len(rows) || m.After.Cursor >= len(m.After.Rows) {
		return nil, 0
	}
	before, after := rows[first:m.Before.Cursor+1], m.After.Rows[:m.After.Cursor+1]
	if last := withoutBlanks(before[len(before)-1]); withoutBlanks(after[len(after)-1]) != last && len(after) > 1 &&
		withoutBlanks(after[len(after)-2]) == last {
		after = after[:len(after)-1] // the cursor has left its text for the last row of the footer (kitty)
	}
	if cut { // rows stay rows
		for _, r := range before[:max(0, len(before)-len(after))] {
			out = append(out, withoutBlanks(r))
		}
		return out, 0
	}
	all, rest := withoutBlanks(before...), withoutBlanks(after...)
	if !strings.HasSuffix(all, rest) {
		return nil, 0 // what stands above the live region is on the grid, too
	}
	gone := len(all) - len(rest)
	for _, r := range before {
		if gone <= 0 {
			return out, 0
		}
		t := withoutBlanks(r)
		out = append(out, t)
		if gone < len(t) {
			return out, gone
		}
		gone -= len(t)
	}
	return out, 0
}

// withoutBlanks returns the rows as one text without blanks.
func withoutBlanks(rows ...string) string {
	var b strings.Builder
	for _, r := range rows {
		for _, w := range strings.Fields(r) {
			b.WriteString(w)
		}
	}
	return b.String()
}

// wrappedRows returns the number of rows that text takes at cols columns, broken between words.
func wrappedRows(text string, cols int) int {
	n, x := 0, 0
	for _, par := range strings.SplitAfter(text, "\n") {
		x = 0
		for _, w := range strings.Fields(par) {
			k := width.Model{}.String(w)
			if x == 0 || x+1+k > cols {
				n, x = n+1, k
			} else {
				x += 1 + k
			}
		}
	}
	return n
}
