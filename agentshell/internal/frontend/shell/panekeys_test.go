package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/tui"
)

// No key stands twice in the table, each has something to do, and a key that has a label or a help
// has both of them or says why not.
func TestTheTableOfThePanesKeysHoldsEachOnce(t *testing.T) {
	seen := map[rune]bool{}
	for _, c := range paneKeys() {
		if seen[c.key] {
			t.Errorf("%q stands twice", c.key)
		}
		seen[c.key] = true
		if c.run == nil && c.key != 0x1b {
			t.Errorf("%q does nothing", c.key)
		}
		if c.label != nil && c.help == nil {
			t.Errorf("%q has a label and no help", c.key)
		}
	}
}

// panesOfEachKind returns panes with the keys of every kind of question, flagged or not, and on the
// whole screen or not.
func panesOfEachKind(t *testing.T) (all []*desk) {
	for _, c := range answerables(t) {
		for _, flags := range [][]approval.Flag{nil, {{Name: approval.FlagHardLink, Text: "2 names"}}} {
			for _, full := range []bool{false, true} {
				for _, p := range c.ps {
					q := *p
					q.Flags = append(slices.Clone(c.flags), flags...)
					if f, ok := q.Payload.(approval.Form); ok {
						f.Again = full
						q.Payload = f
					}
					d := open(t, &q, 200, 40)
					d.pane.fullScreen, d.pane.canAllowEdits = full, strings.HasPrefix(c.name, "a plan")
					d.pane.ruleOffers = map[bool][]string{true: {"make"}}[full]
					d.pane.openEditor = func() {}
					if len(c.ps) > 1 {
						d.pane.queue = &approvalQueue{panes: []*pane{d.pane, d.pane}, seenLongEnough: make([]bool, 2),
							current: 0}
					}
					all = append(all, d.ready())
				}
			}
		}
	}
	return all
}

// Each label holds its key, stands for a key that the list of keys has, too, and the key is taken.
// What the table calls approving does nothing before the pane is armed.
func TestTheReadersOfThePanesKeysAgree(t *testing.T) {
	for _, d := range panesOfEachKind(t) {
		n := d.pane
		help := strings.Join(n.keyHelp(), "\n")
		always, others := n.labels(d.space)
		for _, label := range append(always, others...) {
			key := label.text
			if _, after, ok := strings.Cut(label.text, "["); ok {
				key, _, _ = strings.Cut(after, "]")
			}
			switch {
			case label.text == pressY:
				key = "Y"
			case strings.HasPrefix(label.text, "Esc "):
				key = "Esc"
			}
			if !strings.Contains("\n"+help, "\n"+key+" ") {
				t.Errorf("%T: %q stands on the row, and not in the list\n%s", n.proposal.Payload, label.text, help)
			}
		}
		for _, c := range paneKeys() {
			if !c.approves {
				continue
			}
			n.armed = false
			if !n.act(tui.Key{Code: c.key, Alone: true}) || len(d.answers) > 0 {
				t.Errorf("%T: %q before the pane is armed: %v", n.proposal.Payload, c.key, d.answers)
			}
			n.mode, n.yesPressed = nil, false
			if n.queue != nil {
				n.queue.closeList()
			}
		}
	}
}

// The keys of a decision that /keys lists are those of the table, with those that are not a
// proposal's alone.
func TestThePanesKeysAreThoseOfTheMap(t *testing.T) {
	var listed []string
	for _, g := range (keymap.Map{}).List() {
		if strings.Contains(g.Title, "cannot be changed") {
			for _, r := range g.Rows {
				listed = append(listed, strings.Fields(r.Keys)...)
			}
		}
	}
	var own []string
	for _, c := range paneKeys() {
		own = append(own, strings.Fields(strings.NewReplacer("\x1b", "Esc", "\t", "Tab").Replace(string(c.key)))...)
	}
	own = append(own, "Ctrl+C", "Ctrl+G", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	slices.Sort(own)
	slices.Sort(listed)
	if !slices.Equal(own, listed) {
		t.Errorf("the table has\n%q\n/keys lists\n%q", own, listed)
	}
}
