package headless

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// MaxLine is the length in bytes of the longest line that Plain and Driven read.
const MaxLine = 10 << 20

// Plain runs a conversation as plain text, for pipes, for simple terminals, and for screen readers.
// It only appends text, and writes no escape sequences. Each line of the input is a message.
//
// If Person is true, Plain also approves: it shows the user a proposal in full and reads the
// answer. If it is false, nobody is asked.
type Plain struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Hello  string // The lines that are printed first; "" if there are none.
	// Attach returns what is sent with a line because it names files with an @. If Attach is nil,
	// nothing is attached.
	Attach func(ctx context.Context, text string) attach.Attached
	// Pictures returns the pictures that a line names, which are sent to the model. problems holds
	// lines about pictures that cannot be sent. If Pictures is nil, none are sent.
	Pictures func(ctx context.Context, text string) (found []picture.Picture, problems []string)
	// Changes returns the file changes that /undo can undo, the last one first. If it is nil, there
	// is no /undo.
	Changes func() []undo.Line
	// CutOff returns the title of a command that did not finish because an earlier agentshell
	// process ended, and that may have changed files. It returns "" if there is none. CutOff may be
	// nil.
	CutOff func() string
	// Running returns lines about the sessions that run in this workspace now, for /sessions. It is
	// nil if other sessions are not known.
	Running func() []string
	// Extension runs the command name (without a slash) of an extension. found is false if no
	// extension has that command. lines are its output, and send is a message for the model, or "".
	// If Extension is nil, there are no extensions.
	Extension func(ctx context.Context, name, args string) (lines []string, send string, found bool)
	// Memory carries out /memory with the argument arg, and returns what to show or to propose. If
	// it is nil, there are no notes.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// LastMessage is sent to the model when the user leaves with /quit after at least one message.
	// If it is "", nothing is sent.
	LastMessage string
	// Todo holds the todo list that the model and the user share, for /todo; nil if there is none.
	Todo *todo.Board
	// Crew manages the agents that the model starts; nil if it cannot start any.
	Crew *crew.Crew
	// AddDir returns an action that adds a directory to the session after a question, for /add-dir.
	// If AddDir is nil, no directory can be added.
	AddDir func(ctx context.Context, dir string) (approval.Deed, error)
	// Sandbox confines commands. /sandbox shows and switches it, and before the first command the
	// user is asked whether to use it. It is nil if there is no sandbox.
	Sandbox approval.Sandbox
	// Policy holds the approval mode and the rules that can be offered and stored with an answer.
	// If it is nil, no rules are offered.
	Policy *approval.Policy
	// Person is true if a user types and reads. Then there is a prompt, a bell at the end of each
	// turn, and leaving always has exit code 0.
	Person bool
	// MinVisible is how long a question must have been visible, without a key typed, before a line
	// can answer it (PANE-6). 0 means 1 s.
	MinVisible time.Duration

	out          transcript
	lines        <-chan inputLine
	sandboxOffer approval.SandboxOffer
	interrupts   interrupts

	lockOnce sync.Once
	asking   chan struct{} // Used as a lock: it contains a value while a question is open.
	waiting  atomic.Int32  // The number of questions that wait until asking is free.
}

// Run reads lines and lets agent a answer them, until the input ends, the user types /quit, or ctx
// ends. It returns the worst exit code of the turns. If Person is true and the user leaves, it
// returns ExitDone.
func (p *Plain) Run(ctx context.Context, a *agent.Agent) int {
	p.out.w, p.out.inWords = p.Stdout, p.Person
	left := make(chan struct{})
	defer close(left)
	if p.lines = readLines(p.Stdin, left); p.Person {
		p.lines = p.withoutStops(p.lines, left)
		p.interrupts.allow()
	}
	agents := feed(p.Crew, func(e crew.Event) { // never while a question is open
		if done, err := p.lockQuestions(ctx); err == nil {
			p.out.agentEvent(e)
			done()
		}
	})
	defer agents.Stop()
	if p.Hello != "" {
		p.out.writeLines(p.Hello)
	}
	result := ExitDone
	spoke, leaving := false, false
	for {
		if p.Person {
			p.out.writePrompt("> ")
		}
		line, err := p.readLine(ctx)
		switch {
		case ctx.Err() != nil:
			p.out.endOpenLine()
			return worstCode(result, ExitInterrupted)
		case errors.Is(err, io.EOF):
			p.out.endOpenLine()
			return p.finalCode(result)
		case err != nil:
			say(p.Stderr, "agentshell: cannot read the input: %v", err)
			return worstCode(result, ExitError)
		}
		_, _, command := mention.Command(strings.TrimRight(line, "\r\n"))
		line = strings.TrimSpace(line)
		if command && p.Person {
			send, found := p.runExtension(ctx, line)
			if found && send == "" {
				continue
			}
			if found {
				line, command = send, false
			}
		}
		switch {
		case line == "":
			continue
		case command && (line == "/quit" || line == "/exit"):
			if p.LastMessage == "" || !p.Person || !spoke {
				return p.finalCode(result)
			}
			line, command, leaving = p.LastMessage, false, true
			p.out.writeLine("The model may propose notes for later sessions now.")
		case command && p.Person && p.runCommand(line):
			continue
		}
		if !p.Person {
			p.out.writeLine("> " + line)
		}
		on := func(e agent.Event) {
			if e, ok := e.(agent.TurnEnd); ok {
				result = worstCode(result, exitCode(e))
				p.out.endOpenLine()
				reportEnd(p.Stderr, e)
				return
			}
			p.out.event(e)
		}
		word, arg, _ := strings.Cut(line, " ")
		arg = strings.TrimSpace(arg)
		ctx, done := p.interrupts.begin(ctx)
		switch {
		case command && p.Person && word == "/undo":
			p.undoCommand(ctx, a, arg, on)
		case command && p.Person && word == "/add-dir":
			p.addDirCommand(ctx, arg)
		case command && p.Person && word == "/sandbox":
			p.sandboxCommand(ctx, arg)
		case command && p.Person && word == "/memory":
			p.memoryCommand(ctx, a, arg, on)
		case command && p.Person && word == "/todo":
			p.todoCommand(ctx, a, arg, on)
		case command && word == "/compact":
			_ = a.Compact(ctx, arg, on)
		default:
			spoke = true
			said := agent.Message{Text: line, Attached: p.attachFiles(ctx, line), Pictures: p.findPictures(ctx, line)}
			_ = a.RunTurn(ctx, said, on)
		}
		done()
		agents.Sync()
		p.out.endTurn(p.Person)
		if p.out.failed() {
			return worstCode(result, ExitError)
		}
		if leaving {
			return p.finalCode(result)
		}
	}
}

// attachFiles returns the text of the files that a message names with an @, and writes a line for
// the user about each file.
func (p *Plain) attachFiles(ctx context.Context, text string) string {
	if p.Attach == nil {
		return ""
	}
	a := p.Attach(ctx, text)
	for _, f := range a.Files {
		p.out.writeLine("* " + f.Name + "  " + f.About + ", attached")
	}
	for _, s := range a.Problems {
		p.out.writeLine("! " + s)
	}
	return a.Text
}

// findPictures returns the pictures that a message names, and writes a line for the user about
// each.
func (p *Plain) findPictures(ctx context.Context, text string) []picture.Picture {
	if p.Pictures == nil {
		return nil
	}
	found, problems := p.Pictures(ctx, text)
	for _, pic := range found {
		p.out.writeLine("* " + pic.Line())
	}
	for _, s := range problems {
		p.out.writeLine("! " + s)
	}
	return found
}

// finalCode returns the exit code of the process. result is the worst exit code of the turns so
// far.
func (p *Plain) finalCode(result int) int {
	switch {
	case p.out.failed():
		return ExitError
	case p.Person:
		return ExitDone
	}
	return result
}

// readLine waits for the next line of the input. It returns io.EOF at the end of the input.
func (p *Plain) readLine(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case read, open := <-p.lines:
		if !open {
			return "", io.EOF
		}
		if p.Person {
			p.out.markLineEnded() // the terminal has shown the typed line and its newline
			p.interrupts.typed()
		}
		return read.text, read.err
	}
}

// inputLine is a line of the input, or the error that ended the input.
type inputLine struct {
	text string
	err  error
}

// readLines reads the lines of r in a goroutine and sends them to the returned channel, so that a
// reader can stop waiting for a line. The goroutine ends with the input, or at the next line after
// left is closed.
func readLines(r io.Reader, left <-chan struct{}) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(r)
		s.Buffer(nil, MaxLine)
		send := func(l inputLine) bool {
			select {
			case lines <- l:
				return true
			case <-left:
				return false
			}
		}
		for s.Scan() {
			if !send(inputLine{text: s.Text()}) {
				return
			}
		}
		if err := s.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a line is longer than %d bytes", MaxLine)
			}
			send(inputLine{err: err})
		}
	}()
	return lines
}
