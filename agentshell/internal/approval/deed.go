package approval

import "context"

// Deed is what a person wants done by a command, after a question that shows what it means.
type Deed struct {
	Question *Proposal
	// Do does it after a yes, and returns lines about it.
	Do func(ctx context.Context) (lines []string, err error)
}

// Carry asks who and does the deed after a yes. It returns lines about what came of it.
func (d Deed) Carry(ctx context.Context, who Approver) ([]string, error) {
	answer, err := who.Ask(ctx, d.Question)
	if yes, ok := answer.(Yes); err != nil || !ok || yes.ID != d.Question.ID {
		return []string{"Nothing was changed."}, nil
	}
	return d.Do(ctx)
}
