// Package helper runs long-lived programs that exchange messages with this one: language servers,
// debug adapters, interpreters, MCP servers. A [Process] is one run of such a program. A [Helper]
// starts the program at its first use, starts it again after it has ended by itself, with growing
// pauses, and ends it when nobody uses it any more.
//
// Such a program is not trusted. It gets only the listed environment variables and a session
// without a terminal, and runs in a sandbox if there is one. Its output is read at a limited rate,
// its standard error goes to a log of limited size, its memory is limited, and it is ended within a
// few seconds, whatever it does. All its descendants end with it.
package helper

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

const (
	patience     = 30 * time.Second // the longest time that a program may leave its input unread
	defaultGrace = 400 * time.Millisecond
	// lastWords is the time before a program's end in which its output is taken as the reason for
	// the end. Earlier output is not.
	lastWords = time.Second
)

// ErrEnded is the reason why a program is gone if this process has ended it.
var ErrEnded = errors.New("it was ended")

// Program describes a program to start, and what it can reach.
type Program struct {
	Name    string   // name for the user
	Command []string // program and arguments, executed without a shell
	Needs   string   // another program that Command starts, so that it has to be installed, too; "": none
	Env     []string // the whole environment, as NAME=value
	Dir     string
	Install string    // command line that installs the program; "": none
	Log     io.Writer // receives the program's standard error; nil: it is discarded
	Secrets secret.Set
	Family  *child.Family // starts the program and ends its descendants; nil: one of its own
	// Shared says that each run gets a new directory that both the program and this process can
	// write, see [Process.Shared] and [SharedName].
	Shared bool
	// Cell creates the sandbox in which the program runs; nil: it runs without one. The program
	// must be able to write the directory shared; "": there is no such directory.
	Cell func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error)
	// CountErr is called with the number of bytes that the program has written to standard error.
	// If it returns an error, standard error is no longer read. nil: nothing is counted.
	CountErr func(n int) error
	Grace    time.Duration // time limit for each step of ending the program; 0: 0.4 s
}

// Missing is the error for a program that is not installed.
type Missing struct{ Name, Install string }

// Error says that the program is not installed, and how to install it if that is known.
func (m *Missing) Error() string {
	if m.Install == "" {
		return m.Name + " is not installed"
	}
	return m.Name + " is not installed. To install it: " + m.Install
}

// Reach says what the program can reach, in words for the question whether the user permits it.
func (p Program) Reach() string {
	if p.Cell == nil {
		return "not confined: can change any file"
	}
	return "confined: workspace only, no network"
}

// Find returns the path of the program's file. The error is a [*Missing] if the program, or the one
// that it needs, is not installed.
func (p Program) Find() (string, error) {
	name := p.Command[0]
	if strings.ContainsRune(name, filepath.Separator) {
		return name, nil
	}
	var programs *child.Programs
	if p.Family != nil {
		programs = p.Family.Programs
	}
	path, err := programs.Path(name)
	if err == nil && p.Needs != "" {
		name = p.Needs
		_, err = programs.Path(name)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", &Missing{Name: name, Install: p.Install}
	}
	return path, err
}

// Process represents one run of a program, with its standard input and output.
type Process struct {
	In  io.Writer // standard input; a Write fails if the program reads nothing for half a minute
	Out io.Reader // standard output, read at a limited rate; it ends shortly after the program

	talk   *child.Talk
	stderr *stderr
	cell   *sandbox.Cell
	shared string
	folder *scratch.Folder // the directory with the shared one; nil: there is none
	gone   chan struct{}
	grace  time.Duration
	end    sync.Once

	mu     sync.Mutex
	cause  error     // the first thing that went wrong
	failed time.Time // time of the first failure
}

// Start starts the program p, in its sandbox if it has one. The caller has to call [Process.End]
// afterwards.
func Start(p Program) (*Process, error) {
	if p.Family == nil {
		p.Family = new(child.Family)
	}
	path, err := p.Find()
	if err != nil {
		return nil, err
	}
	s := &Process{stderr: &stderr{log: p.Log, secrets: p.Secrets, count: p.CountErr}, gone: make(chan struct{}),
		grace: cmp.Or(p.Grace, defaultGrace)}
	if err := s.makeShared(p); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", p.Name, err)
	}
	cmd := exec.Command(path, p.arguments(s.shared)...)
	// Never nil: that would be our own environment.
	cmd.Env, cmd.Dir, cmd.Stderr = append([]string{}, p.Env...), p.Dir, s.stderr
	s.talk, err = child.TalkBy(cmd, patience, func() (*child.Process, error) {
		if p.Cell == nil {
			endWithParent(cmd)
			return p.Family.StartGuarded(cmd)
		}
		if s.cell, err = p.Cell(cmd, s.shared); err != nil {
			return nil, err
		}
		return s.cell.Begin()
	})
	if err != nil {
		s.endCell()
		return nil, fmt.Errorf("%s does not start: %w", p.Name, err)
	}
	s.In, s.Out = s.talk.In, s.talk.Out
	return s, nil
}

// arguments returns the program's arguments, with SharedName replaced by shared, the path of the
// shared directory.
func (p Program) arguments(shared string) (list []string) {
	for _, a := range p.Command[1:] {
		if p.Shared {
			a = strings.ReplaceAll(a, SharedName, shared)
		}
		list = append(list, a)
	}
	return list
}

// SharedName stands, in the arguments of a program, for the path of the directory that it shares
// with this process.
const SharedName = "${shared}"

// makeShared creates the directory that the program shares with this process, if it needs one. Only
// its owner can read it.
func (s *Process) makeShared(p Program) error {
	if !p.Shared {
		return nil
	}
	var err error
	if s.folder, err = scratch.New("", "helper"); err == nil {
		s.shared = s.folder.Path
	}
	return err
}

// Shared returns the path of the directory that both the program and this process can write, or ""
// if there is none. It is removed when the program ends.
func (s *Process) Shared() string { return s.shared }

// Done returns a channel that is closed when the program has ended and its output has been read.
func (s *Process) Done() <-chan struct{} { return s.talk.Done() }

// Gone returns a channel that is closed when the program can no longer be talked to, see
// [Process.Fail].
func (s *Process) Gone() <-chan struct{} { return s.gone }

// Fail closes the program's standard input and output, and stores the reason for [Process.Why].
// Only the first reason is stored.
func (s *Process) Fail(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause, s.failed = why, time.Now()
		close(s.gone)
	}
	_ = s.talk.In.Close()
	_ = s.talk.Out.Close()
}

// Why returns the reason why the program can no longer be talked to, or nil if it can. If the
// program has ended by itself, the error has its exit status and the last line that it printed.
func (s *Process) Why() error {
	s.mu.Lock()
	cause, failed := s.cause, s.failed
	s.mu.Unlock()
	// That it neither reads nor writes says nothing; which of them is seen first is chance.
	if cause == nil || !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) &&
		!errors.Is(cause, syscall.EPIPE) {
		return cause
	}
	late := time.NewTimer(4 * s.grace) // it may be a wrapper in node, which takes a while to exit
	defer late.Stop()
	select {
	case <-s.Done():
	case <-late.C:
	}
	err := s.exitError()
	if err == nil {
		err = &endError{"its output has ended, and it still runs", cause}
		select {
		case <-s.Done():
			err = &endError{"it ended by itself, with exit status 0", cause}
		default:
		}
		if errors.Is(cause, io.ErrUnexpectedEOF) {
			err = &endError{"its output ended within a message: unexpected EOF", cause}
		}
	}
	if text := s.stderr.lastLine(failed.Add(-lastWords)); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// endError is the error for a program that is gone without having given a reason. cause is the
// error of its streams.
type endError struct {
	text  string
	cause error
}

func (e *endError) Error() string { return e.text }
func (e *endError) Unwrap() error { return e.cause }

// exitError returns the error with which the program ended. It returns nil if the program succeeded
// or has not ended.
func (s *Process) exitError() error {
	select {
	case <-s.Done():
		return s.talk.Err()
	default:
		return nil
	}
}

// Memory returns the number of bytes that the program and its descendants use in memory, or 0 if
// the system does not tell.
func (s *Process) Memory() int64 { return s.talk.Memory() }

// End asks the program to end, first by closing its input, then by a signal. It kills the program
// and its descendants if that does not help. It takes two seconds at most.
func (s *Process) End() {
	s.end.Do(func() {
		_ = s.talk.In.Close() // also during a write that the program does not take
		late := time.NewTimer(s.grace)
		defer late.Stop()
		select {
		case <-s.Done():
		case <-late.C:
		}
		s.talk.End(s.grace)
		s.endCell()
		s.Fail(ErrEnded) // a process that still holds its output must not keep a reader
	})
}

// endCell removes the program's sandbox and its shared directory.
func (s *Process) endCell() {
	if s.cell != nil {
		s.cell.End()
	}
	if s.folder != nil {
		s.folder.Remove()
	}
}
