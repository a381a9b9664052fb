package shell

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// A stored rule is told with where it is kept, and Enter stores none.
func TestAStoredRuleIsTold(t *testing.T) {
	for keys, want := range map[string]string{
		"1y":  "Always allowed for this session: bash(make)  and  bash(ls). /rules takes it back.",
		"1wy": "Always allowed for this workspace: bash(make)  and  bash(ls). /rules takes it back.",
	} {
		d := open(t, edit(2), 80, 24)
		told := ""
		d.pane.ruleOffers = []string{"bash(make)" + approval.RuleSeparator + "bash(ls)"}
		d.pane.checkKeepable = func(string) error { return nil }
		d.pane.storeRule = func(string, approval.Term) error { return nil }
		d.pane.ruleStored = func(rule, validity string) {
			told = strings.Join(plainRows(storedRuleBlock(rule, validity)(tui.Space{Width: 200})), "\n")
		}
		d.ready().press("a").ready()
		for _, k := range keys {
			if d.press(k).ready(); k == '1' {
				d.press(terminal.KeyEnter)
				if rows := d.rows(); told != "" || !strings.Contains(rows[len(rows)-1], "y stores it") {
					t.Errorf("Enter: %q, and %q", told, rows[len(rows)-1])
				}
				d.ready()
			}
		}
		if told != want || !d.said(true) {
			t.Errorf("%s: %q, want %q; answers %v", keys, told, want, d.answers)
		}
	}
}

// A pane says why it asks and what is dangerous. An undo takes no reason.
func TestAPaneSaysWhyItAsks(t *testing.T) {
	p := &approval.Proposal{Tool: "bash", Payload: approval.Command{Command: "git push"}}
	p = p.AskedBecause("the rule bash(git push *) asks about it")
	rows := strings.Join(open(t, p, 40, 24).ready().rows(), "\n")
	if !strings.Contains(rows, "you are asked because the rule bash(git\npush *) asks about it") ||
		!strings.Contains(rows, "! it publishes commits") {
		t.Errorf("the pane is\n%s", rows)
	}
	undo := &approval.Proposal{Payload: approval.Undo{}}
	if rows = strings.Join(open(t, undo, 80, 24).ready().rows(), "\n"); strings.Contains(rows, "[r]eason") {
		t.Errorf("nobody reads a reason:\n%s", rows)
	}
}

// Hunks that are out keep their numbers, ? explains the keys, and n says that it denies all.
func TestHunksThatAreOutKeepTheirNumbers(t *testing.T) {
	p := edit(8)
	p.Before, p.After = []byte("a\n"), []byte("b\n")
	p.Diff.Hunks = append(p.Diff.Hunks, p.Diff.Hunks[0])
	d := open(t, p, 80, 24).ready().press("s")
	before := d.rows()
	after := d.press(terminal.KeySpace).rows()
	if !strings.Contains(before[2], "[x]") || !strings.Contains(after[2], "[ ]") || before[4] != after[4] {
		t.Errorf("before\n%s\nafter\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	for cols, want := range map[int]string{80: "  [n]o to all  Esc back  [?]",
		46: "[s] 1/2  Space  ] [  [n]o to all  Esc  [?]",
		30: "[s] 1/2  Space  [n]o  [?]"} {
		d.space.Width = cols
		if rows := d.rows(); !strings.HasSuffix(rows[len(rows)-1], want) {
			t.Errorf("%d columns: %q", cols, rows[len(rows)-1])
		}
	}
	d.space.Width = 80
	if rows := strings.Join(d.press("?").rows(), "\n"); !strings.Contains(rows, "deny the whole change") {
		t.Errorf("the help is\n%s", rows)
	}
	d.press("?").press("]", terminal.KeySpace, "s")
	if rows := d.rows(); len(d.answers) > 0 || !strings.Contains(rows[len(rows)-1], "none is left") {
		t.Errorf("without a hunk: %v, %q", d.answers, rows[len(rows)-1])
	}
}
