package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// fakeKernel is the other end of a connection: what a kernel has in its folder.
type fakeKernel struct {
	*testing.T
	*Connection
	listeners map[int]net.Listener

	mu      sync.Mutex
	sockets map[int]*socket
}

// newFakeKernel listens as a kernel does. Each connection is greeted.
func newFakeKernel(t *testing.T) *fakeKernel {
	t.Helper()
	dir, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c, file, err := Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	k := &fakeKernel{T: t, Connection: c, listeners: map[int]net.Listener{}, sockets: map[int]*socket{}}
	for _, port := range []int{portShell, portIOPub, portControl} {
		l, err := net.Listen("unix", c.path(port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		k.listeners[port] = l
	}
	return k
}

// serve accepts one connection to each socket, and gives answer what comes on it.
func (k *fakeKernel) serve(answer func(port int, m Message)) {
	for port, l := range k.listeners {
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			kind := "ROUTER"
			if port == portIOPub {
				kind = "PUB"
			}
			s, err := newSocket(conn, kind)
			if err != nil {
				return
			}
			k.Cleanup(func() { s.Close() })
			k.mu.Lock()
			k.sockets[port] = s
			k.mu.Unlock()
			for {
				parts, err := s.receive()
				if err != nil {
					return
				}
				if m, err := k.decode(parts); err == nil {
					answer(port, m)
				}
			}
		}()
	}
}

// socket returns a socket once it is connected.
func (k *fakeKernel) socket(port int) *socket {
	for {
		k.mu.Lock()
		s := k.sockets[port]
		k.mu.Unlock()
		if s != nil {
			return s
		}
		runtime.Gosched()
	}
}

// tell sends a message that belongs to another one.
func (k *fakeKernel) tell(port int, parent Message, kind string, content any) {
	err := k.socket(port).send(k.message(parent, kind, content)...)
	gone := errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
	if err != nil && !gone { // the client may have what it wants, and be gone
		k.Error(err)
	}
}

// message returns the parts of a message.
func (k *fakeKernel) message(parent Message, kind string, content any) [][]byte {
	parts, err := k.encode("m", kind, content)
	if err != nil {
		k.Fatal(err)
	}
	if parts[3], err = json.Marshal(parent.Header); err != nil {
		k.Fatal(err)
	}
	parts[1] = k.sign(parts[2:])
	return append([][]byte{[]byte("kernel.x")}, parts...)
}

// behave answers as a kernel does that runs nothing.
func (k *fakeKernel) behave(port int, m Message) {
	switch m.Header.Type {
	case "kernel_info_request":
		k.tell(portShell, m, "kernel_info_reply", map[string]any{})
		k.tell(portIOPub, m, "status", map[string]any{"execution_state": "idle"})
	case "interrupt_request":
		k.tell(portControl, m, "interrupt_reply", map[string]any{})
	case "execute_request":
		k.tell(portIOPub, m, "execute_result", map[string]any{"data": map[string]any{"text/plain": "1"}})
		k.tell(portShell, m, "execute_reply", map[string]any{"status": "ok"})
	}
}

// event is what a client handed on.
type event struct {
	message   Message
	published bool
}

// connect connects to the kernel.
func (k *fakeKernel) connect() (c *Client, events chan event, failed chan error, err error) {
	events, failed = make(chan event, 100), make(chan error, 100)
	c, err = k.Connect(k.Context(), func(m Message, published bool) error {
		events <- event{m, published}
		return nil
	}, func(err error) { failed <- err })
	if err == nil {
		k.Cleanup(c.Close)
	}
	return c, events, failed, err
}

func TestAClientTalksToAKernel(t *testing.T) {
	k := newFakeKernel(t)
	asked := 0
	k.serve(func(port int, m Message) {
		if m.Header.Type == "kernel_info_request" {
			if asked++; asked == 1 { // the kernel does not know of the subscription yet
				k.tell(portShell, m, "kernel_info_reply", map[string]any{})
				return
			}
		}
		k.behave(port, m)
	})
	c, events, _, err := k.connect()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Execute(7, "1"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		e := <-events
		if e.message.Parent.ID != c.RequestID(7) || !strings.HasSuffix(c.RequestID(7), "_7") ||
			e.published != (e.message.Header.Type == "execute_result") || e.message.Size == 0 {
			t.Errorf("%+v", e)
		}
	}
	if err := c.Interrupt(t.Context()); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	k.sockets[portControl].Close()
	if err := c.Interrupt(ended); err == nil {
		t.Error("nobody has heard of the interrupt")
	}
	if len(events) > 0 {
		t.Errorf("of a greeting or an interrupt: %+v", <-events)
	}
}

// What is no message, or bears another signature, ends the connection, and takes little memory.
func TestWhatIsNoMessageOfTheKernelEndsTheConnection(t *testing.T) {
	good := func(k *fakeKernel) [][]byte { return k.message(Message{}, "stream", map[string]any{"text": "x"}) }
	bytesOf := func(parts [][]byte) (data []byte) {
		for i, p := range parts {
			flags := byte(flagMore)
			if i == len(parts)-1 {
				flags = 0
			}
			data = append(data, encodeFrame(flags, p)...)
		}
		return data
	}
	for name, c := range map[string]struct {
		data func(k *fakeKernel) []byte
		want error
	}{
		"a good message": {func(k *fakeKernel) []byte { return bytesOf(good(k)) }, nil},
		"a command before a message": {func(k *fakeKernel) []byte {
			return append(encodeFrame(flagCommand, []byte("\x04PING")), bytesOf(good(k))...)
		}, nil},
		"a message with buffers": {func(k *fakeKernel) []byte {
			return bytesOf(append(good(k), bytes.Repeat([]byte("b"), 300)))
		}, nil},
		"another signature": {func(k *fakeKernel) []byte {
			parts := good(k)
			parts[2] = []byte(strings.Repeat("0", 64))
			return bytesOf(parts)
		}, errBadMessage},
		"another content": {func(k *fakeKernel) []byte {
			parts := good(k)
			parts[6] = []byte(`{"text":"y"}`)
			return bytesOf(parts)
		}, errBadMessage},
		"no signature": {func(k *fakeKernel) []byte {
			parts := good(k)
			parts[2] = nil
			return bytesOf(parts)
		}, errBadMessage},
		"no delimiter":   {func(k *fakeKernel) []byte { return bytesOf(good(k)[2:]) }, errBadMessage},
		"half a message": {func(k *fakeKernel) []byte { return bytesOf(good(k)[:4]) }, errBadMessage},
		"no JSON": {func(k *fakeKernel) []byte {
			parts := good(k)
			parts[6] = []byte("{")
			parts[2] = k.sign(parts[3:])
			return bytesOf(parts)
		}, errBadMessage},
		"a frame that is said to be huge": {func(*fakeKernel) []byte {
			return []byte{flagLong, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
		}, errBadMessage},
		"a frame larger than a message": {func(*fakeKernel) []byte { return []byte{flagLong, 0, 0, 0, 0, 2, 0, 0, 0} },
			errBadMessage},
		"many frames": {func(*fakeKernel) []byte { return bytes.Repeat(encodeFrame(flagMore, nil), maxFrames+1) },
			errBadMessage},
		"flags that do not exist": {func(*fakeKernel) []byte { return encodeFrame(8, nil) }, errBadMessage},
		"a command within a message": {func(*fakeKernel) []byte {
			return append(encodeFrame(flagMore, nil), encodeFrame(flagCommand, nil)...)
		}, errBadMessage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFakeKernel(t)
			k.serve(k.behave)
			_, events, failed, err := k.connect()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.socket(portIOPub).Write(c.data(k)); err != nil {
				t.Fatal(err)
			}
			select {
			case e := <-events:
				if c.want != nil || string(e.message.Content) != `{"text":"x"}` {
					t.Errorf("%+v", e)
				}
			case err := <-failed:
				if !errors.Is(err, errBadMessage) || c.want == nil {
					t.Errorf("%v, want %v", err, c.want)
				}
			}
		})
	}
}

// A socket that greets otherwise is none of a kernel. Half a greeting ends with the connection.
func TestASocketMustGreet(t *testing.T) {
	greeting := append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0}, "NULL"...)
	greeting = append(greeting, make([]byte, 48)...)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"well":    {append(greeting[:64:64], encodeFrame(flagCommand, []byte("\x05READY"))...), ""},
		"half":    {greeting[:20], "EOF"},
		"nothing": {nil, "EOF"},
		"another": {bytes.Repeat([]byte("HTTP"), 20), "no message"},
		"another way in": {append(bytes.Replace(greeting, []byte("NULL"), []byte("PLAIN"), 1)[:64], 0, 0),
			"no message"},
		"an error":       {append(greeting[:64:64], encodeFrame(flagCommand, []byte("\x05ERROR\x02no"))...), "refuses"},
		"a long command": {append(greeting[:64:64], flagCommand|flagLong, 0, 0, 0, 0, 0, 1, 0, 0), "no message"},
	} {
		ours, theirs := net.Pipe()
		go func() {
			go func() { _, _ = bytes.NewBuffer(nil).ReadFrom(theirs) }()
			_, _ = theirs.Write(c.data)
			_ = theirs.Close()
		}()
		_, err := newSocket(ours, "SUB")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		_ = ours.Close()
	}
}

// Nothing but a socket in its own folder is connected to.
func TestNoLinkLeadsToAnotherSocket(t *testing.T) {
	k := newFakeKernel(t)
	other := filepath.Join(k.dir, "other")
	l, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			t.Error("the link was followed")
			_ = c.Close()
		}
	}()
	for _, put := range []func(path string) error{
		func(path string) error { return os.Symlink(other, path) },
		func(path string) error { return os.WriteFile(path, nil, 0o600) },
		func(path string) error { return os.Mkdir(path, 0o700) },
		func(string) error { return nil },
	} {
		path := k.path(portShell)
		_ = k.listeners[portShell].Close()
		_ = os.Remove(path)
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := k.connect(); err == nil || !strings.HasPrefix(err.Error(), "its socket 1: ") {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := Prepare(filepath.Join(k.dir, strings.Repeat("x", 100))); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
}

// A kernel that publishes nothing is waited for as long as its start may take, and one that goes is
// noticed at once.
func TestAKernelThatPublishesNothingIsNotReady(t *testing.T) {
	k := newFakeKernel(t)
	k.serve(func(port int, m Message) {
		if port == portShell {
			k.tell(portShell, m, "kernel_info_reply", map[string]any{})
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	handle := func(Message, bool) error { return fmt.Errorf("nothing is handed on") }
	if _, err := k.Connect(ctx, handle, func(error) {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	k = newFakeKernel(t)
	k.serve(func(port int, m Message) { k.socket(portIOPub).Close() })
	if _, _, _, err := k.connect(); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
