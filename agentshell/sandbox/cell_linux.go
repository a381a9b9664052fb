package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// needed are the capabilities that the inner stage has in its own namespaces while it builds the
// file system.
var needed = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}

// cellEnd is what is left to do for a cell.
type cellEnd struct {
	leash    *os.File
	theirs   []*os.File // closed when the command has been started
	stopgaps *stopgaps
}

// shield keeps bubblewrap from ending at a request that is meant for the command: with it the whole
// cell would be killed, without a grace. Programs that bubblewrap starts are not kept from it.
const shield = `trap '' TERM; exec "$@"`

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
	o := order{Direct: b.way == Direct, UID: os.Getuid(), GID: os.Getgid(), Path: cmd.Path, Args: cmd.Args,
		Env: inside(cmd.Env), Dir: cmd.Dir, Without: without.stage}
	for _, step := range pl.ops {
		if step.Kind == scratch || step.Kind == write {
			o.Writable = append(o.Writable, step.Path)
		}
	}
	if without.ops != nil {
		pl.ops = without.ops(pl.ops)
	}
	if o.Direct {
		o.Ops = pl.ops
	}
	end := cellEnd{stopgaps: new(stopgaps)}
	defer func() {
		if err != nil {
			end.close()
		}
	}()
	if err := end.stopgaps.put(pl.missing); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	end.leash = os.NewFile(uintptr(pair[0]), "leash")
	theirs := os.NewFile(uintptr(pair[1]), "leash")
	end.theirs = append(end.theirs, theirs)
	note, err := o.note()
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	end.theirs = append(end.theirs, note)
	c := &Cell{end: end}
	stageEnv := []string{"GOGC=off"} // it lives as long as the command, and does nothing
	if o.Direct {
		c.Cmd = exec.Command("/proc/self/exe", stageName)
		c.Cmd.SysProcAttr = &syscall.SysProcAttr{AmbientCaps: needed, Cloneflags: namespaces &^ without.flags}
	} else {
		self, err := os.Open("/proc/self/exe")
		if err != nil {
			return nil, fmt.Errorf("no sandbox: this program cannot be opened: %w", err)
		}
		c.end.theirs = append(c.end.theirs, self)
		args := bwrapArgs(pl.ops)
		if without.bwrap != nil {
			args = without.bwrap(args)
		}
		args = append([]string{"-c", shield, "sh", b.program}, args...)
		c.Cmd = exec.Command("/bin/sh", append(args, "--setenv", "GOGC", "off", "--",
			fmt.Sprintf("/proc/self/fd/%d", selfFD), stageName)...)
	}
	c.Cmd.Env, c.Cmd.Dir = stageEnv, "/"
	c.Cmd.Stdin, c.Cmd.Stdout, c.Cmd.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	c.Cmd.WaitDelay = cmd.WaitDelay
	c.Cmd.ExtraFiles = c.end.theirs
	return c, nil
}

// note puts an order into a file in memory that nobody else has.
func (o order) note() (*os.File, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("order", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "order")
	if _, err := f.Write(text); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// outsiders are variables of the environment that name what is not there inside.
var outsiders = []string{"TMPDIR", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS",
	"WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "TMUX", "GPG_AGENT_INFO", "DOCKER_HOST"}

// inside is the environment of a command in its cell.
func inside(environ []string) (env []string) {
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); !contains(outsiders, name) {
			env = append(env, v)
		}
	}
	return env
}

// Started is for after the start of Cmd, or its failure.
func (c *Cell) Started() {
	for _, f := range c.end.theirs {
		_ = f.Close()
	}
	c.end.theirs = nil
}

// End says how the command ended, and takes away what was made for it. ok: the cell said so itself;
// else it was ended from outside, or the sandbox could not be set up, and what it printed says why.
func (c *Cell) End() (ending Ending, ok bool) {
	c.Started()
	if c.end.leash != nil {
		_ = c.end.leash.SetReadDeadline(time.Now().Add(time.Second))
		text, _ := io.ReadAll(io.LimitReader(c.end.leash, 1<<16))
		ok = json.NewDecoder(bytes.NewReader(text)).Decode(&ending) == nil
	}
	c.end.close()
	return ending, ok
}

func (e *cellEnd) close() {
	for _, f := range e.theirs {
		_ = f.Close()
	}
	if e.leash != nil {
		_ = e.leash.Close()
	}
	e.stopgaps.remove()
}
