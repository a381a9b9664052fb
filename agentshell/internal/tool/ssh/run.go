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

// Command is a command line that runs on a host.
type Command struct {
	Line string // Line is a script for sh on the host.
	Dir  string // Dir is the working directory on the host; "": the login directory.
	// Time is how long it may run after the connection is open; 0: no limit.
	Time time.Duration
}

// shellScript returns the script for sh on the host.
func (c Command) shellScript() (string, error) {
	if c.Dir == "" {
		return c.Line, nil
	}
	dir, err := syntax.Quote(c.Dir, syntax.LangPOSIX)
	if err != nil {
		return "", fmt.Errorf("cwd: %w", err)
	}
	return "cd -- " + dir + " || exit\n" + c.Line, nil
}

// FailedError is the error of a command that exited with a code other than 0.
type FailedError struct {
	Host string
	Code int
}

// sshErrorCode is the exit code of ssh itself. It also stands for a command that was ended by a
// signal.
const sshErrorCode = 255

func (e *FailedError) Error() string {
	text := fmt.Sprintf("Command exited with code %d", e.Code)
	if e.Code == sshErrorCode {
		text += ": a signal ended it, or the connection to " + e.Host + " broke"
	}
	return text
}

const (
	endTimeout = 5 * time.Second // endTimeout is how long to wait for the end of a command on its host.
	killGrace  = 400 * time.Millisecond
)

// Run runs a command on a host and writes its output to out. The command has an empty standard
// input and no terminal. Its standard output and standard error are joined on the host, so that
// their order is right.
//
// The error is a [*FailedError] if the command exited with another code than 0. If ctx ends first,
// or the command's time is over, the command is ended on its host, and the error is that of the
// context. If it could not be ended, a second error says so.
func (s *Service) Run(ctx context.Context, h Host, c Command, out io.Writer) error {
	script, err := c.shellScript()
	if err != nil {
		return err
	}
	m, err := s.connectionOf(h)
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
	cmd, err := s.sshCommand(path, h, line)
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
		left := s.endCommand(path, h, begin, p.Done())
		p.End(killGrace)
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

// sshCommand returns a call of ssh that runs line over an open connection. path is the control
// socket of the connection.
func (s *Service) sshCommand(path string, h Host, line string) (*exec.Cmd, error) {
	program, err := s.config.Family.Programs.Path("ssh")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, slices.Concat([]string{"-o", "ControlMaster=no", "-S", path}, s.fixedOptions(),
		h.arguments(),
		[]string{line})...)
	cmd.Env, cmd.Dir = append([]string{}, s.config.Env...), s.config.Dir
	return cmd, nil
}

// endCommand ends a running command on its host, because ssh leaves it running when ssh itself is
// killed.
func (s *Service) endCommand(path string, h Host, begin *markedWriter, done <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	select {
	case <-begin.idKnown:
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("it may still run on %s: it did not say what to end", h.Name)
	}
	id := begin.group()
	line := "kill -TERM -" + id + " && sleep 1 && kill -KILL -" + id + " 2>/dev/null; exit 0"
	cmd, err := s.sshCommand(path, h, "exec sh -c '"+line+"'")
	if err == nil {
		err = s.config.Family.Run(ctx, cmd)
	}
	if err != nil {
		return fmt.Errorf("it may still run on %s: %w", h.Name, err)
	}
	return nil
}

// maxNoiseBytes is the number of bytes that login scripts of the host may print before the command
// begins.
const maxNoiseBytes = 64 << 10

// markedWriter is a writer that drops output of login scripts. It passes on what comes after the
// line with the mark; that line contains the id of the command's process group. If there is no such
// line, it passes on everything. It is safe for use by several goroutines.
type markedWriter struct {
	markPattern *regexp.Regexp
	out         io.Writer

	mu         sync.Mutex
	heldOutput []byte // heldOutput is the output before the end of the line with the mark.
	hasMark    bool
	groupID    string

	idKnown chan struct{} // idKnown is closed when groupID is set.
}

// newBeginning returns a writer that waits for a line with word and the id of a process group. A
// login shell that prints its commands prints the word too, but without an id.
func newBeginning(word string, out io.Writer) *markedWriter {
	return &markedWriter{markPattern: regexp.MustCompile(regexp.QuoteMeta(word) + ` ([1-9][0-9]{0,9})\r?\n`), out: out,
		idKnown: make(chan struct{})}
}

func (b *markedWriter) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hasMark {
		return b.out.Write(p)
	}
	b.heldOutput = append(b.heldOutput, p...)
	if m := b.markPattern.FindSubmatchIndex(b.heldOutput); m != nil {
		b.groupID, b.hasMark = string(b.heldOutput[m[2]:m[3]]), true
		_, err := b.out.Write(b.heldOutput[m[1]:])
		b.heldOutput = nil
		close(b.idKnown)
		return len(p), err
	}
	if len(b.heldOutput) > maxNoiseBytes {
		return len(p), b.pass()
	}
	return len(p), nil
}

// pass writes the held output. The caller holds the lock.
func (b *markedWriter) pass() error {
	held := b.heldOutput
	b.hasMark, b.heldOutput = true, nil
	if len(held) == 0 {
		return nil
	}
	_, err := b.out.Write(held)
	return err
}

// flush writes the held output at the end if the mark has not come.
func (b *markedWriter) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.hasMark {
		_ = b.pass()
	}
}

// group returns the id of the command's process group, or "" if it is not known.
func (b *markedWriter) group() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.groupID
}
