package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// pasteInterval is the longest time between two lines that count as pasted together. Pasted lines
// never answer a question.
const pasteInterval = 100 * time.Millisecond

// AskOnce asks the user a single question at the terminal, as Ask does, without a call of Run. It
// reads Stdin until the question is answered.
func (p *Plain) AskOnce(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	p.out.w = p.Stdout
	left := make(chan struct{})
	defer close(left)
	p.lines = readLines(p.Stdin, left)
	return p.Ask(ctx, proposal)
}

// Ask shows the user the whole proposal and reads lines until one is an answer. A line is ignored
// if it was typed before the question had been visible for MinVisible, or if it arrived together
// with another line. The end of the input denies the proposal and stops the turn. Ask implements
// [approval.Approver].
func (p *Plain) Ask(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	if p.sandboxOffer.Before(ctx, proposal, p.Sandbox, p, p.out.writeLine) {
		return approval.Stale{ID: proposal.ID}, nil // the sandbox is on now: the call is prepared anew
	}
	done, err := p.beginQuestion(ctx)
	if err != nil {
		return approval.No{ID: proposal.ID}, err
	}
	defer done()
	p.out.doLocked(func() { p.out.writeProposal(proposal) })
	q := &lineQuestion{proposal: proposal, policy: p.Policy}
	for {
		line, err := p.readAnswer(ctx, promptFor(proposal))
		if errors.Is(err, io.EOF) {
			return approval.Stop{ID: proposal.ID}, nil
		} else if err != nil {
			return approval.No{ID: proposal.ID}, err
		}
		answer, reply := q.parseLine(line)
		switch {
		case answer == nil && reply == nil:
			p.out.doLocked(func() { p.out.writeFile(proposal) })
		case answer == nil:
			for _, s := range reply {
				p.out.writeLine(s)
			}
		case dependsOnShown(answer) && proposal.Changed(ctx) != nil:
			p.out.writeLine("The file has changed meanwhile, so nothing was done. This is the change as it is now:")
			return approval.Stale{ID: proposal.ID}, nil
		case q.chosenRule != "":
			whom := approval.Grantee{Agent: proposal.By}
			// if the rule cannot be stored, the call is not approved, either
			if err := p.Policy.GrantTo(q.chosenRule, whom); err != nil {
				q.chosenRule = ""
				p.out.writeLine("The rule was not stored: " + err.Error())
				break
			}
			return answer, nil
		default:
			return answer, nil
		}
	}
}

// readAnswer shows prompt and reads a line as the answer. Lines that were pasted, or typed before
// the prompt had been visible for MinVisible, are ignored.
func (p *Plain) readAnswer(ctx context.Context, prompt string) (string, error) {
	minVisible := p.MinVisible
	if minVisible == 0 {
		minVisible = time.Second
	}
	for {
		p.out.writePrompt(prompt + " ")
		quietSince := time.Now() // since then the prompt is visible and nothing was typed
		line, err := p.readLine(ctx)
		if err != nil {
			return "", err
		}
		early := time.Since(quietSince) < minVisible
		if together := p.dropFollowing(ctx); !early && !together {
			return line, nil
		}
		p.out.writeLine("That was typed too early, or pasted: it is not taken as an answer.")
	}
}

// beginQuestion waits until the earlier questions of other agents are answered. It writes how many
// questions wait behind this one. The caller must call done when its question is answered.
func (p *Plain) beginQuestion(ctx context.Context) (done func(), err error) {
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	if done, err = p.lockQuestions(ctx); err != nil {
		return nil, err
	}
	if n := p.waiting.Load() - 1; n > 0 {
		p.out.writeLine(fmt.Sprintf("Questions of other agents that wait: %d", n))
	}
	return done, nil
}

// lockQuestions waits until no question is open. Until done is called, no other question can be
// opened.
func (p *Plain) lockQuestions(ctx context.Context) (done func(), err error) {
	p.lockOnce.Do(func() { p.asking = make(chan struct{}, 1) })
	select {
	case p.asking <- struct{}{}:
		return func() { <-p.asking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// dependsOnShown reports whether answer a approves content that the user has seen. Then the file
// must not have changed since it was shown.
func dependsOnShown(a approval.Answer) bool {
	switch a.(type) {
	case approval.Yes, approval.Revise, approval.InPlace:
		return true
	}
	return false
}

// dropFollowing drops further lines that arrive at once, as in a paste. It reports whether there
// were any.
func (p *Plain) dropFollowing(ctx context.Context) bool {
	more := false
	for {
		soon, cancel := context.WithTimeout(ctx, pasteInterval)
		_, err := p.readLine(soon)
		cancel()
		if err != nil {
			return more
		}
		more = true
	}
}

// promptFor returns the prompt at which the user decides about proposal p (PAY-50, PAY-51).
func promptFor(p *approval.Proposal) string {
	switch pl := p.Payload.(type) {
	case approval.Edit:
		if pl.Removes {
			return "Remove this file? [y/n]"
		}
		return "Apply this edit? [y/n/v(iew full file)]"
	case approval.Write:
		return "Write this file? [y/n/v(iew all)]"
	case approval.Plan:
		return "Go on by this plan? [y/n]"
	case approval.Form:
		keys := "[y/n]"
		if pl.Again {
			keys = "[y/n/x(stop the server)]"
		}
		if pl.Kind == "form" {
			return "Send these answers? " + keys
		}
		return fmt.Sprintf("%q - Approve? %s", p.Payload.Line(), keys)
	case approval.Undo:
		if pl.Kind == approval.KindForget {
			return "Forget this note? [y/n]"
		}
		if pl.Kind == approval.KindRemove {
			return "Remove this file? [y/n]"
		}
		if p.After != nil {
			return "Undo this change? [y/n/v(iew full file)]"
		}
		return "Undo this change? [y/n]"
	}
	if pl, ok := p.Payload.(approval.Prompts); ok && pl.Here {
		return "Use the sandbox? [h(ere)/Y/n(ot now)]"
	}
	return fmt.Sprintf("%q - Approve? [y/n]", p.Payload.Line())
}

// writeProposal writes everything that the user has to know about proposal p: its title, facts and
// warnings, and the whole diff. The caller must hold t.mu.
func (t *transcript) writeProposal(p *approval.Proposal) {
	t.endLine()
	t.writeRaw("\n")
	t.write("? " + p.Payload.Line())
	for _, l := range p.Above() {
		t.write(l)
	}
	if p.File() {
		switch {
		case p.Flagged(approval.FlagBinary):
			for _, l := range p.Sums() {
				t.write(l)
			}
		case len(p.Before) == 0 && len(p.After) == 0:
			t.write("(empty file)")
		case p.Diff.Identical():
			t.write("(no changes)")
		default:
			t.writeDiff(p.Diff)
		}
	}
	for _, l := range p.Below() {
		t.write(l)
	}
}

// writeFile writes the file with line numbers, as it will be if proposal p is approved. The caller
// must hold t.mu.
func (t *transcript) writeFile(p *approval.Proposal) {
	n := 0
	for l := range strings.Lines(string(p.After)) {
		n++
		t.write(fmt.Sprintf("%4d  %s", n, strings.TrimSuffix(l, "\n")))
	}
	if n == 0 {
		t.write("(empty file)")
	}
}
