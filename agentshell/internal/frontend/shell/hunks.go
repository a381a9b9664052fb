package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// hunkChoice is the mode of the approval pane after key s: the user chooses hunks of a change. A
// change with only those hunks then becomes a new proposal, which the user is asked about as any
// other (PANE-5).
type hunkChoice struct {
	// The change whose hunks are chosen.
	prop *approval.Proposal
	// The rows of its diff, without the marks of the choice.
	rows    []diffview.Row
	headers []int  // For each hunk, the index of its header in rows.
	wanted  []bool // For each hunk: it belongs to the new proposal.
	current int    // The index of the hunk that Space toggles.
	// The rows of the diff with the marks of the choice, as the pane shows them.
	diffBody *diffview.Body
}

// canChoose reports whether the user can choose single hunks of the proposal: it has several, its
// file exists, and it may be revised.
func canChoose(p *approval.Proposal) bool {
	return len(p.Diff.Hunks) > 1 && p.Before != nil && p.Revisable()
}

// newHunkChoice returns the mode for choosing hunks of p. At first all hunks are chosen.
func newHunkChoice(p *approval.Proposal) *hunkChoice {
	c := &hunkChoice{prop: p, wanted: make([]bool, len(p.Diff.Hunks))}
	for i, r := range diffRows(p) {
		if r.Kind == diffview.Hunk {
			c.headers = append(c.headers, i)
		}
		c.rows = append(c.rows, r)
	}
	for i := range c.wanted {
		c.wanted[i] = true
	}
	c.draw()
	return c
}

// draw updates the rows of the diff after the choice has changed. Each header shows whether its
// hunk is chosen, and a pointer marks the current one. Hunks that are not chosen are dim.
func (c *hunkChoice) draw() {
	rows := append([]diffview.Row(nil), c.rows...)
	for i, header := range c.headers {
		mark, point := "[x] ", "  "
		if !c.wanted[i] {
			mark = "[ ] "
		}
		if i == c.current {
			point = "> "
		}
		rows[header].Text = point + mark + rows[header].Text
		if i == c.current {
			rows[header].Kind = diffview.File // bold
		}
		if c.wanted[i] {
			continue
		}
		end := len(rows)
		if i+1 < len(c.headers) {
			end = c.headers[i+1]
		}
		for j := header + 1; j < end; j++ {
			rows[j].Dim = true
		}
	}
	c.diffBody = addColours(diffview.New(rows), c.prop)
	c.diffBody.Show(c.headers[c.current])
}

// countWanted returns the number of chosen hunks.
func (c *hunkChoice) countWanted() int {
	n := 0
	for _, k := range c.wanted {
		if k {
			n++
		}
	}
	return n
}

// handleHunkKey handles a key while the user chooses hunks. It returns false for a key that it does
// not use.
func (n *pane) handleHunkKey(k tui.Key) bool {
	c := n.mode.(*hunkChoice)
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case ']':
		c.current = min(c.current+1, len(c.headers)-1)
		c.draw()
	case '[':
		c.current = max(c.current-1, 0)
		c.draw()
	case terminal.KeySpace:
		c.wanted[c.current] = !c.wanted[c.current]
		c.draw()
	case 's':
		switch c.countWanted() {
		case len(c.wanted):
			n.mode = nil
		case 0: // that is a no, and has a key of its own
		default:
			after := n.proposal.Diff.Apply(n.proposal.Before, func(i int) bool { return c.wanted[i] })
			n.giveAnswer(approval.Revise{ID: n.proposal.ID, After: after})
		}
	case 'n':
		n.giveAnswer(approval.No{ID: n.proposal.ID})
	case '?':
		n.openHelp()
	case terminal.KeyEscape:
		if n.searchText() != "" {
			return false
		}
		n.mode = nil
	default:
		return false
	}
	return true
}

// decisionRow returns the key labels that are shown while the user chooses hunks, in the longest
// form that fits into width columns. If escape is false, the user has no Escape key, and the label
// of Esc is left out.
func (c *hunkChoice) decisionRow(escape bool, width int) string {
	wanted, all := c.countWanted(), len(c.wanted)
	propose := fmt.Sprintf("[s] propose %d of %d", wanted, all)
	switch wanted {
	case 0:
		propose = "none is left"
	case all:
		propose = "[s] all of them"
	}
	back, short := "  Esc back", "  Esc"
	if !escape {
		back, short = "", ""
	}
	for _, row := range []string{
		propose + "  Space in or out  ] [ hunk  [n]o to all" + back + "  [?]",
		propose + "  Space  ] [  [n]o to all" + short + "  [?]",
		fmt.Sprintf("[s] %d/%d  Space  ] [  [n]o to all", wanted, all) + short + "  [?]",
		fmt.Sprintf("[s] %d/%d  Space  [n]o  [?]", wanted, all),
	} {
		if len(row) <= width {
			return row
		}
	}
	return fmt.Sprintf("[s] %d/%d [n]o [?]", wanted, all)
}

// help returns the lines of the help about the keys for choosing hunks.
func (c *hunkChoice) help() []string {
	return []string{"Space  take the hunk out, or put it in again", "] [    next and previous hunk",
		"s      show the change with the hunks that are in; you are asked again",
		"n      deny the whole change, whatever is in", "Esc    back to the whole change", "?      this list, and back"}
}
