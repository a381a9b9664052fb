package dap

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These are the states of a debugged program.
const (
	Launching  = "launching"
	Stopped    = "stopped"
	Running    = "running"
	Terminated = "terminated"
)

// programState is what the adapter has reported about the program.
type programState struct {
	status          string
	isStartAnswered bool  // isStartAnswered says that the adapter has answered the launch or attach request.
	startError      error // startError is the error with which it answered.
	isLaunched      bool  // isLaunched says that this session has started the program, and may end it.
	stop            dap.StoppedEventBody
	stopCount       int // stopCount counts how many times the program has stopped.
	frame           *dap.StackFrame
	exitCode        *int
	hasEnded        bool // hasEnded says that the program has exited or was terminated.
	adapterEnded    bool // adapterEnded says that this session has ended the adapter.
	process         string
	output          outputBuffer
	// dialAgain makes another connection to the adapter; nil: it accepts only one.
	dialAgain func(ctx context.Context, fail func(error)) (adapterLink, error)
	// children holds the child sessions. The first one that is ready gets the requests: see
	// [Client.leader].
	children []*Client
	// configured holds the configuration requests for future child sessions, by a name.
	configured map[string]request
}

// handleEvent handles an event of the adapter.
func (c *Client) handleEvent(event string, body json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	switch event {
	case "initialized":
		c.isInitialized = true
	case "output":
		var b dap.OutputEventBody
		if json.Unmarshal(body, &b) == nil && b.Category != "telemetry" {
			s.output.write(b.Output)
		}
		return
	case "stopped":
		c.makeLeader()
		s.stop = dap.StoppedEventBody{}
		_ = json.Unmarshal(body, &s.stop)
		s.frame = nil
		s.stopCount++
		if !s.hasEnded {
			s.status = Stopped
		}
	case "continued":
		if c.isLeader() {
			s.noteResumed()
		}
	case "process":
		var b dap.ProcessEventBody
		_ = json.Unmarshal(body, &b)
		s.process = width.Head(b.Name, 200)
	case "exited":
		var b dap.ExitedEventBody
		if json.Unmarshal(body, &b) == nil {
			s.exitCode = &b.ExitCode
		}
		if c.isChild { // of the program the adapter tells by the first connection
			break
		}
		s.status, s.hasEnded, s.frame = Terminated, true, nil
	case "terminated":
		if c.removeChild() {
			break
		}
		s.status, s.hasEnded, s.frame = Terminated, true, nil
	case "capabilities":
		var b dap.CapabilitiesEventBody
		b.Capabilities = c.can
		if json.Unmarshal(body, &b) == nil {
			c.can = b.Capabilities
		}
	default:
		return
	}
	c.signalChange()
}

// noteResumed notes that the program runs again.
func (s *programState) noteResumed() {
	if !s.hasEnded {
		s.status, s.frame, s.stop = Running, nil, dap.StoppedEventBody{}
	}
}

// respond answers a request of the adapter at once. It accepts startDebugging and refuses
// everything else.
func (c *Client) respond(m message) {
	yes, no := true, false
	answer := message{Type: "response", RequestSeq: m.Seq, Command: m.Command, Success: &no,
		Message: "not supported"}
	var note string
	switch m.Command {
	case "runInTerminal":
		var args dap.RunInTerminalRequestArguments
		_ = json.Unmarshal(m.Arguments, &args)
		answer.Message = "there is no terminal"
		note = fmt.Sprintf("the adapter wanted to run in a terminal: %s; there is none",
			width.Head(strings.Join(args.Args, " "), 200))
	case "startDebugging":
		if note = c.beginChildSession(m.Arguments); note == "" || c.state.dialAgain == nil {
			answer.Success, answer.Message, answer.Body = &yes, "", json.RawMessage("{}")
		}
	default:
		note = "the adapter sent the request " + width.Head(m.Command, 80) + ", which nobody knows here"
	}
	if note != "" {
		c.mu.Lock()
		c.state.output.addNote(note)
		c.mu.Unlock()
	}
	if err := c.send(context.Background(), answer, false); err != nil {
		c.link.fail(err)
	}
}

// launched reports whether this session has started the program.
func (c *Client) launched() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.isLaunched
}
