package shell

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// What the first rows promise holds in the mode of the session.
func TestTheFirstRowsSayWhatTheModeMeans(t *testing.T) {
	for _, mode := range []string{approval.ModeAsk, approval.ModeEdits, approval.ModePlan, approval.ModeTrusted,
		approval.ModeUnconfined} {
		synctest.Test(t, func(t *testing.T) {
			screen := small
			screen.Cols = 150
			s := beginConfigured(t, screen, func(cfg *Config) { cfg.Approval.Policy, cfg.Approval.Mode = nil, mode })
			s.Settle()
			promises := strings.Contains(s.Visible(), "Nothing is written without your yes.")
			if promises != (mode == approval.ModeAsk) ||
				!promises && !strings.Contains(s.Visible(), approval.ModeAbout(mode)+".") {
				t.Errorf("mode %s:\n%s", mode, s.Visible())
			}
			s.Type("/rules")
			s.Press("enter")
			s.Type("/help")
			s.Press("enter")
			s.Settle()
			help := strings.Join(s.Lines(), "\n")
			help = help[strings.Index(help, "Type a message and press Enter. You can"):]
			if strings.Contains(help, "without your yes") != (mode == approval.ModeAsk) {
				t.Errorf("mode %s: /help promises\n%s", mode, help)
			}
			if strings.Contains(help, "There are no rules: every change") {
				t.Errorf("mode %s: /rules promises\n%s", mode, help)
			}
			s.Press("ctrl+d")
			s.Wait()
		})
	}
}
