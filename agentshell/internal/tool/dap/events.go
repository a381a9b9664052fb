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

// state is what the adapter has reported about the program.
type state struct {
	status   string
	answered bool  // answered says that the adapter has answered the launch or attach request.
	refusal  error // refusal is the error with which it answered.
	launched bool  // launched says that this session has started the program, and may end it.
	stop     dap.StoppedEventBody
	stops    int // stops counts how many times the program has stopped.
	frame    *dap.StackFrame
	exitCode *int
	ended    bool // ended says that the program has exited or was terminated.
	left     bool // left says that this session has ended the adapter.
	process  string
	output   output
	// dial makes another connection to the adapter; nil: it accepts only one.
	dial func(ctx context.Context, fail func(error)) (link, error)
	// children holds the child sessions. The first one that is ready gets the requests: see
	// [Client.leader].
	children []*Client
	// configured holds the configuration requests for future child sessions, by a name.
	configured map[string]request
}

// heard handles an event of the adapter.
func (c *Client) heard(event string, body json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	switch event {
	case "initialized":
		c.initialized = true
	case "output":
		var b dap.OutputEventBody
		if json.Unmarshal(body, &b) == nil && b.Category != "telemetry" {
			s.output.write(b.Output)
		}
		return
	case "stopped":
		c.lead()
		s.stop = dap.StoppedEventBody{}
		_ = json.Unmarshal(body, &s.stop)
		s.frame = nil
		s.stops++
		if !s.ended {
			s.status = Stopped
		}
	case "continued":
		if c.leads() {
			s.resume()
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
		if c.child { // of the program the adapter tells by the first connection
			break
		}
		s.status, s.ended, s.frame = Terminated, true, nil
	case "terminated":
		if c.left() {
			break
		}
		s.status, s.ended, s.frame = Terminated, true, nil
	case "capabilities":
		var b dap.CapabilitiesEventBody
		b.Capabilities = c.can
		if json.Unmarshal(body, &b) == nil {
			c.can = b.Capabilities
		}
	default:
		return
	}
	c.changedNow()
}

// resume notes that the program runs again.
func (s *state) resume() {
	if !s.ended {
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
		if note = c.follow(m.Arguments); note == "" || c.state.dial == nil {
			answer.Success, answer.Message, answer.Body = &yes, "", json.RawMessage("{}")
		}
	default:
		note = "the adapter sent the request " + width.Head(m.Command, 80) + ", which nobody knows here"
	}
	if note != "" {
		c.mu.Lock()
		c.state.output.note(note)
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
	return c.state.launched
}
