package acp

import (
	"context"
	"crypto/rand"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// offerTool is the name of the questions about what the workspace offers.
const offerTool = "offer"

// askOffers asks about what the workspace offers, once in a session. Only a clear answer is kept:
// after anything else the next session asks again.
func (s *session) askOffers(ctx context.Context) {
	offers := s.parts.Offers
	s.parts.Offers = nil
	for _, o := range offers {
		answer, err := s.Ask(ctx, &approval.Proposal{ID: rand.Text(), Tool: offerTool, Payload: approval.Prompts{
			Base: approval.Base{Kind: "prompts", Description: "Use " + o.What}, What: o.What, Question: o.Question,
			Text: o.Text, Files: o.Files, Unit: o.Unit}})
		if err != nil || ctx.Err() != nil {
			return
		}
		_, yes := answer.(approval.Yes)
		if _, no := answer.(approval.No); !yes && !no {
			continue
		}
		used, err := o.Decide(yes)
		switch {
		case err != nil:
			s.sendNotice("The answer is not kept, or not all is used: " + err.Error() + ".")
		case yes:
			s.sendNotice("Of this workspace: " + used + ".")
		}
		s.sendCommands()
	}
}
