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

// The ways to confine a command.
const (
	Bubblewrap = "bubblewrap"
	Direct     = "direct"   // namespaces that this program makes itself
	Seatbelt   = "seatbelt" // sandbox-exec of macOS
)

// ProxyAddress is where a command finds its proxy, if its policy has one. Each cell has a network
// of its own, so the address is free in each.
const ProxyAddress = "127.0.0.1:3128"

// Policy says what a command can reach. All paths are absolute. Missing ones are ignored, unless a
// command must not create them.
type Policy struct {
	// Workspace is the path of the workspace, without links. It is writable except for files that
	// programs run without asking.
	Workspace string
	// Home is the person's home directory, "" if there is none. Only toolchains, caches and listed
	// directories of it are visible.
	Home string
	// Readable and Writable are further directories that the person has listed.
	Readable, Writable []string
	// Shared is a directory that was made for this command, which it can write; "": none.
	Shared string
	// ReadOnly are paths that a command can neither change nor create, wherever they lie.
	ReadOnly []string
	// ReadsOnly is true for a command that only reads the workspace and what Writable lists.
	// Nothing has to be kept from being made there, so it sees them as they are. Linux only.
	ReadsOnly bool
	// Hidden are directories that look empty: those of this program.
	Hidden []string
	// Unread are files and directories whose content a command cannot read, by any name that leads
	// there. They cannot be moved, nor can what holds them. Linux only.
	Unread []string
	// Environ is the environment of the command. Its variables say where programs and caches are.
	Environ []string
	// Proxy serves the command's only connection to the outside. It gets a listener inside the
	// cell, whose address is in the environment of the command (HTTPS_PROXY and others). It returns
	// soon after the listener is closed, which the end of the cell does. nil: there is no
	// connection. Only Linux supports it.
	Proxy func(net.Listener)
	// Trace lets programs of the cell trace each other, as debuggers do. They reach nothing else by
	// it: all are confined alike, and the inner stage has closed its memory. Linux only.
	Trace bool
}

// Fact is a finding about this machine.
type Fact struct {
	Name, Value string
	Advice      string // how a person can fix it, or ""
}

// Report says what a machine can do.
type Report struct {
	Box    *Box   // nil: commands cannot be confined here
	Reason string // why commands cannot be confined; "" if they can
	Facts  []Fact
}

// Box makes cells. It is safe for use by several goroutines.
type Box struct {
	way     string
	program string // bwrap or sandbox-exec
	family  *child.Family
	spares  *spareStages
}

// Way returns the way in which commands are confined.
func (b *Box) Way() string { return b.way }

// Ending says how a command ended.
type Ending struct {
	Exit   int    `json:"exit"`
	Signal int    `json:"signal,omitempty"` // the signal that ended it; 0: none
	Error  string `json:"error,omitempty"`  // why it could not be started, or ""
	// Left are the processes that still ran when the command had ended. They ended with the cell.
	// The numbers are those inside of the cell.
	Left []child.Survivor `json:"left,omitempty"`
}

// Cell is one command in its sandbox. Call Begin, and End after the command has ended. If the
// command shall not run, call End alone.
type Cell struct{ end cellEnd }

// variable returns the value of an environment variable. If it occurs several times the last one
// counts.
func variable(environ []string, name string) string {
	for _, v := range slices.Backward(environ) {
		if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
			return v[len(name)+1:]
		}
	}
	return ""
}
