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

// needed are the capabilities that the inner stage has in its own namespaces while it builds the
// file system.
var needed = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}

// shield keeps bubblewrap from ending at a request that is meant for the command: with it the whole
// cell would be killed, without a grace. Programs that bubblewrap starts are not kept from it.
const shield = `trap '' TERM; exec "$@"`

// innerStage is an inner stage as the shell sees it. It may be started before there is a command.
type innerStage struct {
	cmd     *exec.Cmd
	leash   *os.File
	theirs  []*os.File // closed when it has been started
	process *child.Process
	out     *outlet // where it prints, if it was started ahead
	ear     *ear    // nil: it was told nothing yet
}

// stage prepares an inner stage; ops are those of the file system that bubblewrap makes. On an
// error nothing is left to do.
func (b *Box) stage(ops []op, without cuts) (s *innerStage, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	s = &innerStage{leash: os.NewFile(uintptr(pair[0]), "leash"),
		theirs: []*os.File{os.NewFile(uintptr(pair[1]), "leash")}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	text, err := json.Marshal(setup{Direct: b.way == Direct, UID: os.Getuid(), GID: os.Getgid(),
		Without: without.stage})
	if err != nil {
		return nil, err
	}
	if _, err := s.leash.Write(text); err != nil { // it waits there
		return nil, err
	}
	if b.way == Direct {
		s.cmd = exec.Command("/proc/self/exe", stageName)
		s.cmd.SysProcAttr = &syscall.SysProcAttr{AmbientCaps: needed, Cloneflags: namespaces &^ without.flags}
	} else {
		self, err := os.Open("/proc/self/exe")
		if err != nil {
			return nil, fmt.Errorf("this program cannot be opened: %w", err)
		}
		s.theirs = append(s.theirs, self)
		args := bwrapArgs(ops)
		if without.bwrap != nil {
			args = without.bwrap(args)
		}
		args = append([]string{"-c", shield, "sh", b.program}, args...)
		s.cmd = exec.Command("/bin/sh", append(args, "--setenv", "GOGC", "off", "--",
			fmt.Sprintf("/proc/self/fd/%d", selfFD), stageName)...)
	}
	s.cmd.Env, s.cmd.Dir = []string{"GOGC=off"}, "/" // it lives as long as the command, and does nothing
	s.cmd.ExtraFiles = s.theirs
	return s, nil
}

// streams gives it the streams of a command.
func (s *innerStage) streams(cmd *exec.Cmd) {
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	s.cmd.WaitDelay = cmd.WaitDelay
}

// start starts it, unless that has been done.
func (s *innerStage) start(f *child.Family) (*child.Process, error) {
	if s.process != nil {
		return s.process, nil
	}
	p, err := f.Start(s.cmd)
	s.started()
	s.process = p
	return p, err
}

func (s *innerStage) started() {
	for _, f := range s.theirs {
		_ = f.Close()
	}
	s.theirs = nil
}

// hearing is how long an inner stage may take to listen. It is started when it is told something.
const hearing = 10 * time.Second

// tell gives it its order, and from then on hears what it says.
func (s *innerStage) tell(order []byte, proxy func(net.Listener)) error {
	s.ear = newEar(s.leash, proxy)
	if err := s.leash.SetWriteDeadline(time.Now().Add(hearing)); err != nil {
		return err
	}
	_, err := s.leash.Write(order)
	return err
}

// end returns its last word; ok: it had one.
func (s *innerStage) end() (ending Ending, ok bool) {
	s.started()
	if s.ear == nil {
		return ending, false
	}
	_ = s.leash.SetReadDeadline(time.Now().Add(time.Second))
	ok = json.Unmarshal(s.ear.end(), &ending) == nil
	return ending, ok
}

// close ends it, if it runs.
func (s *innerStage) close() {
	s.started()
	_ = s.leash.Close()
}
