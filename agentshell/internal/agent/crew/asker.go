package crew

import (
	"cmp"
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// asker asks the user to approve a call of a sub-agent. It adds the agent's id to the question, and
// frees the agent's slot until there is an answer.
type asker struct {
	mate   *mate
	person approval.Approver
}

// Ask implements approval.Approver.
func (a asker) Ask(ctx context.Context, p *approval.Proposal) (answer approval.Answer, err error) {
	named := *p // the same proposal, and who asks
	named.By = a.mate.id
	named.Notes = append([]string{approval.AskedBy(a.mate.id)}, p.Notes...)
	a.mate.lend(ctx, Doing{What: Asks, Title: p.Tool + " " + cmp.Or(p.Path, p.Subject.Command)}, func() {
		answer, err = a.person.Ask(ctx, &named)
		answer, err = a.obey(&named, answer, err)
	})
	return answer, err
}

// obey carries out an answer that stops the agent or the turn of Main, and replaces it with a no.
// It returns other answers unchanged.
func (a asker) obey(p *approval.Proposal, answer approval.Answer, err error) (approval.Answer, error) {
	switch stop := answer.(type) {
	case approval.StopAgent:
		if err == nil && stop.ID == p.ID {
			err = a.mate.crew.Stop(a.mate.id)
		}
	case approval.Stop:
		if a.mate.crew.cfg.StopMain != nil {
			a.mate.crew.cfg.StopMain()
		}
	default:
		return answer, err
	}
	return approval.No{ID: p.ID}, err
}
