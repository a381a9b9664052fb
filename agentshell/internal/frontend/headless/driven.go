package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Driven is a conversation with a program: it reads one JSON object a line and prints the records
// of [StreamJSON]. Each message is a turn, which ends with the record "end"; one that comes while a
// turn runs waits for its end. A line that cannot be used is answered by the record "bad_line", and
// the conversation goes on. The program is asked by the Driver; without it what no rule allows is
// denied.
type Driven struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Session string // the id that the record "session" names
	// Driver asks the program; nil: nobody is asked. The agent has it for its approver.
	Driver *Driver
	// Crew is the agents that the model starts; nil: it starts none.
	Crew *crew.Crew
	// FindAttachments finds the files and pictures that a message names. They are sent with it.
	// Problems are lines. Nil: nothing is sent with a message.
	FindAttachments func(ctx context.Context, text string) (attached string, found []picture.Picture, problems []string)
}

// driverCommand is one line of the input.
type driverCommand struct {
	Type string `json:"type"` // message, interrupt, answer or decision
	Text string `json:"text"` // of a message

	ID      string       `json:"id"`      // of the record that is answered
	Replies []tool.Reply `json:"replies"` // of an answer: one to each question
	Left    bool         `json:"left"`    // of an answer: the questions stay without one
	Allow   bool         `json:"allow"`   // of a decision
	Reason  string       `json:"reason"`  // of a decision that denies: for the model
}

// badLineRecord says what is wrong with one line of the input. Lines count from 1.
type badLineRecord struct {
	Type  string `json:"type"`
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// lockedWriter writes each Write whole, for several goroutines.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

// Run reads messages until the input or ctx ends, and answers all of them unless ctx ends. It
// returns the worst of the turns' exit codes.
func (d *Driven) Run(ctx context.Context, a *agent.Agent) int {
	out := &lockedWriter{w: d.Stdout}
	records := &streamPrinter{w: out}
	records.write(sessionRecord{"session", d.Session})
	defer feed(d.Crew, records.agentEvent).Stop()
	driver := d.Driver
	if driver == nil {
		driver = new(Driver) // asked by nobody
	}
	driver.begin(records)
	done := make(chan struct{})
	defer close(done)
	var (
		lines   = readLines(d.Stdin, done)
		number  int
		waiting []string
		stop    = func() {}
		running chan int // gives the code of the turn that runs; nil: none does
		result  = ExitDone
		ended   bool // the input
	)
	for {
		if running == nil && len(waiting) > 0 {
			text := waiting[0]
			waiting = waiting[1:]
			turn, cancel := context.WithCancel(ctx)
			stop, running = cancel, make(chan int, 1)
			go func(turnDone chan<- int) { turnDone <- d.runTurn(turn, a, text, out) }(running)
		}
		if running == nil && (ended || ctx.Err() != nil) {
			break
		}
		in := lines
		if ended {
			in = nil
		}
		turnDone := ctx.Done()
		if running != nil {
			turnDone = nil // the turn ends by it
		}
		select {
		case code := <-running:
			stop()
			running, result = nil, worstCode(result, code)
		case <-turnDone:
		case read, open := <-in:
			number++
			o, err := parseDriverCommand(read.text)
			switch {
			case !open:
				ended = true
				driver.leave()
			case read.err != nil:
				driver.leave()
				ended, result = true, worstCode(result, ExitError)
				records.write(badLineRecord{"bad_line", number, read.err.Error()})
			case err != nil:
				records.write(badLineRecord{"bad_line", number, err.Error()})
			case o.Type == "interrupt":
				waiting = nil
				stop()
			case o.Type == "message":
				waiting = append(waiting, o.Text)
			default:
				if err := driver.take(o); err != nil {
					records.write(badLineRecord{"bad_line", number, err.Error()})
				}
			}
		}
		if ctx.Err() != nil {
			waiting = nil
		}
	}
	switch {
	case ctx.Err() != nil && context.Cause(ctx) != agent.ErrTime:
		result = worstCode(result, ExitInterrupted)
	case records.err != nil:
		say(d.Stderr, "agentshell: cannot write the output: %v", records.err)
		result = worstCode(result, ExitError)
	}
	return result
}

// driverCommands are the types of lines.
var driverCommands = []string{"message", "interrupt", "answer", "decision"}

// parseDriverCommand parses a line. An unknown field or type is an error: a driver that is newer
// than this program must not believe that it was obeyed.
func parseDriverCommand(line string) (o driverCommand, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(line)))
	d.DisallowUnknownFields()
	switch err := d.Decode(&o); {
	case err != nil:
		return o, fmt.Errorf("it is no command: %w", err)
	case d.More():
		return o, fmt.Errorf("something stands behind the object")
	case !slices.Contains(driverCommands, o.Type):
		return o, fmt.Errorf("type may be %s, not %q", strings.Join(driverCommands, ", "), o.Type)
	case o.Type == "message" && strings.TrimSpace(o.Text) == "":
		return o, fmt.Errorf("the message has no text")
	case o.Type != "message" && o.Text != "":
		return o, fmt.Errorf("only a message has a text")
	case (o.Type == "answer" || o.Type == "decision") != (o.ID != ""):
		return o, fmt.Errorf("an answer and a decision have the id of what they answer, and nothing else has one")
	case o.Type != "answer" && (o.Left || len(o.Replies) > 0):
		return o, fmt.Errorf("only an answer has replies, or left")
	case o.Type != "decision" && (o.Allow || o.Reason != ""):
		return o, fmt.Errorf("only a decision has allow and reason")
	}
	return o, nil
}

// runTurn answers one message and returns the exit code of the turn.
func (d *Driven) runTurn(ctx context.Context, a *agent.Agent, text string, out io.Writer) int {
	s := &streamPrinter{w: out}
	said := agent.Message{Text: text}
	if d.FindAttachments != nil {
		attached, found, problems := d.FindAttachments(ctx, text)
		said.Attached, said.Pictures = attached, found
		for _, p := range problems {
			s.write(noticeRecord{"notice", p})
		}
	}
	var last agent.TurnEnd
	denials := collectDenials(d.Crew)
	if err := a.RunTurn(ctx, said, func(e agent.Event) {
		if e, ok := e.(agent.TurnEnd); ok {
			last = e
		}
		s.event(e)
	}); err != nil && last.Reason == "" {
		last = agent.TurnEnd{Reason: agent.Failed, Err: err}
	}
	toAgents := denials.Stop()
	last.Denied += len(toAgents)
	result := exitCode(last)
	if err := s.end(last, toAgents, result); err != nil {
		say(d.Stderr, "agentshell: cannot write the output: %v", err)
		return worstCode(result, ExitError)
	}
	return result
}
