package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// stageCapabilities lists the capabilities that the first process of a sandbox has in its own
// namespaces while it builds the file system.
var stageCapabilities = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}

// ignoreTermScript is a shell script that starts bubblewrap with SIGTERM ignored. The signal is
// meant for the command: bubblewrap would end and kill the whole sandbox without a grace period.
// The programs in the sandbox do not ignore the signal.
const ignoreTermScript = `trap '' TERM; exec "$@"`

// innerStage represents, in the shell, the first process of a sandbox: this program again, which
// confines itself and then starts the command. It may be started before the command is known.
type innerStage struct {
	cmd *exec.Cmd
	// socket to the stage, which ends when this is closed
	leash      *os.File
	childFiles []*os.File // files that the stage inherits; the shell closes its own copies after the start
	process    *child.Process
	output     *lateOutput  // receives its output, if it was started ahead
	reader     *leashReader // reads what the stage sends; nil: no command was sent yet
}

// stage prepares the first process of a sandbox, without starting it. bubblewrap mounts the file
// system of ops. After an error there is nothing to clean up.
func (b *Box) stage(ops []op, omit omissions) (s *innerStage, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	s = &innerStage{leash: os.NewFile(uintptr(pair[0]), "leash"),
		childFiles: []*os.File{os.NewFile(uintptr(pair[1]), "leash")}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	text, err := json.Marshal(setup{Direct: b.way == Direct, UID: os.Getuid(), GID: os.Getgid(),
		Without: omit.stage})
	if err != nil {
		return nil, err
	}
	if _, err := s.leash.Write(text); err != nil { // it stays in the socket until the stage reads it
		return nil, err
	}
	if b.way == Direct {
		s.cmd = exec.Command("/proc/self/exe", stageName)
		s.cmd.SysProcAttr = &syscall.SysProcAttr{AmbientCaps: stageCapabilities, Cloneflags: namespaces &^ omit.flags}
	} else {
		self, err := os.Open("/proc/self/exe")
		if err != nil {
			return nil, fmt.Errorf("this program cannot be opened: %w", err)
		}
		s.childFiles = append(s.childFiles, self)
		args := bwrapArgs(ops)
		if omit.bwrap != nil {
			args = omit.bwrap(args)
		}
		args = append([]string{"-c", ignoreTermScript, "sh", b.program}, args...)
		s.cmd = exec.Command("/bin/sh", append(args, "--setenv", "GOGC", "off", "--",
			fmt.Sprintf("/proc/self/fd/%d", selfFD), stageName)...)
	}
	s.cmd.Env, s.cmd.Dir = []string{"GOGC=off"}, "/" // it lives as long as the command, and does nothing
	s.cmd.ExtraFiles = s.childFiles
	return s, nil
}

// setStreams gives the stage the standard streams of cmd.
func (s *innerStage) setStreams(cmd *exec.Cmd) {
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	s.cmd.WaitDelay = cmd.WaitDelay
}

// start starts the stage, unless it runs already, and returns its process.
func (s *innerStage) start(f *child.Family) (*child.Process, error) {
	if s.process != nil {
		return s.process, nil
	}
	p, err := f.Start(s.cmd)
	s.closeChildFiles()
	s.process = p
	return p, err
}

func (s *innerStage) closeChildFiles() {
	for _, f := range s.childFiles {
		_ = f.Close()
	}
	s.childFiles = nil
}

// orderWait is the longest time that the stage may take to read its order.
const orderWait = 10 * time.Second

// sendOrder sends the stage its order, the command to run as JSON, and starts to read what the
// stage sends. proxy serves the listener that the stage may send.
func (s *innerStage) sendOrder(order []byte, proxy func(net.Listener)) error {
	s.reader = newLeashReader(s.leash, proxy)
	if err := s.leash.SetWriteDeadline(time.Now().Add(orderWait)); err != nil {
		return err
	}
	_, err := s.leash.Write(order)
	return err
}

// finish returns how the command ended. ok is false if the stage did not report that.
func (s *innerStage) finish() (ending Ending, ok bool) {
	s.closeChildFiles()
	if s.reader == nil {
		return ending, false
	}
	_ = s.leash.SetReadDeadline(time.Now().Add(time.Second))
	ok = json.Unmarshal(s.reader.finish(), &ending) == nil
	return ending, ok
}

// close closes the socket to the stage, which ends a stage that runs.
func (s *innerStage) close() {
	s.closeChildFiles()
	_ = s.leash.Close()
}
