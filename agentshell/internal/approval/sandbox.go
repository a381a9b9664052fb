package approval

import (
	"context"
	"crypto/rand"
	"sync/atomic"
)

// Sandbox turns the sandbox for the model's commands on and off. Its methods may block for a while.
type Sandbox interface {
	// On reports whether commands run in the sandbox now.
	On() bool
	// Offer returns the question whether commands should run in the sandbox, and an explanation.
	// Both are "" if the user has answered before, or if the sandbox does not work here.
	Offer(ctx context.Context) (question, text string)
	// Answer carries out the user's answer to the question. It returns whether commands run in the
	// sandbox now, and a line for the user.
	Answer(ctx context.Context, a Answer) (on bool, line string)
	// Command executes /sandbox with an argument, and returns lines for the user.
	Command(ctx context.Context, argument string) ([]string, error)
}

// SandboxOffer asks the user once in a session whether commands should run in the sandbox.
type SandboxOffer struct{ made atomic.Bool }

// Before asks the user whether commands should run in the sandbox, once, before the first command
// of the main agent that needs approval. say is called with a line about the answer. Before returns
// true if the sandbox is on afterwards, so that the command p has to be prepared again.
func (o *SandboxOffer) Before(ctx context.Context, p *Proposal, box Sandbox, who Approver, say func(line string)) bool {
	_, command := p.Payload.(Command)
	if !command || p.Tool != "bash" || p.By != "" || box == nil || o.made.Swap(true) {
		return false
	}
	question, text := box.Offer(ctx)
	if question == "" {
		return false
	}
	answer, err := who.Ask(ctx, &Proposal{ID: rand.Text(), Tool: "sandbox", Payload: Prompts{
		Base: Base{Kind: "prompts", Description: "Use the sandbox"}, What: "the sandbox", Question: question,
		Text: text, Here: true}})
	if err != nil || ctx.Err() != nil {
		return false
	}
	on, line := box.Answer(ctx, answer)
	if line != "" {
		say(line)
	}
	return on
}
