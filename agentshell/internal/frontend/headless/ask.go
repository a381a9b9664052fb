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

// pasteInterval is the time within which a second line follows the first one in a paste. Lines that
// come together answer nothing.
const pasteInterval = 100 * time.Millisecond

// AskOnce asks one question, as Ask does, on a terminal that a person looks at. It reads Stdin
// until the question is answered.
func (p *Plain) AskOnce(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	p.out.w = p.Stdout
	left := make(chan struct{})
	defer close(left)
	p.lines = readLines(p.Stdin, left)
	return p.Ask(ctx, proposal)
}

// Ask shows the whole proposal, asks, and reads lines until one is an answer. A line is no answer
// if it was typed before the question had stood for MinVisible, or if it came together with another
// one. The end of the input denies and stops the turn.
func (p *Plain) Ask(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	if p.sandboxOffer.Before(ctx, proposal, p.Sandbox, p, p.out.writeLine) {
		return approval.Stale{ID: proposal.ID}, nil // it is prepared again, and confined
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
			// not stored: then nothing is approved either
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

// readAnswer shows a prompt and reads a line that answers it: it was typed after the prompt had
// stood for MinVisible, and alone.
func (p *Plain) readAnswer(ctx context.Context, prompt string) (string, error) {
	minVisible := p.MinVisible
	if minVisible == 0 {
		minVisible = time.Second
	}
	for {
		p.out.writePrompt(prompt + " ")
		quietSince := time.Now() // the prompt has stood since, and nothing was typed
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

// beginQuestion waits until the questions of other agents that came before are answered. It says
// how many wait behind this one. done ends it.
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

// lockQuestions waits until no question is open, and lets none be opened until done is called.
func (p *Plain) lockQuestions(ctx context.Context) (done func(), err error) {
	p.lockOnce.Do(func() { p.asking = make(chan struct{}, 1) })
	select {
	case p.asking <- struct{}{}:
		return func() { <-p.asking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// dependsOnShown reports whether an answer depends on what was shown. The file must not have
// changed then.
func dependsOnShown(a approval.Answer) bool {
	switch a.(type) {
	case approval.Yes, approval.Revise, approval.InPlace:
		return true
	}
	return false
}

// dropFollowing reports whether further lines follow at once, as in a paste, and drops them.
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

// promptFor returns the prompt of a proposal (PAY-50, PAY-51).
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

// writeProposal writes all that is known of a proposal. The caller holds t.mu.
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

// writeFile writes the file as the proposal would leave it. The caller holds t.mu.
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
