package ssh

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// Command is a command line for a host.
type Command struct {
	Line string // for sh on the host
	Dir  string // on the host, "": where a login leads
	// Time is how long it may take from when the connection is open; 0: as long as it takes.
	Time time.Duration
}

// script returns what sh on the host reads.
func (c Command) script() (string, error) {
	if c.Dir == "" {
		return c.Line, nil
	}
	dir, err := syntax.Quote(c.Dir, syntax.LangPOSIX)
	if err != nil {
		return "", fmt.Errorf("cwd: %w", err)
	}
	return "cd -- " + dir + " || exit\n" + c.Line, nil
}

// FailedError is the error of a command that ended with another code than 0.
type FailedError struct {
	Host string
	Code int
}

// noReport is the code of ssh itself. A command that a signal ended has it, too.
const noReport = 255

func (e *FailedError) Error() string {
	text := fmt.Sprintf("Command exited with code %d", e.Code)
	if e.Code == noReport {
		text += ": a signal ended it, or the connection to " + e.Host + " broke"
	}
	return text
}

const (
	endTime = 5 * time.Second // for the end of a command on its host
	grace   = 400 * time.Millisecond
)

// Run runs a command on a host, with empty input and without a terminal, and writes what it prints
// to out. Standard output and standard error are joined on the host, so that they are in order.
//
// The error is a [*FailedError] if the command ended badly. If ctx or the time of the command ends
// first, the command is ended on its host. The error is that of a context then, joined with one
// that says so if the command could not be ended.
func (s *Service) Run(ctx context.Context, h Host, c Command, out io.Writer) error {
	script, err := c.script()
	if err != nil {
		return err
	}
	m, err := s.master(h)
	if err != nil {
		return err
	}
	path, release, err := m.Use(ctx)
	if err != nil {
		return err
	}
	defer release()
	if c.Time > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, c.Time)
		defer cancel()
	}
	nonce := rand.Text()
	// The line has nothing of the command: what a login shell makes of quotes does not matter. sh
	// reads the command from its input, and says first which group of processes it leads.
	line := "exec sh -c 'exec 2>&1; echo " + nonce + " $$; c=$(cat); exec </dev/null; eval \"$c\"'"
	cmd, err := s.command(path, h, line)
	if err != nil {
		return err
	}
	begin := newBeginning(nonce, out)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), begin, begin
	p, err := s.config.Family.StartGuarded(cmd)
	if err != nil {
		return fmt.Errorf("ssh does not start: %w", err)
	}
	select {
	case <-p.Done():
		err = p.Err()
	case <-ctx.Done():
		left := s.end(path, h, begin, p.Done())
		p.End(grace)
		<-p.Done()
		begin.flush()
		return errors.Join(ctx.Err(), left)
	}
	begin.flush()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &FailedError{h.Name, exit.ExitCode()}
	}
	return err
}

// command returns a call of ssh that goes through an open connection.
func (s *Service) command(path string, h Host, line string) (*exec.Cmd, error) {
	program, err := s.config.Family.Programs.Path("ssh")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, slices.Concat([]string{"-o", "ControlMaster=no", "-S", path}, s.fixed(), h.arguments(),
		[]string{line})...)
	cmd.Env, cmd.Dir = append([]string{}, s.config.Env...), s.config.Dir
	return cmd, nil
}

// end ends a command on its host: ssh leaves it running when it is ended itself.
func (s *Service) end(path string, h Host, begin *beginning, done <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	select {
	case <-begin.known:
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("it may still run on %s: it did not say what to end", h.Name)
	}
	id := begin.group()
	line := "kill -TERM -" + id + " && sleep 1 && kill -KILL -" + id + " 2>/dev/null; exit 0"
	cmd, err := s.command(path, h, "exec sh -c '"+line+"'")
	if err == nil {
		err = s.config.Family.Run(ctx, cmd)
	}
	if err != nil {
		return fmt.Errorf("it may still run on %s: %w", h.Name, err)
	}
	return nil
}

// maxNoise is the number of bytes that may come before a command, from files that a login shell
// reads.
const maxNoise = 64 << 10

// beginning passes on what comes after the line with the mark, which says what group of processes
// the command is. It passes on all if there is no such line. It is safe for use by several
// goroutines.
type beginning struct {
	mark *regexp.Regexp
	out  io.Writer

	mu   sync.Mutex
	held []byte // before the line with the mark has ended
	over bool
	id   string

	known chan struct{} // closed when id is known
}

// newBeginning waits for a line that ends with a word and the number of a group of processes. A
// login shell that prints what it runs prints the word without one.
func newBeginning(word string, out io.Writer) *beginning {
	return &beginning{mark: regexp.MustCompile(regexp.QuoteMeta(word) + ` ([1-9][0-9]{0,9})\r?\n`), out: out,
		known: make(chan struct{})}
}

func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return b.out.Write(p)
	}
	b.held = append(b.held, p...)
	if m := b.mark.FindSubmatchIndex(b.held); m != nil {
		b.id, b.over = string(b.held[m[2]:m[3]]), true
		_, err := b.out.Write(b.held[m[1]:])
		b.held = nil
		close(b.known)
		return len(p), err
	}
	if len(b.held) > maxNoise {
		return len(p), b.pass()
	}
	return len(p), nil
}

// pass writes what was held. The caller holds the lock.
func (b *beginning) pass() error {
	held := b.held
	b.over, b.held = true, nil
	if len(held) == 0 {
		return nil
	}
	_, err := b.out.Write(held)
	return err
}

// flush ends the output.
func (b *beginning) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.over {
		_ = b.pass()
	}
}

// group returns the group of processes that the command is, "" if that is not known.
func (b *beginning) group() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.id
}
