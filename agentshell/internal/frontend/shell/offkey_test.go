package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// A key that does nothing says why on the decision row, beside the keys that are always there.
func TestAKeyThatIsOffSaysWhy(t *testing.T) {
	flagged := edit(4)
	flagged.Flags = []approval.Flag{{Name: approval.FlagRunsCode, Text: "this file is executed by git on every commit"}}
	command := &approval.Proposal{ID: "c", Tool: "bash", Payload: approval.Command{Command: "make"}}
	for _, c := range []struct {
		name     string
		proposal *approval.Proposal
		do       func(d *desk)
		want     string
	}{
		{"y too early", edit(4), func(d *desk) { d.after(450 * time.Millisecond).press('y') },
			"(y)es [n]o [?] y does nothing yet: the diff has been in sight for 0.4 s"},
		{"a command", command, func(d *desk) { d.after(900 * time.Millisecond).press('y') },
			"(y)es [n]o [?] y does nothing yet: the command has been in sight for 0.9 s"},
		{"Y too early", flagged, func(d *desk) { d.after(450 * time.Millisecond).press('Y') },
			"wait, then press Y [n]o [?] Y does nothing yet: the diff has been in sight for 0.4 s"},
		{"y twice", edit(4), func(d *desk) {
			d.after(950 * time.Millisecond).press('y').after(100 * time.Millisecond).press('y')
		},
			"(y)es [n]o [?] y does nothing yet: another key came less than a second before"},
		{"held down", edit(4), func(d *desk) { d.ready().press(tui.Key{Code: 'y', Alone: true, Repeat: true}) },
			"(y)es [n]o [?] y does nothing yet: it is held down"},
		{"pasted", edit(4), func(d *desk) { d.ready().press(tui.Key{Code: 'y'}) },
			"(y)es [n]o [?] y does nothing yet: it came with other keys, as in a paste"},
		{"y on a flagged change", flagged, func(d *desk) { d.ready().press('y').after(time.Second) },
			"press Y: this file is executed by git on every commit [n]o"},
		{"no hunks", edit(4), func(d *desk) { d.ready().press('s') },
			"(y)es [n]o [?] s does nothing here: there are no parts to choose"},
		{"no rule", edit(4), func(d *desk) { d.ready().press('a') },
			"(y)es [n]o [?] a does nothing here: no rule can cover this"},
		{"not flagged", edit(4), func(d *desk) { d.ready().press('Y') },
			"(y)es [n]o [?] Y does nothing here: nothing is flagged, y approves"},
		{"a rule is not chosen", edit(4), func(d *desk) {
			d.pane.ruleOffers = []string{"bash(make)"}
			d.ready().press('a').ready().press('y')
		}, "1 chooses the rule [n]o Esc back y does nothing yet: a digit chooses a rule first"},
		{"text in a field", edit(4), func(d *desk) { d.ready().press("rys") }, "reason: ys"},
		{"it goes once the key works", edit(4), func(d *desk) {
			d.after(450 * time.Millisecond).press('y').after(time.Second)
		},
			"[y]es [n]o [r]eason [v]iew [f]ull [?]"},
		{"it goes with the next key", edit(4), func(d *desk) { d.after(450 * time.Millisecond).press("yj") },
			"(y)es [n]o [r]eason [v]iew [f]ull [?]"},
		{"it goes after a while", edit(4), func(d *desk) { d.ready().press('s').after(2 * time.Second) },
			"[y]es [n]o [r]eason [v]iew [f]ull [?]"},
	} {
		d := open(t, c.proposal, 100, 24)
		c.do(d)
		rows := d.rows()
		if got := strings.Join(strings.Fields(rows[len(rows)-1]), " "); got != c.want {
			t.Errorf("%s: the row is %q, want %q", c.name, got, c.want)
		}
		if len(d.answers) > 0 {
			t.Errorf("%s: answered %v", c.name, d.answers)
		}
	}
}

// The reason fits at each width, and the keys stay.
func TestTheReasonOfAKeyThatIsOffFits(t *testing.T) {
	for cols, want := range map[int]string{20: "(y)es [n]o [?]", 24: "(y)es [n]o [?] not yet",
		36: "(y)es [n]o [?] not yet",
		50: "(y)es [n]o [?] not yet: in sight for 0.4 s"} {
		d := open(t, edit(4), cols, 24).after(450 * time.Millisecond).press('y')
		rows := d.rows()
		if got := strings.Join(strings.Fields(rows[len(rows)-1]), " "); got != want {
			t.Errorf("%d columns: %q, want %q", cols, got, want)
		}
	}
}

// Escape closes what is open over a proposal. Only another one denies.
func TestEscapeClosesAListBeforeItDenies(t *testing.T) {
	several := edit(8)
	hunk := several.Diff.Hunks[0]
	several.Diff.Hunks = append(several.Diff.Hunks, hunk, hunk)
	for _, keys := range []string{"a", "a1", "?", "a?", "s", "s]", "r", "f", "A", "A?", "/x"} {
		d := open(t, several, 80, 24)
		d.pane.ruleOffers = []string{"edit_file(a)"}
		d.pane.queue = &approvalQueue{panes: []*pane{d.pane, d.pane}, seenLongEnough: make([]bool, 2)}
		d.ready().press(keys)
		for presses := 1; ; presses++ {
			d.press(terminal.KeyEscape)
			if len(d.answers) > 0 {
				if min := 1 + len(strings.TrimLeft(keys, "1]x")); presses < 2 || presses > min {
					t.Errorf("%q: Escape number %d answers %v", keys, presses, d.answers)
				}
				break
			}
			if presses > 4 {
				t.Errorf("%q: Escape never denies", keys)
				break
			}
		}
	}
}
