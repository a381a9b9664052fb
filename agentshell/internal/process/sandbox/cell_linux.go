package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// cellEnd holds what the shell needs of a sandbox until the sandbox ends.
type cellEnd struct {
	stage        *innerStage
	order        []byte
	placeholders *placeholders
	spares       *spareStages
	proxy        func(net.Listener)
	family       *child.Family
}

// Cell prepares a sandbox for the command cmd, whose Path, Args, Env, Dir and streams are used.
// more lists further paths of the workspace that the command cannot change. After an error there is
// nothing to clean up.
func (b *Box) Cell(p Policy, cmd *exec.Cmd, more []string) (*Cell, error) {
	return b.cell(p, cmd, more, omissions{})
}

// omissions names parts of a sandbox that a test leaves out, to see that something fails without
// them.
type omissions struct {
	ops   func([]op) []op
	bwrap func([]string) []string
	flags uintptr // namespaces that are not created
	stage []string
}

func (b *Box) cell(p Policy, cmd *exec.Cmd, more []string, omit omissions) (_ *Cell, err error) {
	pl, err := makePlan(p, more)
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	o := order{Path: cmd.Path, Args: cmd.Args, Env: cellEnviron(cmd.Env), Dir: cmd.Dir, Proxy: p.Proxy != nil,
		Trace: p.Trace}
	if o.Proxy {
		o.Env = append(o.Env, proxyVariables...)
	}
	for _, step := range pl.ops {
		if step.Kind == scratch || step.Kind == write {
			o.Writable = append(o.Writable, step.Path)
		}
	}
	if omit.ops != nil {
		pl.ops = omit.ops(pl.ops)
	}
	if b.way == Direct {
		o.Ops = pl.ops
	}
	c := &Cell{end: cellEnd{proxy: p.Proxy, placeholders: new(placeholders), spares: b.spares, family: b.family}}
	defer func() {
		if err != nil {
			c.end.close()
		}
	}()
	if c.end.order, err = json.Marshal(o); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	if err := c.end.placeholders.create(pl.missing); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	if c.end.stage = b.spares.take(cmd); c.end.stage == nil {
		if c.end.stage, err = b.stage(pl.ops, omit); err != nil {
			return nil, fmt.Errorf("no sandbox: %w", err)
		}
		c.end.stage.setStreams(cmd)
	}
	return c, nil
}

// outsideVariables lists environment variables that refer to things which do not exist inside of a
// sandbox.
var outsideVariables = []string{"TMPDIR", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID",
	"DBUS_SESSION_BUS_ADDRESS",
	"WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "TMUX", "GPG_AGENT_INFO", "DOCKER_HOST"}

// cellEnviron returns the environment of a command in its sandbox: environ without
// outsideVariables.
func cellEnviron(environ []string) (env []string) {
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); !contains(outsideVariables, name) {
			env = append(env, v)
		}
	}
	return env
}

// Begin starts the command in its sandbox. Call End when the command has ended, and also after an
// error.
func (c *Cell) Begin() (*child.Process, error) {
	p, err := c.end.stage.start(c.end.family)
	if err != nil {
		return nil, err
	}
	// An error means that the stage has ended. What it printed, or sent at its end, says why.
	_ = c.end.stage.sendOrder(c.end.order, c.end.proxy)
	return p, nil
}

// End removes everything that was created for the sandbox, and returns how the command ended. ok is
// false if the sandbox did not report that: it was killed from outside, or could not be set up.
// Then the command's output has the reason.
func (c *Cell) End() (ending Ending, ok bool) {
	if c.end.stage != nil {
		ending, ok = c.end.stage.finish()
	}
	c.end.close()
	c.end.spares.refill()
	return ending, ok
}

func (e *cellEnd) close() {
	if e.stage != nil {
		e.stage.close()
		e.stage = nil
	}
	e.placeholders.remove()
}
