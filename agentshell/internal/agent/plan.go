package agent

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// What the model is told of plan mode, behind a message of the person. System prompt and tools stay
// as they are: what was sent once is sent again to the byte, so that a provider's cache holds.
const (
	planBegin = "<mode>Plan mode is on. Look around, but change nothing: nothing that changes anything runs. " +
		"Commands run without a question if they are known to only read (ls, cat, grep, find, sed -n, git log, " +
		"git diff) and have no redirection, variable, substitution, glob or path out of the workspace. "
	planAsk = planBegin + "When you know enough, put the whole plan to the user with propose_plan, as Markdown.</mode>"
	// planTell is for a session in which nobody can be asked.
	planTell = planBegin + "Nobody can be asked here: end with the whole plan as your answer.</mode>"
	planOver = "<mode>Plan mode is off.</mode>"
)

// inMode returns a message with what the model has to know of the mode: in plan mode that it is on,
// and once that it is over.
func (t *turn) inMode(m Message) Message {
	m = t.withAside(m)
	cfg := t.agent.cfg
	switch {
	case cfg.Modes == nil || m.Text == "":
	case cfg.Modes.Mode() == approval.ModePlan && cfg.Approver == nil:
		m.aside = append(m.aside, planTell)
	case cfg.Modes.Mode() == approval.ModePlan:
		m.aside = append(m.aside, planAsk)
	case t.agent.planned():
		m.aside = append(m.aside, planOver)
	}
	return m
}

// planned reports whether the last message that told of plan mode said that it is on.
func (a *Agent) planned() bool {
	for _, m := range slices.Backward(a.conversation().Messages()) {
		if m.Role != provider.User {
			continue
		}
		for _, p := range m.Parts {
			text, ok := p.(provider.Text)
			switch {
			case !ok || text.Origin != provider.Aside:
			case strings.HasSuffix(text.Text, planAsk), strings.HasSuffix(text.Text, planTell):
				return true
			case strings.HasSuffix(text.Text, planOver):
				return false
			}
		}
	}
	return false
}
