//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

const (
	cols, rows = 100, 30
	patience   = 2 * time.Minute
	silence    = 400 * time.Millisecond // after which nothing more is taken to come
)

// chunk is what one read of the pseudo terminal gave.
type chunk struct {
	at   time.Time
	data []byte
}

// session is a program on a pseudo terminal.
type session struct {
	cmd   *exec.Cmd
	ptmx  *os.File
	start time.Time

	mu     sync.Mutex
	vt     *vt.Terminal
	chunks []chunk
	news   chan struct{} // there is another chunk
	ended  chan struct{}
}

// environment returns the one of all programs.
func environment(home string) []string {
	return []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "HOME=" + home,
		"PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=none"}
}

// emulator returns an emulator of the size of the terminal.
func emulator(reply func([]byte)) *vt.Terminal {
	return vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 300, Reply: reply})
}

// begin starts p in a workspace.
func begin(p program, home, workspace string, args ...string) (*session, error) {
	s := &session{cmd: exec.Command(p.file, append(slices.Clone(p.args), args...)...), news: make(chan struct{}, 1),
		ended: make(chan struct{}), start: time.Now()}
	s.cmd.Dir, s.cmd.Env = workspace, append(environment(home), p.env...)
	var err error
	if s.ptmx, err = pty.StartWithSize(s.cmd, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		return nil, err
	}
	s.vt = emulator(func(p []byte) { _, _ = s.ptmx.Write(p) })
	go s.read()
	return s, nil
}

// read keeps what the program writes, with the time.
func (s *session) read() {
	defer close(s.ended)
	buf := make([]byte, 1<<16)
	for {
		n, err := s.ptmx.Read(buf)
		if err != nil {
			return
		}
		c := chunk{time.Now(), slices.Clone(buf[:n])}
		s.mu.Lock()
		s.chunks = append(s.chunks, c)
		s.vt.Write(c.data)
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}

// close ends the program.
func (s *session) close() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(5*time.Second, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait()
	late.Stop()
	_ = s.ptmx.Close()
	<-s.ended
}

// taken returns the chunks from the one of a number on.
func (s *session) taken(from int) []chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.chunks[from:])
}

// count returns how many chunks there are.
func (s *session) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.chunks)
}

// screen returns the grid, without blanks and line ends: a text may be wrapped.
func (s *session) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return packed(s.vt.Screen())
}

func packed(lines []string) string {
	return strings.NewReplacer(" ", "", "│", "", "┃", "").Replace(strings.Join(lines, ""))
}

// until waits until text, which has no blanks, is on the screen, and returns when the chunk came
// that shows it.
func (s *session) until(text string) (time.Time, error) { return s.within(patience, text) }

// within does what until does with another patience.
func (s *session) within(limit time.Duration, text string) (time.Time, error) {
	for late := time.After(limit); ; {
		s.mu.Lock()
		found := strings.Contains(packed(s.vt.Screen()), text)
		var at time.Time
		if n := len(s.chunks); n > 0 {
			at = s.chunks[n-1].at
		}
		s.mu.Unlock()
		if found {
			return at, nil
		}
		select {
		case <-s.news:
		case <-s.ended:
			return at, fmt.Errorf("it has ended without %q:\n%s", text, s.vt)
		case <-late:
			return at, fmt.Errorf("no %q in\n%s", text, s.vt)
		}
	}
}

// settle waits until it has written something and then nothing for a while, for 10 seconds at most.
func (s *session) settle() {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		n := len(s.chunks)
		quiet := n > 0 && time.Since(s.chunks[n-1].at) > silence
		s.mu.Unlock()
		if quiet {
			return
		}
	}
}

// press writes a key and returns when.
func (s *session) press(key string) time.Time {
	at := time.Now()
	_, _ = s.ptmx.WriteString(key)
	return at
}
