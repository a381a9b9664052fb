package agent

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Texts that tell the model that plan mode is on or off, sent with a message of the user. The mode
// does not change the system prompt or the tools, because the provider's cache works only if what
// was sent before stays the same.
const (
	planModeText = "<mode>Plan mode is on. Look around, but change nothing: nothing that changes anything runs. " +
		"Commands run without a question if they are known to only read (ls, cat, grep, find, sed -n, git log, " +
		"git diff) and have no redirection, variable, substitution, glob or path out of the workspace. "
	planModeAsk = planModeText +
		"When you know enough, put the whole plan to the user with propose_plan, as Markdown.</mode>"
	// sent if nobody can be asked in the session, so that the model cannot propose its plan
	planModeAlone = planModeText + "Nobody can be asked here: end with the whole plan as your answer.</mode>"
	planModeOff   = "<mode>Plan mode is off.</mode>"
)

// withMode adds to a message of the user the text that plan mode is on, or, once after it ended,
// that it is off. It adds pending notes, too.
func (t *turn) withMode(m Message) Message {
	m = t.withNotes(m)
	cfg := t.agent.cfg
	switch {
	case cfg.Modes == nil || m.Text == "":
	case cfg.Modes.Mode() == approval.ModePlan && cfg.Approver == nil:
		m.notes = append(m.notes, planModeAlone)
	case cfg.Modes.Mode() == approval.ModePlan:
		m.notes = append(m.notes, planModeAsk)
	case t.agent.inPlanMode():
		m.notes = append(m.notes, planModeOff)
	}
	return m
}

// inPlanMode reports whether the last that the model was told about plan mode is that it is on.
func (a *Agent) inPlanMode() bool {
	for _, m := range slices.Backward(a.snapshot().Messages()) {
		if m.Role != provider.User {
			continue
		}
		for _, p := range m.Parts {
			text, ok := p.(provider.Text)
			switch {
			case !ok || text.Origin != provider.Aside:
			case strings.HasSuffix(text.Text, planModeAsk), strings.HasSuffix(text.Text, planModeAlone):
				return true
			case strings.HasSuffix(text.Text, planModeOff):
				return false
			}
		}
	}
	return false
}
