package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// cellEnd is what is left to do for a cell.
type cellEnd struct {
	stage    *innerStage
	order    []byte
	stopgaps *stopgaps
	spares   *spares
	proxy    func(net.Listener)
	family   *child.Family
}

// Cell prepares a command to run confined: Path, Args, Env, Dir and the streams of cmd are those of
// the command. more is what else in the workspace cannot be changed. On an error nothing is left
// to do.
func (b *Box) Cell(p Policy, cmd *exec.Cmd, more []string) (*Cell, error) {
	return b.cell(p, cmd, more, cuts{})
}

// cuts are parts that a test leaves out, to see that something misses them.
type cuts struct {
	ops   func([]op) []op
	bwrap func([]string) []string
	flags uintptr // namespaces
	stage []string
}

func (b *Box) cell(p Policy, cmd *exec.Cmd, more []string, without cuts) (_ *Cell, err error) {
	pl, err := lay(p, more)
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	o := order{Path: cmd.Path, Args: cmd.Args, Env: inside(cmd.Env), Dir: cmd.Dir, Proxy: p.Proxy != nil}
	if o.Proxy {
		o.Env = append(o.Env, proxied...)
	}
	for _, step := range pl.ops {
		if step.Kind == scratch || step.Kind == write {
			o.Writable = append(o.Writable, step.Path)
		}
	}
	if without.ops != nil {
		pl.ops = without.ops(pl.ops)
	}
	if b.way == Direct {
		o.Ops = pl.ops
	}
	c := &Cell{end: cellEnd{proxy: p.Proxy, stopgaps: new(stopgaps), spares: b.spares, family: b.family}}
	defer func() {
		if err != nil {
			c.end.close()
		}
	}()
	if c.end.order, err = json.Marshal(o); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	if err := c.end.stopgaps.put(pl.missing); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	if c.end.stage = b.spares.take(cmd); c.end.stage == nil {
		if c.end.stage, err = b.stage(pl.ops, without); err != nil {
			return nil, fmt.Errorf("no sandbox: %w", err)
		}
		c.end.stage.streams(cmd)
	}
	return c, nil
}

// outsiders are variables of the environment that name what is not there inside.
var outsiders = []string{"TMPDIR", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS",
	"WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "TMUX", "GPG_AGENT_INFO", "DOCKER_HOST"}

// inside returns the environment of a command in its cell.
func inside(environ []string) (env []string) {
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); !contains(outsiders, name) {
			env = append(env, v)
		}
	}
	return env
}

// Begin starts the command. When it has ended, or has not been started, End is to be called.
func (c *Cell) Begin() (*child.Process, error) {
	p, err := c.end.stage.start(c.end.family)
	if err != nil {
		return nil, err
	}
	// An error is that of a stage that has ended: what it printed, or its last word, says why.
	_ = c.end.stage.tell(c.end.order, c.end.proxy)
	return p, nil
}

// End says how the command ended, and takes away what was made for it. ok: the cell said so itself;
// else it was ended from outside, or the sandbox could not be set up, and what it printed says why.
func (c *Cell) End() (ending Ending, ok bool) {
	if c.end.stage != nil {
		ending, ok = c.end.stage.end()
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
	e.stopgaps.remove()
}
