package shell

import (
	"fmt"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// chosen returns the parts of the row of facts that the person has chosen, in their order, and how
// long they hold; 0: until something happens.
func (sh *Shell) chosen(s tui.Space) (parts []string, wait time.Duration) {
	if sh.mode() == approval.ModeUnconfined && !slices.Contains(sh.cfg.Look.Status, "mode") {
		parts = append(parts, sh.mode())
	}
	for _, name := range sh.cfg.Look.Status {
		switch name {
		case "mode":
			parts = append(parts, sh.mode())
		case "model":
			parts = append(parts, sh.cfg.Models.Name)
		case "workspace":
			parts = append(parts, sh.cfg.Workspace)
		case "branch":
			parts = append(parts, clean(sh.branch, s.Look()))
		case "context":
			left := sh.gauge.left()
			if left == "" && sh.spent > 0 {
				left = tokens(sh.spent)
			}
			parts = append(parts, left)
		case "cost":
			parts = append(parts, sh.gauge.dollars())
		case "time":
			if sh.since.IsZero() {
				sh.since = s.Now
			}
			run := max(s.Now.Sub(sh.since), 0)
			parts, wait = append(parts, minutes(run)), time.Minute-run%time.Minute
		}
	}
	return parts, wait
}

// minutes returns d in whole minutes: "0 min", "2 h 3 min".
func minutes(d time.Duration) string {
	if d < time.Hour {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d/time.Minute%60)
}

// branches looks which branch is checked out. Beside the loop.
func (sh *Shell) branches() {
	if sh.cfg.Look.Branch != nil {
		now := sh.cfg.Look.Branch()
		sh.app.Do(func() { sh.branch = now })
	}
}
