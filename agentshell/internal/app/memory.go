package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
)

// openMemory opens the notes that the model keeps beyond a session. It returns nil if the user has
// not turned them on. The user's notes are stored in the configuration directory.
func (r *project) openMemory(p Host) *tool.Memory {
	if r.cfg.Memory.Backend != "file" {
		return nil
	}
	configDir, stateDir := config.Dir(p.getenv), config.StateDir(p.getenv)
	notes := &memory.Store{Workspace: memory.InWorkspace{Workspace: r.ws, MayRead: r.mayRead}, Secrets: r.secrets,
		Now: time.Now}
	m := &tool.Memory{Notes: notes, Journal: journalDir(stateDir)}
	if configDir != "" {
		m.Dir = filepath.Join(configDir, "memory")
		notes.Person = memory.Dir(m.Dir)
	}
	if stateDir != "" {
		notes.Agreed = memory.NewAgreed(filepath.Join(stateDir, "memory"), r.ws.Dir())
	}
	return m
}

// memoryCommand carries out the slash command /memory with the argument arg.
func (c *conversation) memoryCommand(ctx context.Context, arg string) (tool.MemoryReply, error) {
	return tool.MemoryCommand(ctx, c.env, arg)
}

// lastMessage returns the message that asks the model for notes when a user leaves a session, or ""
// if the model must not be asked.
func (r *project) lastMessage() string {
	if r.env.Memory == nil || !r.cfg.Memory.ProposeAtEnd {
		return ""
	}
	return "This session ends now. If you have learned something in it that later sessions need and that is in no " +
		"file yet, propose up to three short notes with write_file memory://person/NAME or " +
		"memory://workspace/NAME; recall first whether there is a note to replace. If there is nothing, answer: " +
		"no notes."
}
