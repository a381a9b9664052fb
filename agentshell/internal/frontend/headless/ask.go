package headless

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// pasted is how soon a second line follows the first in a paste: lines that come together answer
// nothing.
const pasted = 100 * time.Millisecond

// Question asks one question, as Ask does, on a terminal that a person looks at. It reads Stdin
// until the question is answered.
func (p *Plain) Question(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	p.out.w = p.Stdout
	left := make(chan struct{})
	defer close(left)
	p.lines = readLines(p.Stdin, left)
	return p.Ask(ctx, proposal)
}

// Ask shows the whole proposal, asks, and reads lines until one is an answer. A line that was typed
// before the question had stood for Ripe, or that came together with another one, is no answer. The
// end of the input denies and stops the turn.
func (p *Plain) Ask(ctx context.Context, proposal *approval.Proposal) (approval.Answer, error) {
	p.out.block(func() { p.out.proposal(proposal) })
	ripe := p.Ripe
	if ripe == 0 {
		ripe = time.Second
	}
	q := &asking{p: proposal, policy: p.Policy}
	var quiet time.Time // since when the question has stood, and nothing was typed
	ask := func() {
		p.out.prompt(question(proposal) + " ")
		quiet = time.Now()
	}
	ask()
	for {
		line, err := p.read(ctx)
		if errors.Is(err, io.EOF) {
			return approval.Stop{ID: proposal.ID}, nil
		} else if err != nil {
			return approval.No{ID: proposal.ID}, err
		}
		early := time.Since(quiet) < ripe
		together := p.more(ctx)
		if early || together {
			p.out.line("That was typed too early, or pasted: it is not taken as an answer.")
			ask()
			continue
		}
		answer, say := q.take(line)
		switch {
		case answer == nil && say == nil:
			p.out.block(func() { p.out.whole(proposal) })
		case answer == nil:
			for _, s := range say {
				p.out.line(s)
			}
		case builds(answer) && proposal.Changed(ctx) != nil:
			p.out.line("The file has changed meanwhile, so nothing was done. This is the change as it is now:")
			return approval.Stale{ID: proposal.ID}, nil
		case q.rule != "":
			if err := p.Policy.Grant(q.rule); err != nil { // not stored: then nothing is approved either
				q.rule = ""
				p.out.line("The rule was not stored: " + err.Error())
				break
			}
			return answer, nil
		default:
			return answer, nil
		}
		ask()
	}
}

// builds reports whether an answer builds on what was shown: then the file must not have changed.
func builds(a approval.Answer) bool {
	switch a.(type) {
	case approval.Yes, approval.Revise, approval.InPlace:
		return true
	}
	return false
}

// more reports whether further lines follow at once, and swallows them.
func (p *Plain) more(ctx context.Context) bool {
	more := false
	for {
		soon, cancel := context.WithTimeout(ctx, pasted)
		_, err := p.read(soon)
		cancel()
		if err != nil {
			return more
		}
		more = true
	}
}

// question returns the prompt of PAY-51 and PAY-50.
func question(p *approval.Proposal) string {
	switch pl := p.Payload.(type) {
	case approval.Edit:
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
		if p.After != nil {
			return "Undo this change? [y/n/v(iew full file)]"
		}
		return "Undo this change? [y/n]"
	}
	return fmt.Sprintf("%q - Approve? [y/n]", p.Payload.Line())
}

// proposal writes all that is known of a proposal; it wants t.mu.
func (t *transcript) proposal(p *approval.Proposal) {
	t.endLine()
	t.put("\n")
	t.write("? " + p.Payload.Line())
	for _, l := range p.Above() {
		t.write(l)
	}
	if p.File() {
		switch {
		case p.Flagged(approval.FlagBinary):
			for _, side := range []struct {
				name string
				b    []byte
			}{{"old", p.Before}, {"new", p.After}} {
				if p.Remove && side.name == "new" {
					continue
				}
				t.write(fmt.Sprintf("%s: binary, %d bytes, sha256 %x", side.name, len(side.b), sha256.Sum256(side.b)))
			}
		case len(p.Before) == 0 && len(p.After) == 0:
			t.write("(empty file)")
		case p.Diff.Identical():
			t.write("(no changes)")
		default:
			t.diff(p.Diff)
		}
	}
	for _, l := range p.Below() {
		t.write(l)
	}
}

// whole writes the file as it would be; it wants t.mu.
func (t *transcript) whole(p *approval.Proposal) {
	n := 0
	for l := range strings.Lines(string(p.After)) {
		n++
		t.write(fmt.Sprintf("%4d  %s", n, strings.TrimSuffix(l, "\n")))
	}
	if n == 0 {
		t.write("(empty file)")
	}
}
