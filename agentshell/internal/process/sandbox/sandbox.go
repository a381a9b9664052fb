// Package sandbox runs a command confined by the operating system: it can write in the workspace
// and in caches, read the system, and reach nothing else.
//
// On Linux two walls stand behind each other. The first are namespaces of its own (user, mount,
// process, network, IPC, host name, cgroup), which we make ourselves, or by bubblewrap on systems
// that allow them only to it. The second wall is made by an inner stage, which is
// this program again: Landlock, a filter of system calls, no capabilities and no new ones, no
// descriptors but the three of a command, a session of its own. Whatever cannot be set up is an
// error, and the command does not run.
package sandbox

import (
	"net"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// The ways in which a system can confine a command.
const (
	Bubblewrap = "bubblewrap"
	Direct     = "direct"   // namespaces that we make ourselves
	Seatbelt   = "seatbelt" // sandbox-exec of macOS
)

// Policy is what a command may reach. All paths are absolute; those that are not there are left
// out, but for what must not be made.
type Policy struct {
	// Workspace is link-free and can be written, but for what programs run by themselves in it.
	Workspace string
	// Home is the person's home directory: of it only toolchains, caches and what is listed is
	// there. "" if there is none.
	Home string
	// Readable and Writable are what the person lists besides.
	Readable, Writable []string
	// ReadOnly is what cannot be written or made, wherever it lies.
	ReadOnly []string
	// Hidden are directories that look empty: our own.
	Hidden []string
	// Environ is the environment of the command. It says where programs and caches are.
	Environ []string
	// Proxy serves the command's only way out, at a listener inside the cell, which variables of
	// its environment name (HTTPS_PROXY and its kin). It returns soon after the listener is closed,
	// which the end of the cell does. nil: there is no way out. Only Linux has it.
	Proxy func(net.Listener)
}

// Fact is one thing that was found about this machine.
type Fact struct {
	Name, Value string
	Advice      string // what would mend it, or ""
}

// Report is what a machine can do.
type Report struct {
	Box   *Box   // nil: commands cannot be confined here
	Why   string // they cannot, in words; "" if they can
	Facts []Fact
}

// Box makes cells. It is safe for use by several goroutines.
type Box struct {
	way     string
	program string // bwrap or sandbox-exec
	family  *child.Family
	spares  *spares
}

// Way is by what commands are confined.
func (b *Box) Way() string { return b.way }

// Ending is how a command ended.
type Ending struct {
	Exit   int    `json:"exit"`
	Signal int    `json:"signal,omitempty"` // that has ended it; 0: none
	Error  string `json:"error,omitempty"`  // it was not started, and why
	// Left is what was there when it had ended, and ended with the cell, by its numbers inside.
	Left []child.Survivor `json:"left,omitempty"`
}

// Cell is one command in its sandbox. Call Begin, and End when it has ended; or End alone.
type Cell struct{ end cellEnd }

// variable returns the value of a variable of the environment: the last one counts.
func variable(environ []string, name string) string {
	for _, v := range slices.Backward(environ) {
		if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
			return v[len(name)+1:]
		}
	}
	return ""
}
