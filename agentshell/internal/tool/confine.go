package tool

import (
	"net"
	"os/exec"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Confine makes the sandbox in which the command cmd runs. reach says what the command may reach in
// addition to what all commands may. cmd.Env must be set before.
type Confine func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error)

// Reach describes what one sandboxed command may reach in addition to what all commands may.
type Reach struct {
	// Out serves the command's connections to the network, as [sandbox.Policy.Proxy] does; nil:
	// there is no network.
	Out    func(net.Listener)
	Shared string // Shared is a folder, made for the command, in which it may write; "": there is none.
	// Program is the folder of the program, which the command may read; "": there is none. If the
	// folder is in the workspace, the command may also write there.
	Program   string
	ReadsOnly bool // ReadsOnly means that the command only reads the workspace, so it sees the real files.
	// Hides means that the command runs only because its sandbox hides all files that rules keep
	// from the model: if they cannot all be hidden, it must not run. Otherwise the sandbox hides
	// those that it finds.
	Hides bool
}

// Confinement holds how the programs that a model starts are sandboxed. The zero value means that
// they are not.
type Confinement struct {
	// Cell makes the sandbox of a program that keeps running between calls, such as a language
	// server; nil: these programs are not sandboxed.
	Cell Confine
	// CellNow returns the function that makes the sandbox of the next command. It is set if the
	// user can switch the sandbox on and off; nil: Cell is always used.
	CellNow func() Confine
	// Hosts lists the hosts that sandboxed commands may reach in this session; nil: they have no
	// network.
	Hosts *proxy.Hosts
	// Hides returns the reason why sandboxes may fail to hide some files that rules keep from the
	// model, or "" if they hide all. nil: they hide none for sure.
	Hides func() (why string)
}

// now returns the function that makes the sandbox of the next command; nil: it runs without one.
func (c Confinement) now() Confine {
	if c.CellNow != nil {
		return c.CellNow()
	}
	return c.Cell
}

// hiding returns the Hides function of a call for a command, and the function that makes its
// sandbox. The sandbox must hide all files that rules keep from the model if the Hides function has
// returned "". A command in the background (async) never promises that, because files may appear
// while it runs.
func (c Confinement) hiding(confine Confine, async bool) (hides func() string, hidden Confine) {
	if confine == nil || c.Hides == nil {
		return nil, confine
	}
	promised := new(atomic.Bool)
	hides = func() string {
		if async {
			return "it runs in the background, where files may appear"
		}
		why := c.Hides()
		if why == "" {
			promised.Store(true)
		}
		return why
	}
	return hides, func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error) {
		reach.Hides = promised.Load()
		return confine(cmd, reach)
	}
}

// reading returns a Confine that gives the command only read access to the workspace if only
// returns true. only is called when the sandbox is made.
func reading(confine Confine, only func() bool) Confine {
	if confine == nil {
		return nil
	}
	return func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error) {
		reach.ReadsOnly = only()
		return confine(cmd, reach)
	}
}

// cellMaker makes the sandbox of one command. A nil cellMaker means that the command runs without
// one.
type cellMaker func(cmd *exec.Cmd) (*sandbox.Cell, error)

// noteFree and the constants below are notes in proposals that tell the user what a command may
// reach.
const (
	noteFree     = "can change any file"
	noteOutside  = "not confined: can change any file"
	noteConfined = "confined: workspace only, no network"
	noteHosts    = "confined: workspace and chosen hosts only"
)

// walls matches error messages that programs print when a sandbox has refused them something.
var walls = lazyregexp.New(`(?i)read-only file system|permission denied|operation not permitted|` +
	`device or resource busy|network is (unreachable|down)|no route to host|could not resolve|couldn't resolve|` +
	`name resolution|name or service not known|no such host|nodename nor servname|dial (tcp|udp)|failed to connect|` +
	`connection refused|unable to connect|ENOTFOUND|EAI_AGAIN|ENETUNREACH|\bEROFS\b|\bEACCES\b`)

// guess returns a line for the model that says that the sandbox may be the reason for a command's
// failure. It returns "" if the output does not suggest it.
func guess(output string) string {
	if !walls().MatchString(output) {
		return ""
	}
	return "[this may be because the command ran confined: it can write in the workspace only, and there is no " +
		"network. A call with unconfined true and a reason asks the user to run it outside.]\n"
}
