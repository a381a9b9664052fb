package shell

import (
	"fmt"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// statusParts returns the texts of the status row that the user has configured, in that order. wait
// is the time after which one of them changes without an event; 0: none does.
func (sh *Shell) statusParts(s tui.Space) (parts []string, wait time.Duration) {
	if sh.modeName() == approval.ModeUnconfined && !slices.Contains(sh.cfg.Appearance.Status, "mode") {
		parts = append(parts, sh.modeName())
	}
	for _, name := range sh.cfg.Appearance.Status {
		switch name {
		case "mode":
			parts = append(parts, sh.modeName())
		case "model":
			parts = append(parts, sh.cfg.Models.Name)
		case "workspace":
			parts = append(parts, sh.cfg.Workspace.Name)
		case "branch":
			parts = append(parts, visibleLine(sh.gitBranch, s.Look()))
		case "context":
			left := sh.gauge.leftText()
			if left == "" && sh.tokensUsed() > 0 {
				left = tokenCount(sh.tokensUsed())
			}
			parts = append(parts, left)
		case "cost":
			parts = append(parts, sh.gauge.costText())
		case "extensions": // they stand behind all others
			parts = append(parts, "")
		case "time":
			if sh.clockStart.IsZero() {
				sh.clockStart = s.Now
			}
			elapsed := max(s.Now.Sub(sh.clockStart), 0)
			parts, wait = append(parts, wholeMinutes(elapsed)), time.Minute-elapsed%time.Minute
		}
	}
	return parts, wait
}

// wholeMinutes returns a duration without its seconds, such as "0 min" or "2 h 3 min".
func wholeMinutes(d time.Duration) string {
	if d < time.Hour {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d/time.Minute%60)
}

// refreshBranch reads the name of the checked-out git branch for the status row. It is called
// outside the event loop.
func (sh *Shell) refreshBranch() {
	if sh.cfg.Appearance.Branch != nil {
		now := sh.cfg.Appearance.Branch()
		sh.app.Do(func() { sh.gitBranch = now })
	}
}
