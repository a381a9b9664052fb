package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// maxOpen is how many requests of a server may wait for our answer; it is not read on before.
const maxOpen = 16

// notices are the notifications of a server that mean something to us. The others are not handed
// on: the SDK keeps what it has not handled without a bound.
var notices = []string{"notifications/progress", "notifications/cancelled", "notifications/tools/list_changed"}

// pipe is a program as the SDK's transport: messages are lines on its standard input and output.
type pipe struct {
	talk *child.Talk
	said *lastWords
	in   *bufio.Reader
	met  *prelude
	pace child.Pace  // of messages
	out  chan []byte // lines, to the one goroutine that writes
	open chan struct{}

	once  sync.Once
	ended chan struct{} // closed when no message can be sent any more
	mu    sync.Mutex
	first error // the first thing that went wrong
}

// open starts the program of a server.
func open(s Server, met *prelude) (*pipe, error) {
	family := s.Family
	if family == nil {
		family = new(child.Family)
	}
	program := s.Command[0]
	if !strings.ContainsRune(program, filepath.Separator) {
		var err error
		if program, err = family.Programs.Path(program); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(program, s.Command[1:]...)
	// Never nil: that would be our own environment.
	said := &lastWords{log: s.Log, secrets: s.Secrets, met: met}
	cmd.Env, cmd.Dir, cmd.Stderr = append([]string{}, s.Env...), s.Dir, said
	talk, err := family.Talk(cmd, patience)
	if err != nil {
		return nil, err
	}
	p := &pipe{said: said, talk: talk, met: met, pace: messages(),
		in: bufio.NewReaderSize(talk.Out, 64<<10), out: make(chan []byte),
		open: make(chan struct{}, maxOpen), ended: make(chan struct{})}
	go p.write()
	return p, nil
}

// Connect returns the transport: the program runs already.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID returns "": a pipe has one session.
func (p *pipe) SessionID() string { return "" }

// Read gives the next message. Lines that are none are passed over, as are notifications that mean
// nothing to us.
func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		line, err := p.readLine()
		if err != nil {
			p.fail(err)
			return nil, err
		}
		p.pace.Spend(1)
		m, err := jsonrpc.DecodeMessage(mend(line))
		if err != nil {
			continue // not a message
		}
		r, request := m.(*jsonrpc.Request)
		switch {
		case !request:
		case !r.IsCall():
			if !slices.Contains(notices, r.Method) {
				continue
			}
		default:
			select {
			case p.open <- struct{}{}:
			case <-p.ended:
				return nil, io.EOF
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return m, nil
	}
}

// Write hands a message to the goroutine that writes.
func (p *pipe) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, answer := m.(*jsonrpc.Response); answer {
		select {
		case <-p.open:
		default:
		}
	}
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	select {
	case p.out <- append(line, '\n'):
		return nil
	case <-p.ended:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write sends what is to be sent until the connection ends.
func (p *pipe) write() {
	for {
		select {
		case line := <-p.out:
			if _, err := p.talk.In.Write(line); err != nil {
				p.fail(err)
				return
			}
		case <-p.ended:
			return
		}
	}
}

// fail ends the connection; the first reason counts.
func (p *pipe) fail(why error) {
	p.mu.Lock()
	if p.first == nil {
		p.first = why
	}
	p.mu.Unlock()
	p.once.Do(func() { close(p.ended) })
	_ = p.talk.In.Close()
	_ = p.talk.Out.Close()
}

// why returns why the program is not there any more; nil: it is. If it ends by itself it says how.
func (p *pipe) why() error {
	p.mu.Lock()
	first := p.first
	p.mu.Unlock()
	if first == nil {
		return nil
	}
	// That it does not read or write any more says nothing; which of them is seen first is chance.
	if errors.Is(first, io.EOF) || errors.Is(first, syscall.EPIPE) {
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case <-p.talk.Done():
		case <-late.C:
		}
		if err := p.talk.Err(); err != nil {
			if text := p.said.text(); text != "" {
				return fmt.Errorf("%w: %s", err, text)
			}
			return err
		}
	}
	return first
}

// Close ends the connection, as the SDK wants it.
func (p *pipe) Close() error {
	p.fail(errClosed)
	return nil
}

// end asks the program to end, and makes it.
func (p *pipe) end() {
	_ = p.talk.In.Close() // also under a write that the server does not take
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-p.talk.Done():
	case <-late.C:
	}
	p.talk.End(grace)
	p.fail(errClosed) // whoever still holds its output
}

var errClosed = errors.New("it was closed")

// readLine reads a line of at most maxLine bytes.
func (p *pipe) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := p.in.ReadSlice('\n')
		if flood := p.met.take(len(part), bytes.Count(part, []byte("\n"))); flood != nil {
			return nil, flood
		}
		if line = append(line, part...); len(line) > maxLine {
			return nil, errLong
		}
		switch {
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
