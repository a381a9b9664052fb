package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// choosing is key s: which hunks of a change are wanted. What comes of it is a new proposal, which
// is shown and armed anew (PANE-5).
type choosing struct {
	prop *approval.Proposal
	rows []diffview.Row
	at   []int  // the row of each hunk's header
	keep []bool // by hunk
	here int    // the hunk that Space toggles
	body *diffview.Body
}

// canChoose reports whether there is something to choose from.
func canChoose(p *approval.Proposal) bool {
	return len(p.Diff.Hunks) > 1 && p.Before != nil && p.Revisable()
}

func newChoosing(p *approval.Proposal) *choosing {
	c := &choosing{prop: p, keep: make([]bool, len(p.Diff.Hunks))}
	for i, r := range diffRows(p) {
		if r.Kind == diffview.Hunk {
			c.at = append(c.at, i)
		}
		c.rows = append(c.rows, r)
	}
	for i := range c.keep {
		c.keep[i] = true
	}
	c.draw()
	return c
}

// draw makes the body: each header tells whether its hunk is wanted, and the one of here is pointed
// at.
func (c *choosing) draw() {
	rows := append([]diffview.Row(nil), c.rows...)
	for i, at := range c.at {
		mark, point := "[x] ", "  "
		if !c.keep[i] {
			mark = "[ ] "
		}
		if i == c.here {
			point = "> "
		}
		rows[at].Text = point + mark + rows[at].Text
		if i == c.here {
			rows[at].Kind = diffview.File // bold
		}
		if c.keep[i] {
			continue
		}
		end := len(rows)
		if i+1 < len(c.at) {
			end = c.at[i+1]
		}
		for j := at + 1; j < end; j++ { // what is left out is dim, but keeps its marker
			rows[j].Text, rows[j].Kind = marker(rows[j].Kind)+rows[j].Text, diffview.Note
		}
	}
	c.body = dress(diffview.New(rows), c.prop)
	c.body.Show(c.at[c.here])
}

func marker(k diffview.Kind) string {
	switch k {
	case diffview.Added:
		return "+ "
	case diffview.Removed:
		return "- "
	}
	return "  "
}

// wanted counts the hunks that are.
func (c *choosing) wanted() int {
	n := 0
	for _, k := range c.keep {
		if k {
			n++
		}
	}
	return n
}

// inHunks takes the keys of the choice.
func (n *pane) inHunks(k tui.Key) bool {
	c := n.mode.(*choosing)
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case ']':
		c.here = min(c.here+1, len(c.at)-1)
		c.draw()
	case '[':
		c.here = max(c.here-1, 0)
		c.draw()
	case terminal.KeySpace:
		c.keep[c.here] = !c.keep[c.here]
		c.draw()
	case 's':
		switch c.wanted() {
		case len(c.keep):
			n.mode = nil
		case 0: // that is a no, and has a key of its own
		default:
			after := n.prop.Diff.Apply(n.prop.Before, func(i int) bool { return c.keep[i] })
			n.give(approval.Revise{ID: n.prop.ID, After: after})
		}
	case 'n':
		n.give(approval.No{ID: n.prop.ID})
	case terminal.KeyEscape:
		if n.query() != "" {
			return false
		}
		n.mode = nil
	default:
		return false
	}
	return true
}

// row returns the decision row meanwhile.
func (c *choosing) row() string {
	what := fmt.Sprintf("[s] propose %d of %d", c.wanted(), len(c.keep))
	switch c.wanted() {
	case 0:
		what = "none is left: [n]o"
	case len(c.keep):
		what = "[s] all of them"
	}
	return what + "  Space in or out  ] [ hunk  [n]o  Esc back"
}
