package approval

import "context"

// Deed is an action that the user has asked for, and that needs a yes to a question that shows its
// consequences.
type Deed struct {
	Question *Proposal
	// Do carries out the action after a yes, and returns lines about the result.
	Do func(ctx context.Context) (lines []string, err error)
}

// Carry asks the question, and calls Do after a yes. It returns lines about the result.
func (d Deed) Carry(ctx context.Context, who Approver) ([]string, error) {
	answer, err := who.Ask(ctx, d.Question)
	if yes, ok := answer.(Yes); err != nil || !ok || yes.ID != d.Question.ID {
		return []string{"Nothing was changed."}, nil
	}
	return d.Do(ctx)
}
