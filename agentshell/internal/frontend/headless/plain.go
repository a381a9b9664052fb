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

// MaxLine is the longest line that Plain reads, in bytes.
const MaxLine = 10 << 20

// Plain runs the shell as text that is only ever added to: for pipes, for simple terminals, and for
// screen readers. Each line of the input is a message. No escape sequence is written.
//
// With Person it also approves: it shows the whole of a proposal and reads the answer. Without it
// nobody is asked.
type Plain struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Hello  string // the first lines; "" for none
	// Attach is what a line is sent with because it names files with an @; nil: nothing.
	Attach func(ctx context.Context, text string) attach.Attached
	// Pictures finds what a line names as pictures to look at; problems are lines. Nil: nothing.
	Pictures func(ctx context.Context, text string) (found []picture.Picture, problems []string)
	// Changes are what /undo can take back, the last first; nil: there is no /undo.
	Changes func() []undo.Line
	// CutOff is the title of a command that was cut off by the end of an earlier process and may
	// have changed files, "" if there is none; nil: there is none.
	CutOff func() string
	// Running returns lines about the sessions of the workspace that run now; nil: none are known.
	Running func() []string
	// Extension runs a command of an extension: found is false if there is none of that name, which
	// has no slash. lines are its answer, and send is a message for the model; nil: there are none.
	Extension func(ctx context.Context, name, args string) (lines []string, send string, found bool)
	// Memory returns what /memory with an argument does; nil: there are no notes.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// LastMessage is sent to the model when the person leaves with /quit after a message; "":
	// nothing is.
	LastMessage string
	// Todo is the list of the model and the person, for /todo; nil: there is none.
	Todo *todo.Board
	// Crew is the agents that the model starts; nil: it starts none.
	Crew *crew.Crew
	// AddDir returns what adds a directory to the session, for /add-dir; nil: none can be added.
	AddDir func(ctx context.Context, dir string) (approval.Deed, error)
	// Sandbox is for /sandbox, and for a question before the first command; nil: there is none.
	Sandbox approval.Sandbox
	// Policy gives and stores the rules of answer a; nil: none are offered.
	Policy *approval.Policy
	// Person says that a person types and reads: there is a prompt, a bell when a turn has ended,
	// and leaving is always code 0.
	Person bool
	// MinVisible is how long a question must stand, without a key typed, before a line answers it
	// (PANE-6). 0: 1 s.
	MinVisible time.Duration

	out          transcript
	lines        <-chan inputLine
	sandboxOffer approval.SandboxOffer
	interrupts   interrupts

	lockOnce sync.Once
	asking   chan struct{} // holds a value while a question is open
	waiting  atomic.Int32  // questions that wait for that
}

// Run reads until the input ends, "/quit", or the context does. The code is the worst of the turns'
// codes, and ExitDone if a person left.
func (p *Plain) Run(ctx context.Context, a *agent.Agent) int {
	p.out.w, p.out.inWords = p.Stdout, p.Person
	left := make(chan struct{})
	defer close(left)
	if p.lines = readLines(p.Stdin, left); p.Person {
		p.lines = p.withoutStops(p.lines, left)
		p.interrupts.allow()
	}
	agents := feed(p.Crew, func(e crew.Event) { // not below a question that is open
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

// attachFiles returns what goes with a message because it names files, and writes a line about
// each.
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

// findPictures returns the pictures that a message names, and writes a line about each.
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

// finalCode returns the exit code of the process after turns with the code result.
func (p *Plain) finalCode(result int) int {
	switch {
	case p.out.failed():
		return ExitError
	case p.Person:
		return ExitDone
	}
	return result
}

// readLine waits for a line. It returns io.EOF at the end of the input.
func (p *Plain) readLine(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case read, open := <-p.lines:
		if !open {
			return "", io.EOF
		}
		if p.Person {
			p.out.markLineEnded() // the terminal showed the line and its end
			p.interrupts.typed()
		}
		return read.text, read.err
	}
}

type inputLine struct {
	text string
	err  error
}

// readLines reads lines in a goroutine, so that a stop does not wait for a line. The goroutine ends
// with the input, or at the first line after left is closed.
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
