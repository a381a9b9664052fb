package main

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/headless"
)

// interactive runs the shell on the terminal.
func (p process) interactive(ctx context.Context, r *run) (int, error) {
	plain := headless.Plain{Agent: r.agent(nil), Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr, Hello: r.hello(), Prompt: true}
	return plain.Run(ctx), nil
}
