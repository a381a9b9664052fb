package approval

import (
	"context"
	"crypto/rand"
	"sync/atomic"
)

// Sandbox is the sandbox for the model's commands, which the person can switch. Its methods may be
// slow.
type Sandbox interface {
	// On reports whether commands are confined now.
	On() bool
	// Offer returns the question whether commands shall be confined, and the text below it. Both
	// are "" if the person has decided, or if commands cannot be confined here.
	Offer(ctx context.Context) (question, text string)
	// Answer does what the person has answered. It returns whether commands are confined now, and a
	// line about that.
	Answer(ctx context.Context, a Answer) (on bool, line string)
	// Command does what /sandbox with an argument says, and returns lines about it.
	Command(ctx context.Context, argument string) ([]string, error)
}

// SandboxOffer offers the sandbox once in a session.
type SandboxOffer struct{ made atomic.Bool }

// Before asks once, before the first command that the model's agent asks about, whether commands
// shall be confined. say gets a line about the answer. It reports whether they are confined now, so
// that the command p has to be prepared again.
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
