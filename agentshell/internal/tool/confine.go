package tool

import (
	"net"
	"os/exec"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Confine makes the cell in which a command runs. The command's environment is that of cmd.
type Confine func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error)

// Reach is what one command reaches besides what all commands reach.
type Reach struct {
	Out    func(net.Listener) // serves its way out, as [sandbox.Policy.Proxy] does; nil: there is none
	Shared string             // a folder made for it, in which it can write; "": none
	// Program is the folder of the program, which it can read; "": none. In the workspace it can
	// write, too.
	Program   string
	ReadsOnly bool // it only reads the workspace, which then shows it as it is
	// Hides is true for a command that runs because its cell hides all files that rules keep back.
	// Without it the cell hides those that it finds.
	Hides bool
}

// Confinement is how programs of the model are confined. The zero value confines none.
type Confinement struct {
	// Cell makes the cell of a program that keeps its confinement until it ends; nil: such programs
	// are not confined.
	Cell Confine
	// CellNow returns what makes the cell of a command now, where the person can switch the
	// sandbox; nil: it is always Cell.
	CellNow func() Confine
	// Hosts are those that confined commands may reach in this session; nil: they have no network.
	Hosts *proxy.Hosts
	// Hides returns why cells may not hide all files that rules keep back, or "". nil: they do not.
	Hides func() (why string)
}

// now returns how a command is confined now; nil: it is not.
func (c Confinement) now() Confine {
	if c.CellNow != nil {
		return c.CellNow()
	}
	return c.Cell
}

// hiding returns what Hides of a call is, and how its command is then confined. A file may appear
// while a command runs in the background, so such a command hides nothing for sure.
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

// reading returns how a command is confined that may only read the workspace. Whether it does is
// looked at when its cell is made.
func reading(confine Confine, only func() bool) Confine {
	if confine == nil {
		return nil
	}
	return func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error) {
		reach.ReadsOnly = only()
		return confine(cmd, reach)
	}
}

// cellMaker makes the cell of one command; nil: it is not confined.
type cellMaker func(cmd *exec.Cmd) (*sandbox.Cell, error)

// What a person is told of a command's reach.
const (
	noteFree     = "can change any file"
	noteOutside  = "not confined: can change any file"
	noteConfined = "confined: workspace only, no network"
	noteHosts    = "confined: workspace and chosen hosts only"
)

// walls are words of programs that met the end of a sandbox.
var walls = lazyregexp.New(`(?i)read-only file system|permission denied|operation not permitted|` +
	`device or resource busy|network is (unreachable|down)|no route to host|could not resolve|couldn't resolve|` +
	`name resolution|name or service not known|no such host|nodename nor servname|dial (tcp|udp)|failed to connect|` +
	`connection refused|unable to connect|ENOTFOUND|EAI_AGAIN|ENETUNREACH|\bEROFS\b|\bEACCES\b`)

// guess says that the sandbox may be why a command failed, "" if nothing speaks for it.
func guess(output string) string {
	if !walls().MatchString(output) {
		return ""
	}
	return "[this may be because the command ran confined: it can write in the workspace only, and there is no " +
		"network. A call with unconfined true and a reason asks the user to run it outside.]\n"
}
