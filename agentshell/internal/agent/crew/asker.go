package crew

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// asker puts what an agent proposes to the person, says who asks, and lends its slot until there is
// an answer.
type asker struct {
	slots  *team.Slots
	id     string
	person approval.Approver
}

// Ask implements approval.Approver.
func (a asker) Ask(ctx context.Context, p *approval.Proposal) (answer approval.Answer, err error) {
	named := *p // the same proposal, and who asks
	named.By = a.id
	named.Notes = append([]string{"asked by the agent " + a.id}, p.Notes...)
	err = a.slots.Lend(func() error {
		answer, err = a.person.Ask(ctx, &named)
		return err
	})
	return answer, err
}
