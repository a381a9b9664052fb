package app

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
)

// confinement is the sandbox of a workspace, with a switch that says whether the model's commands
// run in it. The user can switch it while the session runs. A project shares it with its copies for
// agents.
type confinement struct {
	// Looks for a sandbox. Without one, it returns the reason.
	find func(ctx context.Context) (*sandbox.Box, string)

	mu sync.Mutex
	// The function find was called.
	looked bool
	box    *sandbox.Box // The sandbox; nil if there is none or if find was not called.
	reason string       // Why there is no sandbox.
	// The user or the configuration has switched the sandbox on.
	on bool
}

// newConfinement returns the sandbox of the workspace, switched off. It does not look yet whether
// the system has one.
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

// look returns the sandbox, or why there is none. Only the first call tries what the system can do.
func (c *confinement) look(ctx context.Context) (*sandbox.Box, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.looked {
		c.looked = true
		c.box, c.reason = c.find(ctx)
	}
	return c.box, c.reason
}

// set switches the sandbox on or off. It returns why it cannot be switched on, or "".
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

// current returns the sandbox if it is switched on, else nil.
func (c *confinement) current() *sandbox.Box {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return nil
	}
	return c.box
}

// sandboxAnswer is the key under which the user's answer about the sandbox is stored for a
// workspace.
const sandboxAnswer = "sandbox"

// wantsSandbox reports whether commands shall run in a sandbox in a workspace. The config file or
// the user's answer for the workspace can turn it on; if one of them turns it off, it is off.
// decided is false if neither says anything.
func (p Host) wantsSandbox(cfg config.Config, workspace string) (wants, decided bool) {
	use, known := p.answers(aboutSandbox).Lookup(workspace, sandboxAnswer)
	switch {
	case cfg.Sandbox == "off", known && !use:
		return false, true
	}
	return cfg.Sandbox == "auto" || use, cfg.Sandbox == "auto" || known
}
