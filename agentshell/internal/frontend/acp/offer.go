package acp

import (
	"context"
	"crypto/rand"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// offerTool is the tool name of the questions whether to use what the workspace offers, such as its
// extensions.
const offerTool = "offer"

// askOffers asks the user, once in a session, whether to use what the workspace offers. Only a
// clear yes or no is stored. After anything else the next session asks again.
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
