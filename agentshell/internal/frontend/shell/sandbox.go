package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// offerSandbox asks the user, before the first command, whether commands shall run in a sandbox. p
// is the proposal of that command. It returns true if commands are confined now, so that the
// command must be prepared again.
func (sh *Shell) offerSandbox(ctx context.Context, p *approval.Proposal) bool {
	return sh.sandboxOffer.Before(ctx, p, sh.cfg.Approval.Sandbox, sh,
		func(line string) { sh.addBlock(notice, paragraphs(true, line)) })
}

// asksAboutSandbox reports whether p is the question that [Shell.offerSandbox] asks.
func asksAboutSandbox(p *approval.Proposal) bool {
	prompts, ok := p.Payload.(approval.Prompts)
	return ok && prompts.Here
}

// handleSandbox runs /sandbox: it describes the sandbox, or turns it on or off.
func (sh *Shell) handleSandbox(argument string) {
	if sh.cfg.Approval.Sandbox == nil {
		sh.addBlock(notice, paragraphs(false, "There is no sandbox here."))
		return
	}
	go func() { // the first time the system is tried out
		lines, err := sh.cfg.Approval.Sandbox.Command(context.Background(), strings.TrimSpace(argument))
		if err != nil {
			sh.addBlock(notice, problem(capitalized(err.Error())+"."))
			return
		}
		sh.addBlock(notice, paragraphs(false, lines...))
	}()
}
