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

// stageCapabilities are the capabilities that the inner stage has in its own namespaces while it
// builds the file system.
var stageCapabilities = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}

// ignoreTermScript starts bubblewrap so that it ignores SIGTERM, which is meant for the command.
// Otherwise bubblewrap would end and kill the whole cell without a grace period. The programs in
// the cell do not ignore the signal.
const ignoreTermScript = `trap '' TERM; exec "$@"`

// innerStage is the shell's side of an inner stage. It may be started before there is a command.
type innerStage struct {
	cmd        *exec.Cmd
	leash      *os.File
	childFiles []*os.File // files for the stage; we close them when it has started
	process    *child.Process
	output     *lateOutput  // where it prints to, if it was started ahead
	reader     *leashReader // nil: no order was sent yet
}

// stage prepares an inner stage. ops are for bubblewrap. After an error there is nothing to clean
// up.
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

// setStreams gives the stage the streams of a command.
func (s *innerStage) setStreams(cmd *exec.Cmd) {
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	s.cmd.WaitDelay = cmd.WaitDelay
}

// start starts the stage, unless it runs already.
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

// orderWait is how long an inner stage may take to read its order.
const orderWait = 10 * time.Second

// sendOrder sends the order, and starts to read what the stage sends.
func (s *innerStage) sendOrder(order []byte, proxy func(net.Listener)) error {
	s.reader = newLeashReader(s.leash, proxy)
	if err := s.leash.SetWriteDeadline(time.Now().Add(orderWait)); err != nil {
		return err
	}
	_, err := s.leash.Write(order)
	return err
}

// finish returns how the command ended; false if the stage did not report it.
func (s *innerStage) finish() (ending Ending, ok bool) {
	s.closeChildFiles()
	if s.reader == nil {
		return ending, false
	}
	_ = s.leash.SetReadDeadline(time.Now().Add(time.Second))
	ok = json.Unmarshal(s.reader.finish(), &ending) == nil
	return ending, ok
}

// close ends the stage if it runs.
func (s *innerStage) close() {
	s.closeChildFiles()
	_ = s.leash.Close()
}
