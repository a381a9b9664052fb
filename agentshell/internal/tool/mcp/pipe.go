package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// maxOpenRequests is the number of unanswered requests of a server. Beyond it no further message of
// the server is read.
const maxOpenRequests = 16

// passedNotifications lists the notifications that are passed to the SDK. Others are dropped,
// because the SDK queues them without a limit.
var passedNotifications = []string{"notifications/progress", "notifications/cancelled",
	"notifications/tools/list_changed"}

// programPipe is the SDK's transport to a program: each message is one line on its standard input
// or output.
type programPipe struct {
	process      *helper.Process
	in           *bufio.Reader
	met          *prelude
	pace         child.Pace  // pace limits the rate of messages.
	outLines     chan []byte // outLines holds the lines for the goroutine that writes.
	openRequests chan struct{}
}

// startProgram starts the program of a server and returns the transport to it.
func startProgram(s Server, met *prelude) (*programPipe, error) {
	if s.Refuse != nil {
		if err := s.Refuse(); err != nil {
			return nil, err
		}
	}
	process, err := helper.Start(helper.Program{Name: s.Command[0], Command: s.Command, Env: s.Env, Dir: s.Dir,
		Log: s.Log, Secrets: s.Secrets, Family: s.Family,
		CountErr: func(n int) error { return met.count(n, 0) }})
	if err != nil {
		return nil, err
	}
	p := &programPipe{process: process, met: met, pace: messagePace(),
		in: bufio.NewReaderSize(process.Out, 64<<10), outLines: make(chan []byte),
		openRequests: make(chan struct{}, maxOpenRequests)}
	go p.write()
	return p, nil
}

// Connect implements mcp.Transport. The program runs already.
func (p *programPipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID returns "", because a pipe has only one session.
func (p *programPipe) SessionID() string { return "" }

// Read returns the next message. It skips lines that are no messages, and notifications that are
// not in passedNotifications.
func (p *programPipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		line, err := p.readLine()
		if err != nil {
			p.process.Fail(err)
			return nil, err
		}
		p.pace.Spend(1)
		m, err := jsonrpc.DecodeMessage(repairMessage(line))
		if err != nil {
			continue // not a message
		}
		r, request := m.(*jsonrpc.Request)
		switch {
		case !request:
		case !r.IsCall():
			if !slices.Contains(passedNotifications, r.Method) {
				continue
			}
		default:
			select {
			case p.openRequests <- struct{}{}:
			case <-p.process.Gone():
				return nil, io.EOF
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return m, nil
	}
}

// Write passes a message to the goroutine that writes.
func (p *programPipe) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, answer := m.(*jsonrpc.Response); answer {
		select {
		case <-p.openRequests:
		default:
		}
	}
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	select {
	case p.outLines <- append(line, '\n'):
		return nil
	case <-p.process.Gone():
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes messages to the program until the connection ends.
func (p *programPipe) write() {
	for {
		select {
		case line := <-p.outLines:
			if _, err := p.process.In.Write(line); err != nil {
				p.process.Fail(err)
				return
			}
		case <-p.process.Gone():
			return
		}
	}
}

// Close implements mcp.Connection. It ends the program.
func (p *programPipe) Close() error {
	p.process.Fail(errClosed)
	return nil
}

var errClosed = errors.New("it was closed")

// readLine reads a line of at most maxMessageLineBytes bytes.
func (p *programPipe) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := p.in.ReadSlice('\n')
		if flood := p.met.count(len(part), bytes.Count(part, []byte("\n"))); flood != nil {
			return nil, flood
		}
		if line = append(line, part...); len(line) > maxMessageLineBytes {
			return nil, errLongMessage
		}
		switch {
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
