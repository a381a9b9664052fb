package app

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
)

// confinement is the sandbox of a workspace, and whether the model's commands run in it. The person
// can switch it while the session runs. A project and its copies for agents share it.
type confinement struct {
	find func(ctx context.Context) (*sandbox.Box, string) // returns why there is none

	mu     sync.Mutex
	looked bool
	box    *sandbox.Box // nil: there is none, or nobody has looked
	reason string       // why there is none
	on     bool
}

// newConfinement returns the sandbox of the workspace, which is not looked for yet.
func (r *project) newConfinement(p Host) *confinement {
	return &confinement{find: func(ctx context.Context) (*sandbox.Box, string) {
		switch broad := r.ws.WhyBroad(); {
		case broad != "":
			return nil, broad
		case r.policy.Mode() == approval.ModeUnconfined:
			return nil, "the mode is unconfined"
		}
		report := sandbox.Find(ctx, p.family, p.tempDir, "")
		return report.Box, report.Reason
	}}
}

// look returns the sandbox, or why there is none. It tries the system once.
func (c *confinement) look(ctx context.Context) (*sandbox.Box, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.looked {
		c.looked = true
		c.box, c.reason = c.find(ctx)
	}
	return c.box, c.reason
}

// set turns the sandbox on or off. It returns why it cannot be turned on, or "".
func (c *confinement) set(ctx context.Context, on bool) (why string) {
	box, why := c.look(ctx)
	if on && box == nil {
		return why
	}
	if on {
		box.KeepSpare()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
	return ""
}

// current returns the sandbox if it is on, and nil otherwise.
func (c *confinement) current() *sandbox.Box {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return nil
	}
	return c.box
}

// sandboxAnswer is the name of the answer about the sandbox among those of a workspace.
const sandboxAnswer = "sandbox"

// wantsSandbox reports whether commands are to be confined in a workspace: by the config file or by
// the person's answer for it. What is off in one of them is off. decided reports whether one of
// them says so.
func (p Host) wantsSandbox(cfg config.Config, workspace string) (wants, decided bool) {
	use, known := p.answers(aboutSandbox).Lookup(workspace, sandboxAnswer)
	switch {
	case cfg.Sandbox == "off", known && !use:
		return false, true
	}
	return cfg.Sandbox == "auto" || use, cfg.Sandbox == "auto" || known
}
