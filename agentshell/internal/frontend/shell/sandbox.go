package shell

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Sandbox is the sandbox for the model's commands, which the person can switch.
type Sandbox interface {
	// On reports whether commands are confined now.
	On() bool
	// Offer returns the question whether commands shall be confined, and the text below it. Both
	// are "" if the person has decided, or if commands cannot be confined here. It is called beside
	// the loop.
	Offer(ctx context.Context) (question, text string)
	// Answer does what the person has answered. It returns whether commands are confined now, and a
	// line about that. It is called beside the loop.
	Answer(ctx context.Context, a approval.Answer) (on bool, line string)
	// Command does what /sandbox with an argument says, and returns lines about it. It is called
	// beside the loop.
	Command(ctx context.Context, argument string) ([]string, error)
}

// offerSandbox asks once, before the first command that the model's agent asks about, whether
// commands shall be confined. It reports whether they are now, so that the command has to be
// prepared again.
func (sh *Shell) offerSandbox(ctx context.Context, p *approval.Proposal) bool {
	if _, command := p.Payload.(approval.Command); !command || p.Tool != "bash" || p.By != "" ||
		sh.cfg.Sandbox == nil || sh.sandboxOffered.Swap(true) {
		return false
	}
	question, text := sh.cfg.Sandbox.Offer(ctx)
	if question == "" {
		return false
	}
	q := &approval.Proposal{ID: rand.Text(), Tool: "sandbox", Payload: approval.Prompts{
		Base: approval.Base{Kind: "prompts", Description: "Use the sandbox"}, What: "the sandbox", Question: question,
		Text: text, Here: true}}
	answer, err := sh.Ask(ctx, q)
	if err != nil || ctx.Err() != nil {
		return false
	}
	on, line := sh.cfg.Sandbox.Answer(ctx, answer)
	if line != "" {
		sh.addBlock(notice, paragraphs(true, line))
	}
	return on
}

// asksAboutSandbox reports whether p is the question of [Shell.offerSandbox].
func asksAboutSandbox(p *approval.Proposal) bool {
	prompts, ok := p.Payload.(approval.Prompts)
	return ok && prompts.Here
}

// handleSandbox handles /sandbox: it shows what the sandbox holds, or switches it.
func (sh *Shell) handleSandbox(argument string) {
	if sh.cfg.Sandbox == nil {
		sh.addBlock(notice, paragraphs(false, "There is no sandbox here."))
		return
	}
	go func() { // the first time the system is tried out
		lines, err := sh.cfg.Sandbox.Command(context.Background(), strings.TrimSpace(argument))
		if err != nil {
			sh.addBlock(notice, problem(capitalized(err.Error())+"."))
			return
		}
		sh.addBlock(notice, paragraphs(false, lines...))
	}()
}
