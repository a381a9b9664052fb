package dap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// stopTimeout is how long a program that has just started may take to stop at its entry.
const stopTimeout = 5 * time.Second

// Session is the debugging of one program. Only one goroutine may use it at a time.
type Session struct {
	ID      string
	Adapter Adapter
	// Program is the absolute path of the program, or a description of the process that is
	// attached.
	Program  string
	Dir      string // Dir is the working directory of the program.
	Confined bool

	client     *Client
	helper     *helper.Helper[*Client]
	endOnce    sync.Once
	removeTemp func() // removeTemp removes the temporary directory.

	breakpoints   breakpointSet
	elementCounts map[int]int // elementCounts holds the number of elements of lists, by their variables reference.
	stoppedThread int         // stoppedThread is the thread that has stopped last; 0: none is known.
}

// begin sends the launch or attach request and ends the configuration. If stops is set, it then
// waits until the program stops at its entry, at most for limit.
func (s *Session) begin(ctx context.Context, request string, arguments map[string]any, stops bool,
	limit time.Duration) error {
	c, began := s.client, time.Now()
	c.mu.Lock()
	c.state.status, c.state.isLaunched = Launching, request == "launch"
	c.mu.Unlock()
	answer, err := c.start(ctx, request, arguments)
	if err != nil {
		return err
	}
	go func() {
		err := answer(ctx, nil)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.state.isStartAnswered, c.state.startError = true, err
		c.signalChange()
	}()
	// Some answer before they are initialized, some after, and some only once they are configured.
	if !c.await(ctx, func(s *programState) bool { return c.isInitialized || s.startError != nil || s.hasEnded }) {
		return c.notReadyError(ctx, "event initialized", began)
	}
	if err := c.refusal(); err != nil {
		return err
	}
	if err := c.configure(ctx); err != nil {
		return err
	}
	if !c.await(ctx, func(s *programState) bool { return s.isStartAnswered || s.hasEnded }) {
		return c.notReadyError(ctx, "request "+request, began)
	}
	if err := c.refusal(); err != nil {
		return err
	}
	if stops {
		wait, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		c.await(wait, func(s *programState) bool { return s.stopCount > 0 || s.hasEnded })
	}
	c.mu.Lock()
	if c.state.status == Launching {
		c.state.status = Running
	}
	c.mu.Unlock()
	s.findFrame(ctx)
	return ctx.Err()
}

// configure switches on the exception breakpoints that the adapter recommends, and ends the
// configuration.
func (c *Client) configure(ctx context.Context) error {
	can := c.Can()
	if len(can.ExceptionBreakpointFilters) > 0 {
		filters := []string{}
		for _, f := range can.ExceptionBreakpointFilters {
			if f.Default {
				filters = append(filters, f.Filter)
			}
		}
		err := c.Request(ctx, "setExceptionBreakpoints", map[string]any{"filters": filters}, nil)
		var refused *RefusedError
		if err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	if !can.SupportsConfigurationDoneRequest {
		return nil
	}
	return c.Request(ctx, "configurationDone", map[string]any{}, nil)
}

// refusal returns the error with which the adapter answered the launch or attach request, or nil.
func (c *Client) refusal() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.startError
}

// notReadyError returns why an awaited response or event, what, did not come: a timeout or the end
// of the adapter.
func (c *Client) notReadyError(ctx context.Context, what string, began time.Time) error {
	if ctx.Err() != nil {
		return timeoutError(ctx, what, began)
	}
	return c.endedError()
}

// findFrame requests the frame at which the program has stopped. It ignores errors, because some
// adapters cannot tell it at the entry of a program.
func (s *Session) findFrame(ctx context.Context) {
	c := s.client
	c.mu.Lock()
	stopped, known := c.state.status == Stopped, c.state.frame != nil
	stops, thread := c.state.stopCount, c.state.stop.ThreadId
	c.mu.Unlock()
	if !stopped || known {
		return
	}
	if thread == 0 {
		threads, err := s.Threads(ctx)
		if err != nil || len(threads) == 0 {
			return
		}
		thread = threads[0].Id
	}
	s.stoppedThread = thread
	frames, err := s.stackFrames(ctx, thread, 1)
	if err != nil || len(frames) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.stopCount == stops && c.state.status == Stopped {
		c.state.frame = &frames[0]
	}
}

// stackFrames returns the stack frames of a thread, the innermost first. levels is the number of
// frames; 0: all.
func (s *Session) stackFrames(ctx context.Context, thread, levels int) ([]dap.StackFrame, error) {
	args := map[string]any{"threadId": thread, "startFrame": 0}
	if levels > 0 {
		args["levels"] = levels
	}
	var body dap.StackTraceResponseBody
	err := s.currentClient().Request(ctx, "stackTrace", args, &body)
	return body.StackFrames, err
}

// Threads returns the threads of the program.
func (s *Session) Threads(ctx context.Context) ([]dap.Thread, error) {
	var body dap.ThreadsResponseBody
	err := s.currentClient().Request(ctx, "threads", nil, &body)
	return body.Threads, err
}

// currentThread returns the thread that has stopped last, or the first one.
func (s *Session) currentThread(ctx context.Context) (int, error) {
	if s.stoppedThread != 0 {
		return s.stoppedThread, nil
	}
	threads, err := s.Threads(ctx)
	switch {
	case err != nil:
		return 0, err
	case len(threads) == 0:
		return 0, plainError("Debugger reported no threads.")
	}
	s.stoppedThread = threads[0].Id
	return s.stoppedThread, nil
}

// Resume continues the program until it stops or ends. command is continue, next, stepIn or
// stepOut. timedOut says that the program still runs at the deadline of ctx, which is no error.
func (s *Session) Resume(ctx context.Context, command string) (timedOut bool, err error) {
	c := s.client
	c.mu.Lock()
	before, running := c.state.stopCount, c.state.status == Running
	c.mu.Unlock()
	switch {
	case running && command == "continue":
		return s.awaitStop(ctx, before)
	case running:
		return false, errors.New("the program is running: pause it first")
	}
	thread, err := s.currentThread(ctx)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	before = c.state.stopCount
	status, stop, frame := c.state.status, c.state.stop, c.state.frame
	c.state.noteResumed()
	c.mu.Unlock()
	if err := s.currentClient().Request(ctx, command, map[string]any{"threadId": thread}, nil); err != nil {
		c.mu.Lock()
		if c.state.stopCount == before && !c.state.hasEnded {
			c.state.status, c.state.stop, c.state.frame = status, stop, frame
		}
		c.mu.Unlock()
		return false, err
	}
	return s.awaitStop(ctx, before)
}

// awaitStop waits until the program has stopped more than before times, or has ended. timedOut is
// like that of [Session.Resume].
func (s *Session) awaitStop(ctx context.Context, before int) (timedOut bool, err error) {
	c := s.client
	if c.await(ctx, func(s *programState) bool { return s.stopCount > before && s.status == Stopped || s.hasEnded }) {
		s.findFrame(ctx)
		return false, nil
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, c.endedError()
}

// Pause stops the program. It does nothing if the program has stopped already.
func (s *Session) Pause(ctx context.Context) error {
	c, began := s.client, time.Now()
	c.mu.Lock()
	before, stopped := c.state.stopCount, c.state.status == Stopped
	c.mu.Unlock()
	if stopped {
		s.findFrame(ctx)
		return nil
	}
	thread, err := s.currentThread(ctx)
	if err != nil {
		return err
	}
	if err := s.currentClient().Request(ctx, "pause", map[string]any{"threadId": thread}, nil); err != nil {
		return err
	}
	timedOut, err := s.awaitStop(ctx, before)
	if timedOut {
		return timeoutError(ctx, "event stopped", began)
	}
	return err
}

// StackTrace returns the stack frames of the current thread. levels is the number of frames; 0:
// all.
func (s *Session) StackTrace(ctx context.Context, levels int) ([]dap.StackFrame, error) {
	thread, err := s.currentThread(ctx)
	if err != nil {
		return nil, err
	}
	frames, err := s.stackFrames(ctx, thread, levels)
	if err != nil || len(frames) == 0 {
		return frames, err
	}
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if s.client.state.status == Stopped && s.client.state.frame == nil {
		s.client.state.frame = &frames[0]
	}
	return frames, nil
}

// Frame returns the id of the current stack frame. ok is false if none is known.
func (s *Session) Frame() (id int, ok bool) {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if s.client.state.frame == nil {
		return 0, false
	}
	return s.client.state.frame.Id, true
}

// maxElements is the number of elements that are requested of a list. maxLists is the number of
// lists whose length is remembered.
const (
	maxElements = 500
	maxLists    = 10_000
)

// Variables returns the variables for a variables reference. Some adapters first send only the
// beginning of a long list; the rest is requested too, up to maxElements.
func (s *Session) Variables(ctx context.Context, reference int) ([]dap.Variable, error) {
	var body dap.VariablesResponseBody
	err := s.currentClient().Request(ctx, "variables", map[string]any{"variablesReference": reference}, &body)
	if err != nil {
		return nil, err
	}
	list := body.Variables
	if n := min(s.elementCounts[reference], maxElements); n > len(list) && len(list) > 0 {
		var more dap.VariablesResponseBody
		err := s.currentClient().Request(ctx, "variables", map[string]any{"variablesReference": reference,
			"filter": "indexed", "start": len(list), "count": n - len(list)}, &more)
		// One that knows no pages gives the same again.
		if err == nil && len(more.Variables) > 0 && more.Variables[0].Name != list[0].Name {
			list = append(list, more.Variables...)
		}
	}
	for _, v := range list {
		if v.VariablesReference > 0 && v.IndexedVariables > 0 && len(s.elementCounts) < maxLists {
			s.elementCounts[v.VariablesReference] = v.IndexedVariables
		}
	}
	return list, nil
}

// Ask sends any DAP request, and decodes the answer into body.
func (s *Session) Ask(ctx context.Context, command string, arguments, body any) error {
	return s.currentClient().Request(ctx, command, arguments, body)
}

// Can returns the capabilities of the adapter.
func (s *Session) Can() dap.Capabilities { return s.client.Can() }

// Printed returns the last output of the program and of the adapter. truncated says that older
// output was removed.
func (s *Session) Printed() (text string, truncated bool) {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	text = string(s.client.state.output.newest())
	return text, s.client.state.output.truncated
}

// Summary describes the present state of a session.
type Summary struct {
	ID, Adapter, Status, Program, Dir string
	StopReason                        string
	Frame                             *dap.StackFrame
	ExitCode                          *int
	Pending                           bool // Pending says that the configuration has not ended yet.
	Confined                          bool
}

// Summary returns the present state of the session.
func (s *Session) Summary() Summary {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	st := &s.client.state
	sum := Summary{ID: s.ID, Adapter: s.Adapter.Name, Status: st.status, Program: s.Program, Dir: s.Dir,
		ExitCode: st.exitCode, Confined: s.Confined}
	if st.status == Stopped {
		sum.StopReason, sum.Frame = st.stop.Reason, st.frame
		if more := strings.TrimSpace(strings.Join(slices.DeleteFunc([]string{st.stop.Description, st.stop.Text},
			func(text string) bool { return text == "" || text == st.stop.Reason }), ": ")); more != "" {
			sum.StopReason += " (" + more + ")"
		}
	}
	if s.isAdapterGone() && !st.hasEnded {
		sum.Status = Terminated
	}
	return sum
}

// Gone returns a channel that is closed when the adapter has ended.
func (s *Session) Gone() <-chan struct{} { return s.client.Gone() }

// isAdapterGone reports whether the adapter has ended.
func (s *Session) isAdapterGone() bool {
	select {
	case <-s.client.Gone():
		return true
	default:
		return false
	}
}

// isOver reports whether the program or the adapter has ended.
func (s *Session) isOver() bool {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	return s.client.state.hasEnded || s.isAdapterGone()
}

// end ends the adapter and all processes that it has started. The output can still be read.
func (s *Session) end() {
	s.endOnce.Do(func() {
		s.helper.Close()
		if s.removeTemp != nil {
			s.removeTemp()
		}
		s.client.mu.Lock()
		s.client.state.status = Terminated
		s.client.mu.Unlock()
	})
}

// Terminate asks the adapter to end a launched program, waits a second at most, and ends the
// adapter.
func (s *Session) Terminate(ctx context.Context) {
	if s.Can().SupportsTerminateRequest && s.client.launched() && !s.isOver() {
		wait, cancel := context.WithTimeout(ctx, time.Second)
		if s.Ask(wait, "terminate", map[string]any{}, nil) == nil {
			s.client.await(wait, func(s *programState) bool { return s.hasEnded })
		}
		cancel()
	}
	s.end()
}

// withOutput adds the last output of the program to an error, because it tells, for example, why a
// build failed.
func (s *Session) withOutput(err error) error {
	text, _ := s.Printed()
	const shown = 4 << 10
	if text = strings.TrimSpace(text); text == "" {
		return err
	}
	if len(text) > shown {
		text = "..." + strings.ToValidUTF8(text[len(text)-shown:], "")
	}
	return fmt.Errorf("%w\n%s", err, text)
}
