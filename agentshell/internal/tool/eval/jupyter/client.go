// Package jupyter talks to a kernel of Jupyter by its messaging protocol (5.3), over the sockets
// that the kernel has in a folder.
package jupyter

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// These are the numbers of a kernel's sockets in the connection file.
const (
	portShell = iota + 1
	portIOPub
	portStdin
	portControl
	portHeartbeat
)

// maxPathBytes is the number of bytes that the path of a socket may have on every system.
const maxPathBytes = 100

// ErrTooLong is the error for a folder whose path is too long for sockets in it.
var ErrTooLong = errors.New("the path of the folder is too long for a socket")

// Connection describes how to connect to a kernel.
type Connection struct {
	signer
	dir string
}

// Prepare chooses a signing key, and writes the connection file of a kernel into dir, readable only
// by the user. file is its path.
func Prepare(dir string) (c *Connection, file string, err error) {
	c = &Connection{signer: newSigner(), dir: dir}
	if len(c.path(portHeartbeat)) > maxPathBytes {
		return nil, "", ErrTooLong
	}
	text, err := json.Marshal(map[string]any{"transport": "ipc", "ip": filepath.Join(dir, "k"),
		"shell_port": portShell, "iopub_port": portIOPub, "stdin_port": portStdin, "control_port": portControl,
		"hb_port": portHeartbeat, "key": string(c.key), "signature_scheme": "hmac-sha256"})
	if err != nil {
		return nil, "", err
	}
	file = filepath.Join(dir, "connection.json")
	return c, file, os.WriteFile(file, text, 0o600)
}

// path returns the path of the socket with a number.
func (c *Connection) path(port int) string { return filepath.Join(c.dir, fmt.Sprintf("k-%d", port)) }

// Handle handles a message of a kernel. published says that it came over IOPub. It is called from
// two goroutines, for published messages and for replies. An error ends the connection.
type Handle func(m Message, published bool) error

// Client is a connection to a running kernel.
type Client struct {
	*Connection
	shell, iopub, control *socket
	handle                Handle
	fail                  func(error)
	closed                chan struct{} // closed is closed when no more published messages come.

	mu              sync.Mutex
	awaitedGreeting string        // awaitedGreeting is the id of the greeting for which a published message is awaited.
	greeted         chan struct{} // greeted is closed when that message has come.
	controlReplies  map[string]chan struct{}
}

// Connect connects to the sockets of a kernel, and waits until messages that it publishes arrive.
// fail is called when the connection is broken, perhaps several times.
func (c *Connection) Connect(ctx context.Context, handle Handle, fail func(error)) (_ *Client, err error) {
	k := &Client{Connection: c, handle: handle, fail: fail, closed: make(chan struct{}),
		greeted: make(chan struct{}), controlReplies: map[string]chan struct{}{}}
	for _, one := range []struct {
		at   **socket
		port int
		kind string
	}{{&k.shell, portShell, "DEALER"}, {&k.iopub, portIOPub, "SUB"}, {&k.control, portControl, "DEALER"}} {
		if *one.at, err = c.open(one.port, one.kind); err != nil {
			k.Close()
			return nil, fmt.Errorf("its socket %d: %w", one.port, err)
		}
	}
	if err := k.iopub.send([]byte{1}); err != nil { // all topics
		k.Close()
		return nil, err
	}
	go k.readMessages(k.shell, false)
	go k.readMessages(k.control, false)
	go func() {
		defer close(k.closed)
		k.readMessages(k.iopub, true)
	}()
	if err := k.greet(ctx); err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// open connects to one socket. kind is the ZeroMQ type of this end.
func (c *Connection) open(port int, kind string) (*socket, error) {
	conn, err := dialSocket(c.path(port))
	if err != nil {
		return nil, err
	}
	s, err := newSocket(conn, kind)
	if err != nil {
		_ = conn.Close()
	}
	return s, err
}

// greet sends kernel_info_request until a published message about it arrives. A kernel's messages
// are lost until it knows of the subscription.
func (k *Client) greet(ctx context.Context) error {
	for n := 0; ; n++ {
		id := fmt.Sprintf("%s_hello_%d", k.session, n)
		k.mu.Lock()
		k.awaitedGreeting = id
		k.mu.Unlock()
		if err := k.sendRequest(k.shell, id, "kernel_info_request", struct{}{}); err != nil {
			return err
		}
		again := time.NewTimer(200 * time.Millisecond << min(n, 6))
		select {
		case <-k.greeted:
			again.Stop()
			return nil
		case <-k.closed:
			return errors.New("the kernel has closed its sockets")
		case <-ctx.Done():
			return ctx.Err()
		case <-again.C:
		}
	}
}

func (k *Client) sendRequest(s *socket, id, kind string, content any) error {
	parts, err := k.encode(id, kind, content)
	if err != nil {
		return err
	}
	return s.send(parts...)
}

// readMessages handles the messages of a socket until it is closed.
func (k *Client) readMessages(s *socket, published bool) {
	for {
		parts, err := s.receive()
		var m Message
		if err == nil {
			m, err = k.decode(parts)
		}
		if err == nil && !k.handleGreeting(m, published) && !k.handleControlReply(m) {
			err = k.handle(m, published)
		}
		if err != nil {
			k.fail(err)
			return
		}
	}
}

// handleGreeting reports whether a message belongs to the greeting, and handles it.
func (k *Client) handleGreeting(m Message, published bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.awaitedGreeting == "" || m.Parent.ID == "" {
		return false
	}
	if published && m.Parent.ID == k.awaitedGreeting {
		select {
		case <-k.greeted:
		default:
			close(k.greeted)
		}
	}
	return m.Header.Type == "kernel_info_reply" || m.Parent.Type == "kernel_info_request"
}

// handleControlReply reports whether a message answers a request on the control socket, and handles
// it.
func (k *Client) handleControlReply(m Message) bool {
	if m.Parent.Type != interruptRequest {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if done := k.controlReplies[m.Parent.ID]; done != nil && m.Header.Type == "interrupt_reply" {
		close(done)
		delete(k.controlReplies, m.Parent.ID)
	}
	return true
}

// RequestID returns the id of the request that runs code cell number n. The kernel reads the number
// from it.
func (k *Client) RequestID(n int) string { return fmt.Sprintf("%s_%d", k.session, n) }

// Execute has the kernel run code cell number n. Its messages have [Client.RequestID] as the id of
// their parent.
func (k *Client) Execute(n int, code string) error {
	return k.sendRequest(k.shell, k.RequestID(n), "execute_request", map[string]any{"code": code, "silent": false,
		"store_history": true, "user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": false})
}

const interruptRequest = "interrupt_request"

// Interrupt has the kernel interrupt the running code, and waits for the kernel's reply.
func (k *Client) Interrupt(ctx context.Context) error {
	done, id := make(chan struct{}), rand.Text()
	k.mu.Lock()
	k.controlReplies[id] = done
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		delete(k.controlReplies, id)
		k.mu.Unlock()
	}()
	if err := k.sendRequest(k.control, id, interruptRequest, struct{}{}); err != nil {
		return err
	}
	select {
	case <-done:
		// ipykernel 6.17 with tornado 6.2 that waits in a cell (await) only notes the signal, and
		// goes on waiting until the next message comes.
		return k.sendRequest(k.shell, rand.Text(), "kernel_info_request", struct{}{})
	case <-k.closed:
		return errors.New("the kernel has closed its sockets")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes the connection. The kernel continues to run.
func (k *Client) Close() {
	for _, s := range []*socket{k.shell, k.iopub, k.control} {
		if s != nil {
			_ = s.Close()
		}
	}
}
