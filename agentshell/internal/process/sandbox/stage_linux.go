package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// stageName is the argument by which this program knows that it is the first process of a sandbox.
const stageName = "scrollkeep-sandbox-stage"

// File descriptors that the first process of a sandbox inherits.
const (
	// A socket to the shell. It carries the orders, and back how the command ended. It is closed
	// when the shell ends.
	leashFD = 3
	selfFD  = 4 // this program's executable file
)

// setup holds what the first process of a sandbox has to know before the command is known, so that
// it can be started ahead. It is sent as JSON.
type setup struct {
	Direct bool `json:"direct"` // the process builds the file system itself
	UID    int  `json:"uid"`
	GID    int  `json:"gid"`
	// Without names parts of the confinement that a test leaves out, to see that something fails
	// without them.
	Without []string `json:"without,omitempty"`
}

// order describes the command to run in a sandbox, and what it can reach. It is sent as JSON.
type order struct {
	Ops      []op     `json:"ops,omitempty"` // steps to build the file system, for [Direct]
	Writable []string `json:"writable"`
	Path     string   `json:"path"`
	Args     []string `json:"args"`
	Env      []string `json:"env"`
	Dir      string   `json:"dir"`
	Proxy    bool     `json:"proxy"` // the shell needs a listener for the command's proxy
	Trace    bool     `json:"trace,omitempty"`
}

// stageFailed is the exit code of a sandbox's first process if it could not start the command.
const stageFailed = 125

// Stage runs the command of a sandbox and does not return, if this process was started as the first
// process of a sandbox. Otherwise it does nothing. Call it in the first line of main, with os.Args.
func Stage(args []string) {
	if len(args) != 2 || args[1] != stageName {
		return
	}
	runtime.LockOSThread() // capabilities, Landlock and no_new_privs are those of one thread
	leash := os.NewFile(leashFD, "leash")
	ending, err := runStage(leash)
	if err != nil {
		ending = Ending{Exit: stageFailed, Error: err.Error()}
	}
	text, _ := json.Marshal(ending)
	_, _ = leash.Write(text)
	unix.Exit(ending.Exit) // at once: with the race detector, os.Exit waits for a second
}

// runStage reads its orders from the socket leash, confines this process, runs the command and
// waits for its end. This process is the first one of the sandbox: when it ends, the kernel ends
// all others.
func runStage(leash *os.File) (Ending, error) {
	orders := json.NewDecoder(leash)
	var s setup
	if err := orders.Decode(&s); err != nil {
		return Ending{}, fmt.Errorf("the inner stage was not told what to make: %w", err)
	}
	// The shell sends SIGTERM to every process. Without a command the stage ends then. With one it
	// waits: the command got the signal too. A signal that the command sends to the first process
	// must not end the stage either.
	signals, ordered := make(chan os.Signal, 16), make(chan struct{})
	signal.Notify(signals)
	go func() {
		for sig := range signals {
			select {
			case <-ordered:
			default:
				if sig == unix.SIGTERM {
					unix.Exit(stageFailed)
				}
			}
		}
	}()
	if s.Direct {
		if err := s.prepareRoot(); err != nil {
			return Ending{}, err
		}
	}
	var o order
	if err := orders.Decode(&o); err != nil {
		return Ending{}, fmt.Errorf("the inner stage was not told what to do: %w", err)
	}
	close(ordered)
	go func() { // ends the stage when the shell has ended
		_, _ = leash.Read(make([]byte, 1))
		unix.Exit(stageFailed)
	}()
	if s.Direct {
		if err := s.buildRoot(o.Ops); err != nil {
			return Ending{}, err
		}
	}
	if o.Proxy {
		if err := offerListener(leashFD); err != nil {
			return Ending{}, err
		}
	}
	if err := s.confine(o.Writable, o.Trace); err != nil {
		return Ending{}, err
	}
	pid, err := syscall.ForkExec(o.Path, o.Args, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env,
		Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return Ending{}, fmt.Errorf("%s does not start in %s: %w", o.Path, o.Dir, err)
	}
	for {
		var ws unix.WaitStatus
		done, err := unix.Wait4(-1, &ws, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return Ending{}, fmt.Errorf("the command cannot be waited for: %w", err)
		case done == pid && ws.Signaled():
			return Ending{Exit: 128 + int(ws.Signal()), Signal: int(ws.Signal()), Left: child.Survivors(o.Args)}, nil
		case done == pid && ws.Exited():
			return Ending{Exit: ws.ExitStatus(), Left: child.Survivors(o.Args)}, nil
		}
	}
}

func (s setup) includes(part string) bool { return !slices.Contains(s.Without, part) }

// confine restricts this thread, and the processes that it starts, by Landlock, seccomp and the
// loss of capabilities, in case that the namespaces alone have a gap. The filter of system calls
// restricts all threads.
func (s setup) confine(writable []string, trace bool) error {
	has := s.includes
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // the command must not read our memory
		return fmt.Errorf("the inner stage cannot close its memory: %w", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("core dumps cannot be turned off: %w", err)
	}
	if has("descriptors") {
		if err := unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC); err != nil {
			return fmt.Errorf("descriptors cannot be closed: %w", err)
		}
	}
	if has("privileges") {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("new privileges cannot be refused: %w", err)
		}
	}
	if has("landlock") {
		if err := confineFiles(writable); err != nil {
			return err
		}
	}
	if has("capabilities") {
		if err := dropCapabilities(); err != nil {
			return err
		}
	}
	if has("seccomp") {
		return confineCalls(trace)
	}
	return nil
}

// dropCapabilities removes all capabilities from this thread, and prevents it from getting new
// ones.
func dropCapabilities() error {
	for c := uintptr(0); c < 64; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) {
			break // the kernel has no more
		}
		// A process that may not drop them has none to begin with.
		if err != nil && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("capability %d cannot be given up: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient capabilities cannot be given up: %w", err)
	}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("capabilities cannot be given up: %w", err)
	}
	var left [2]unix.CapUserData
	if err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &left[0]); err != nil {
		return fmt.Errorf("capabilities cannot be looked at: %w", err)
	}
	if left != none {
		return errors.New("capabilities are left")
	}
	return nil
}
