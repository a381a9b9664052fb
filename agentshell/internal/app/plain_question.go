package app

import (
	"context"
	"io"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// askPlainly asks the user about proposal p as plain text, see [shell.Config].
func (r *conversation) askPlainly(ctx context.Context, in io.Reader, out io.Writer,
	p *approval.Proposal) (approval.Answer,
	error) {
	plain := headless.Plain{Stdin: in, Stdout: out, Policy: r.policy, Person: true}
	return plain.AskOnce(ctx, p)
}
