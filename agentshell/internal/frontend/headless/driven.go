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

// Driven lets another program lead a conversation: it reads one JSON object a line and prints the
// records of [StreamJSON].
//
// Each message starts a turn, which ends with the record "end". A message that arrives during a
// turn waits for its end. An invalid line is answered by the record "bad_line", and the
// conversation goes on. Questions and approvals go to the program through the Driver. Without a
// Driver, calls that no rule allows are denied.
type Driven struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Session string // The session's id, for the record "session".
	// Driver asks the program about approvals and questions. It must also be the agent's approver.
	// If it is nil, nobody is asked.
	Driver *Driver
	// Crew manages the agents that the model starts; nil if it cannot start any.
	Crew *crew.Crew
	// FindAttachments returns the text and the pictures of the files that a message names, which
	// are sent with the message. problems holds lines about files that cannot be sent. If
	// FindAttachments is nil, nothing is attached.
	FindAttachments func(ctx context.Context, text string) (attached string, found []picture.Picture, problems []string)
}

// driverCommand is one line of the input, sent by the program that leads the conversation.
type driverCommand struct {
	Type string `json:"type"` // "message", "interrupt", "answer" or "decision"
	Text string `json:"text"` // For a message: its text.

	ID      string       `json:"id"`      // The id of the record that this line answers.
	Replies []tool.Reply `json:"replies"` // For an answer: one reply to each question.
	Left    bool         `json:"left"`    // For an answer: the questions remain unanswered.
	Allow   bool         `json:"allow"`   // For a decision: the proposal is approved.
	Reason  string       `json:"reason"`  // For a decision that denies: the reason, which the model is told.
}

// badLineRecord reports an invalid line of the input. Lines are counted from 1.
type badLineRecord struct {
	Type  string `json:"type"`
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// lockedWriter lets several goroutines write to w, without mixing the bytes of two calls of Write.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

// Run reads messages and lets agent a answer them, until the input or ctx ends. Messages that still
// wait at the end of the input are answered, too. Run returns the worst exit code of the turns.
func (d *Driven) Run(ctx context.Context, a *agent.Agent) int {
	out := &lockedWriter{w: d.Stdout}
	records := &streamPrinter{w: out}
	records.write(sessionRecord{"session", d.Session})
	defer feed(d.Crew, records.agentEvent).Stop()
	driver := d.Driver
	if driver == nil {
		driver = new(Driver) // its begin is called, but no agent asks it
	}
	driver.begin(records)
	done := make(chan struct{})
	defer close(done)
	var (
		lines   = readLines(d.Stdin, done)
		number  int
		waiting []string
		stop    = func() {}
		running chan int // receives the exit code of the running turn; nil if none runs
		result  = ExitDone
		ended   bool // the input has ended
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
			turnDone = nil // ctx also ends the turn, which is waited for
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

// driverCommands lists the types that a line of the input can have.
var driverCommands = []string{"message", "interrupt", "answer", "decision"}

// parseDriverCommand parses a line of the input. An unknown field or type is an error, so that a
// program that expects a newer version of agentshell notices that it was not obeyed.
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

// runTurn runs a turn of the agent for one message, and returns its exit code.
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
