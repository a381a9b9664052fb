package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Proposer is implemented by an [Agent] that can run a tool call for the user, after the user has
// approved it.
type Proposer interface {
	Propose(ctx context.Context, name string, prepare func(context.Context, string) (tool.Call, error),
		on func(agent.Event)) error
}

// handleMemory runs /memory: it lists the notes, shows one note, or asks before it forgets or
// confirms one.
func (sh *Shell) handleMemory(arg string) {
	if sh.cfg.Memory == nil {
		sh.addBlock(notice, paragraphs(false, tool.MemoryOff))
		return
	}
	reply, err := sh.cfg.Memory(context.Background(), arg)
	switch {
	case err != nil:
		sh.addBlock(notice, problem(capitalized(err.Error())))
	case reply.Propose != nil && sh.refuseWhileBusy("/memory"):
	case reply.Propose != nil:
		sh.startTurn(message{text: "/memory " + arg,
			action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
				if p, ok := ag.(Proposer); ok {
					return p.Propose(ctx, "memory", reply.Propose, on)
				}
				return errCannot
			}})
	case reply.Text != "":
		p := &pager{keys: sh.cfg.Keys, itemName: "note", calls: []*paged{{title: reply.Title, text: reply.Text}}}
		p.show(0)
		p.leave = sh.overlay(p, tui.Place{Full: true})
	default:
		sh.addBlock(notice, paragraphs(false, reply.Lines...))
	}
}

// memoryArguments suggests arguments for /memory.
func memoryArguments(context.Context, Config) []suggestion {
	return []suggestion{{text: "open", note: "show the note NAME"},
		{text: "forget", note: "remove the note NAME; you see it first"},
		{text: "confirm", note: "trust the note NAME of the workspace; you see it first"}}
}
