// Package sandbox runs commands confined by the operating system: a command can write in the
// workspace and in caches, read the system's files, and reach nothing else.
//
// On Linux there are two walls, one behind the other. The first wall are namespaces (user, mount,
// process, network, IPC, host name, cgroup). This program creates them itself, or starts bubblewrap
// for it on systems that allow namespaces only to that program. The second wall is built by the
// inner stage, which is this program again, as the first process of the sandbox: Landlock, a filter
// of system calls, no capabilities and no new ones, no file descriptors but the three standard
// streams, and a session of its own. If one of these cannot be set up, the command does not run.
package sandbox

import (
	"net"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// The ways to confine a command: the values of [Box.Way].
const (
	Bubblewrap = "bubblewrap"
	Direct     = "direct"   // this program creates the namespaces itself
	Seatbelt   = "seatbelt" // macOS: the program sandbox-exec
)

// ProxyAddress is the address at which a command finds its proxy, if its policy has one. Each
// sandbox has a network of its own, so that the address is free in each of them.
const ProxyAddress = "127.0.0.1:3128"

// Policy says what a command can reach. All paths are absolute. A path that does not exist is
// ignored, unless a command must not create it.
type Policy struct {
	// Workspace is the path of the workspace, without links. Commands can write it, except for
	// files that programs run without asking the user.
	Workspace string
	// Home is the user's home directory; "": there is none. Commands see only the toolchains,
	// caches and listed directories in it.
	Home string
	// Readable and Writable are further directories that the user has listed.
	Readable, Writable []string
	// Shared is a directory that was created for this command, which can write it; "": there is
	// none.
	Shared string
	// ReadOnly lists paths that a command can neither change nor create, wherever they lie.
	ReadOnly []string
	// ReadsOnly says that the command can only read the workspace and the directories in Writable.
	// No placeholders are needed then, so that the command sees them as they are. Linux only.
	ReadsOnly bool
	// Hidden lists directories that look empty to a command: those of this program.
	Hidden []string
	// Unread lists files and directories whose content a command cannot read, under any name.
	// Commands can move neither them nor the directories above them. Linux only.
	Unread []string
	// Environ holds the environment of the command, as NAME=value. Its variables say where programs
	// and caches are.
	Environ []string
	// Proxy serves the command's only connection to the network; nil: there is no connection. It
	// gets a listener inside of the sandbox, whose address the command has in its environment
	// (HTTPS_PROXY and others). It must return soon after the listener is closed, which happens at
	// the end of the sandbox. Linux only.
	Proxy func(net.Listener)
	// Trace lets programs in the sandbox trace each other, as debuggers do. They reach nothing more
	// by it: all of them are confined alike, and the first process of the sandbox does not let its
	// memory be read. Linux only.
	Trace bool
}

// Fact holds one finding about this machine's ability to confine commands.
type Fact struct {
	Name, Value string
	Advice      string // what the user can do about it; "": nothing
}

// Report says whether and how this machine can confine commands.
type Report struct {
	Box    *Box   // creates sandboxes; nil: commands cannot be confined
	Reason string // reason why commands cannot be confined; "" if they can
	Facts  []Fact
}

// Box creates sandboxes for commands, in one way that works on this machine. It is safe for use by
// several goroutines.
type Box struct {
	way     string
	program string // path of bwrap or sandbox-exec; "" if none is used
	family  *child.Family
	spares  *spareStages
}

// Way returns the way in which commands are confined, such as [Bubblewrap].
func (b *Box) Way() string { return b.way }

// Ending says how a confined command ended.
type Ending struct {
	Exit   int    `json:"exit"`
	Signal int    `json:"signal,omitempty"` // number of the signal that ended it; 0: none
	Error  string `json:"error,omitempty"`  // reason why it could not be started; "" if it was
	// Left lists the processes that still ran when the command had ended. They were ended with the
	// sandbox. Their ids are those inside of the sandbox.
	Left []child.Survivor `json:"left,omitempty"`
}

// Cell is the sandbox of one command. Call Begin to start the command, and End after the command
// has ended. If the command is not to run, call End alone.
type Cell struct{ end cellEnd }

// variable returns the value of an environment variable in environ, a list of NAME=value, or "". If
// the variable occurs several times, the last one counts.
func variable(environ []string, name string) string {
	for _, v := range slices.Backward(environ) {
		if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
			return v[len(name)+1:]
		}
	}
	return ""
}
