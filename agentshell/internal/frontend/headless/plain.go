package headless

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// MaxLine is the longest line that Plain reads, in bytes.
const MaxLine = 10 << 20

// Plain is the shell as text that is only ever added to: for pipes, for terminals that can do no
// more, and for screen readers. Each line read is a message; no escape sequence is written.
//
// With Person it is an approver as well: it shows the whole of a proposal and reads the answer.
// Without, nobody is asked.
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
	// Todo is the list of the model and the person, for /todo; nil: there is none.
	Todo *todo.Board
	// Policy gives and stores the rules of answer a; nil: none are offered.
	Policy *approval.Policy
	// Person says that a person types and reads: there is a prompt, a bell when a turn has ended,
	// and leaving is always code 0.
	Person bool
	// Ripe is how long a question must stand, and the keyboard be quiet, before a line answers it
	// (PANE-6); 0: 1 s.
	Ripe time.Duration

	out   transcript
	lines <-chan lineRead
}

// Run reads until the input ends, "/quit", or the context does. The code is the worst of the turns'
// codes, and ExitDone if a person left.
func (p *Plain) Run(ctx context.Context, a *agent.Agent) int {
	p.out.w, p.out.words = p.Stdout, p.Person
	left := make(chan struct{})
	defer close(left)
	p.lines = readLines(p.Stdin, left)
	if p.Hello != "" {
		p.out.lines(p.Hello)
	}
	result := ExitDone
	for {
		if p.Person {
			p.out.prompt("> ")
		}
		line, err := p.read(ctx)
		switch {
		case ctx.Err() != nil:
			p.out.fresh()
			return worst(result, ExitInterrupted)
		case errors.Is(err, io.EOF):
			p.out.fresh()
			return p.leave(result)
		case err != nil:
			say(p.Stderr, "scrollkeep: cannot read the input: %v", err)
			return worst(result, ExitError)
		}
		command := strings.HasPrefix(line, "/") // behind a blank it is a message
		switch line = strings.TrimSpace(line); {
		case line == "":
			continue
		case command && (line == "/quit" || line == "/exit"):
			return p.leave(result)
		case command && p.Person && p.command(line):
			continue
		}
		if !p.Person {
			p.out.line("> " + line)
		}
		on := func(e agent.Event) {
			if e, ok := e.(agent.TurnEnd); ok {
				result = worst(result, code(e))
				p.out.fresh()
				problem(p.Stderr, e)
				return
			}
			p.out.event(e)
		}
		word, arg, _ := strings.Cut(line, " ")
		arg = strings.TrimSpace(arg)
		switch {
		case command && p.Person && word == "/undo":
			p.undo(ctx, a, arg, on)
		case command && p.Person && word == "/todo":
			p.todo(ctx, a, arg, on)
		case command && word == "/compact":
			_ = a.Compact(ctx, arg, on)
		default:
			said := agent.Message{Text: line, Attached: p.attached(ctx, line), Pictures: p.brought(ctx, line)}
			_ = a.RunTurn(ctx, said, on)
		}
		p.out.end(p.Person)
		if p.out.failed() {
			return worst(result, ExitError)
		}
	}
}

// attached returns what goes with a message because it names files, with a line about each.
func (p *Plain) attached(ctx context.Context, text string) string {
	if p.Attach == nil {
		return ""
	}
	a := p.Attach(ctx, text)
	for _, f := range a.Files {
		p.out.line("* " + f.Name + "  " + f.About + ", attached")
	}
	for _, s := range a.Problems {
		p.out.line("! " + s)
	}
	return a.Text
}

// brought returns the pictures that a message names, with a line about each.
func (p *Plain) brought(ctx context.Context, text string) []picture.Picture {
	if p.Pictures == nil {
		return nil
	}
	found, problems := p.Pictures(ctx, text)
	for _, pic := range found {
		p.out.line("* " + pic.Line())
	}
	for _, s := range problems {
		p.out.line("! " + s)
	}
	return found
}

func (p *Plain) leave(result int) int {
	switch {
	case p.out.failed():
		return ExitError
	case p.Person:
		return ExitDone
	}
	return result
}

// read waits for a line; io.EOF at the end.
func (p *Plain) read(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case read, open := <-p.lines:
		if !open {
			return "", io.EOF
		}
		if p.Person {
			p.out.typed() // the terminal showed the line and its end
		}
		return read.text, read.err
	}
}

type lineRead struct {
	text string
	err  error
}

// readLines reads on a goroutine of its own, so that a stop does not wait for a line. The goroutine
// ends with the input, or at the first line after left is closed.
func readLines(r io.Reader, left <-chan struct{}) <-chan lineRead {
	lines := make(chan lineRead)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(r)
		s.Buffer(nil, MaxLine)
		send := func(l lineRead) bool {
			select {
			case lines <- l:
				return true
			case <-left:
				return false
			}
		}
		for s.Scan() {
			if !send(lineRead{text: s.Text()}) {
				return
			}
		}
		if err := s.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a line is longer than %d bytes", MaxLine)
			}
			send(lineRead{err: err})
		}
	}()
	return lines
}
