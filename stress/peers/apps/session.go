//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

const (
	pace    = 30 * time.Millisecond  // between two keys: more than a frame of each library
	silence = 400 * time.Millisecond // after which nothing more is taken to come
	patient = 60 * time.Second
)

// session is a program on a terminal.
type session struct {
	cmd      *exec.Cmd
	ptmx     *os.File
	ended    chan struct{}
	mu       sync.Mutex
	vt       *vt.Terminal
	bytes    int
	lastByte time.Time
}

// begin starts file in folder dir.
func begin(file, dir string, args []string) (*session, error) {
	s := &session{cmd: exec.Command(file, args...), ended: make(chan struct{})}
	s.cmd.Dir = dir
	s.cmd.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "HOME=" + dir,
		"PATH=" + os.Getenv("PATH"), "ALLOCATIONS=" + filepath.Join(dir, "allocations")}
	var err error
	if s.ptmx, err = pty.StartWithSize(s.cmd, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		return nil, err
	}
	s.vt = vt.New(vt.Config{Cols: 80, Rows: 24, Scrollback: 5000, Reply: func(p []byte) { _, _ = s.ptmx.Write(p) }})
	go func() {
		defer close(s.ended)
		buf := make([]byte, 1<<16)
		for {
			n, err := s.ptmx.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.bytes += n
			s.lastByte = time.Now()
			s.vt.Write(buf[:n])
			s.mu.Unlock()
		}
	}()
	return s, nil
}

func (s *session) close() {
	_ = s.cmd.Process.Kill()
	_ = s.ptmx.Close()
}

// count returns how many bytes it has written.
func (s *session) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// String returns all that is on the terminal and above it.
func (s *session) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.String()
}

// until waits until text is on the terminal.
func (s *session) until(text string) error {
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(s.String(), text) {
			return nil
		}
	}
	return fmt.Errorf("no %q in\n%s", text, s)
}

// quiet waits until it writes nothing more, for three seconds at most: a caret may blink.
func (s *session) quiet() {
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		last := s.lastByte
		s.mu.Unlock()
		if time.Since(last) > silence {
			return
		}
	}
}

// press presses keys, one after the other, at the pace of all programs.
func (s *session) press(keys ...string) {
	for _, k := range keys {
		if _, err := s.ptmx.WriteString(k); err != nil {
			return // it has ended, and wait says how
		}
		time.Sleep(pace)
	}
}

// rss returns the most memory that was resident, in bytes. The figure of wait4 would have that of
// this process in it, from before exec.
func (s *session) rss() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := strings.Fields(string(rest[:min(len(rest), 40)]))
	if len(fields) == 0 {
		return 0, errors.New("the memory of the process is not known")
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	return n * 1024, err
}

// wait waits for the end of the program, which must be a good one.
func (s *session) wait() (*os.ProcessState, error) {
	late := time.AfterFunc(patient, func() { _ = s.cmd.Process.Signal(syscall.SIGKILL) })
	defer late.Stop()
	err := s.cmd.Wait()
	<-s.ended
	if code := s.cmd.ProcessState.ExitCode(); code == 0 || code == 130 { // 130: Ctrl+C, by which a tail ends
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%w:\n%s", err, s)
	}
	return s.cmd.ProcessState, err
}
