package tool

import (
	"net"
	"os/exec"

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
	Program string
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
