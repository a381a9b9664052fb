package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// offKey holds the reason why the last key that was pressed in an approval pane did nothing. The
// pane's last row shows it for offKeyDuration.
type offKey struct {
	hint
	// Shorter forms of the reason for narrow windows; "": a narrow window shows no reason.
	short, shortest string
	untilArmed      bool // The reason disappears once keys can approve.
}

// offKeyDuration is how long the reason is shown.
const offKeyDuration = 2 * time.Second

// newOffKey returns a reason that is shown for offKeyDuration.
func newOffKey(text string) offKey {
	return offKey{hint: hint{text: text, duration: offKeyDuration, new: true}}
}

// explainKey sets the reason to show if key k did nothing in mode m. armed reports whether keys
// could approve when k came. typing reports whether k went into a text field.
func (n *pane) explainKey(k tui.Key, m mode, armed, typing bool, s tui.Space) {
	if n.answered || typing || k.Mods&^terminal.Shift != 0 {
		return
	}
	name, why := string(k.Code), ""
	switch m := m.(type) {
	case proposalMode:
		c, ok := findPaneKey(k.Code)
		switch {
		case !ok:
			return
		case !c.isEnabled(n):
			if c.off != "" {
				n.off = newOffKey(name + " does nothing here: " + c.off)
				n.off.short = name + ": " + c.off
			}
			return
		case !c.approves || c.opens:
			return
		}
	case listMode:
		if k.Code != 'y' || len(n.queue.listed) == 0 {
			return
		}
	case *hunkChoice:
		if k.Code == 's' && m.countWanted() == 0 {
			n.off = newOffKey("s does nothing here: no hunk is in")
			n.off.short, n.off.shortest = "s: no hunk is in", "no hunk is in"
		}
		return
	case *rulesMode:
		n.explainRulesKey(k, m)
		if k.Code != 'y' {
			return
		}
		if m.chosen == 0 && len(n.ruleOffers) > 0 {
			why = "a digit chooses a rule first"
		}
	default:
		return
	}
	short := why
	if why == "" {
		why, short = n.whyNotArmed(k, armed, s)
	}
	if why != "" {
		n.off = newOffKey(name + " does nothing yet: " + why)
		n.off.short, n.off.shortest, n.off.untilArmed = "not yet: "+short, "not yet", true
	}
}

// explainRulesKey sets the reason to show if key k is Enter or w and did nothing in the list of
// rules.
func (n *pane) explainRulesKey(k tui.Key, m *rulesMode) {
	name, why := "", ""
	switch {
	case len(n.ruleOffers) == 0:
		return
	case k.Code == terminal.KeyEnter && m.chosen == 0:
		name, why = "Enter", "a digit chooses a rule"
	case k.Code == terminal.KeyEnter:
		name, why = "Enter", "y stores it"
	case k.Code == 'w' && (m.whom != approval.Grantee{}):
		name, why = "w", "a rule for agents is of this session"
	case k.Code == 'w' && !n.canKeepChosen(m):
		name, why = "w", "it can hold for this session only"
	default:
		return
	}
	n.off = newOffKey(name + " does nothing here: " + why)
	n.off.short, n.off.shortest = name+": "+why, why
}

// findPaneKey returns the entry of paneKeys for a key. It returns false if there is none.
func findPaneKey(key rune) (paneKey, bool) {
	for _, c := range paneKeys() {
		if c.key == key {
			return c, true
		}
	}
	return paneKey{}, false
}

// whyNotArmed returns why key k did not approve, and the same in fewer words. armed reports whether
// keys could approve when k came. It returns "" for both if k could have approved.
func (n *pane) whyNotArmed(k tui.Key, armed bool, s tui.Space) (why, short string) {
	switch {
	case !k.Alone:
		return "it came with other keys, as in a paste", "it came with others"
	case k.Repeat:
		return "it is held down", "held down"
	case armed:
		return "", ""
	case n.unseen() > 0:
		rows := countOf(n.unseen(), "row")
		return rows + " not in sight so far; scroll", rows + " not in sight"
	}
	var inSight time.Duration
	if !s.Shown.IsZero() {
		inSight = s.Now.Sub(s.Shown)
	}
	if inSight < n.minVisible {
		text := fmt.Sprintf("%.1f s", inSight.Truncate(100*time.Millisecond).Seconds())
		return "the " + subjectNoun(n.proposal) + " has been in sight for " + text, "in sight for " + text
	}
	return "another key came less than a second before", "a key before it"
}

// subjectNoun returns the noun for what p shows: "diff", "command", "plan" or "question".
func subjectNoun(p *approval.Proposal) string {
	switch p.Payload.(type) {
	case approval.Write, approval.Edit, approval.Undo:
		return "diff"
	case approval.Command:
		return "command"
	case approval.Plan:
		return "plan"
	}
	return "question"
}

// offRow returns the last row of the pane with the reason why the last key did nothing, behind the
// keys that are always shown. It returns false if there is no reason to show, or no room for it.
func (n *pane) offRow(s tui.Space) (tui.Line, bool) {
	always, _ := n.labels(s)
	gap := "  "
	if s.Width < narrowKeys {
		gap = " "
	}
	return n.withReason(s.Cut(labelSpans(always, gap, s.Look())...), s)
}

// withReason appends the reason why the last key did nothing to the last row of the pane, in the
// longest form that fits. It cuts nothing of row. It returns false if there is no reason or no room
// for it.
func (n *pane) withReason(row tui.Line, s tui.Space) (tui.Line, bool) {
	if n.offText == "" {
		return row, false
	}
	gap := "  "
	if s.Width < narrowKeys {
		gap = " "
	}
	free := s.Width - len(gap)
	for _, span := range row.Spans {
		free -= s.Columns(span.Text)
	}
	for _, text := range []string{n.offText, n.off.short, n.off.shortest} {
		if text != "" && s.Columns(text) <= free {
			return s.Cut(append(row.Spans, tui.Span{Text: gap + text, Style: s.Look().Warning})...), true
		}
	}
	return row, false
}

// flagReason returns why only Y, not y, approves p: the text of its first flag, or the flag's name
// if the text takes more than cols columns.
func flagReason(p *approval.Proposal, cols int, s tui.Space) string {
	f := p.Flags[0]
	text, _, _ := strings.Cut(visibleLine(f.Text, s.Look()), ": ")
	if text == "" || s.Columns(text) > cols {
		return f.Name
	}
	return text
}
