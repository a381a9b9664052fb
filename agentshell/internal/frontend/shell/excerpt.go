package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// diffExcerpt returns the first rows of the diff of p, at most limit, as the approval pane has
// shown them. A last row counts the missing ones; it names the command "/diff number" that shows
// them, unless number is 0.
func diffExcerpt(p *approval.Proposal, limit, number int, s tui.Space) []tui.Line {
	if limit == 0 {
		return nil
	}
	var (
		t       = s.Look()
		rows, _ = mainView(p)
		kept    []diffview.Row
	)
	for i, r := range rows {
		if i == limit && len(rows)-i > 1 {
			break
		}
		from := firstShownByte(rows, i)
		text, after := clipLine(r.Text[from:])
		var omitted []string
		if from > 0 {
			omitted = append(omitted, byteSize(from)+" before it")
			r.More = true
		}
		if after > 0 {
			omitted = append(omitted, byteSize(after)+" behind it")
		}
		if len(omitted) > 0 {
			r.Mark = strings.Join(withoutEmpty([]string{strings.Join(omitted, " and ") + " not shown", r.Mark}), ", ")
		}
		r.Text = text
		kept = append(kept, r)
	}
	out := addColours(diffview.New(kept), p).Lines(s)
	if hidden := len(rows) - len(kept); hidden > 0 {
		omitted := fmt.Sprintf("%s %s not shown", t.Glyphs.More, countOf(hidden, "row"))
		if number > 0 {
			omitted += fmt.Sprintf(", /diff %d shows all", number)
		}
		out = append(out, s.Cut(tui.Span{Text: omitted, Style: t.Dim}))
	}
	return out
}

// firstShownByte returns the index of the first byte that a diff shows of the line in row i. A long
// line that replaces another one is shown from a little before the first difference. For all other
// lines the result is 0.
func firstShownByte(rows []diffview.Row, i int) int {
	const margin = 100
	text, other := rows[i].Text, ""
	switch {
	case len(text) <= maxLineBytes:
		return 0
	case rows[i].Kind == diffview.Removed && i+1 < len(rows) && rows[i+1].Kind == diffview.Added:
		other = rows[i+1].Text
	case rows[i].Kind == diffview.Added && i > 0 && rows[i-1].Kind == diffview.Removed:
		other = rows[i-1].Text
	}
	n := 0
	for n < len(text) && n < len(other) && text[n] == other[n] {
		n++
	}
	if n < maxLineBytes/2 {
		return 0
	}
	return len(width.Head(text, n-margin))
}
