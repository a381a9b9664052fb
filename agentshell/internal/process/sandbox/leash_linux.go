package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// proxyVariables lists the environment variables that tell programs about the proxy. Some programs
// know only one spelling.
var proxyVariables = []string{
	"HTTP_PROXY=http://" + ProxyAddress, "http_proxy=http://" + ProxyAddress,
	"HTTPS_PROXY=http://" + ProxyAddress, "https_proxy=http://" + ProxyAddress,
	"ALL_PROXY=socks5h://" + ProxyAddress, "all_proxy=socks5h://" + ProxyAddress,
	"NO_PROXY=localhost,127.0.0.1,::1", "no_proxy=localhost,127.0.0.1,::1", "NODE_USE_ENV_PROXY=1",
}

// offerListener creates a listener at ProxyAddress and sends it to the shell through the socket
// leash, together with a blank, which JSON ignores. A socket stays in the network namespace in
// which it was created, so that the shell can serve the network of the sandbox.
func offerListener(leash int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("the proxy has no socket: %w", err)
	}
	defer unix.Close(fd)
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Port: 3128, Addr: [4]byte{127, 0, 0, 1}}),
		unix.Listen(fd, unix.SOMAXCONN)); err != nil {
		return fmt.Errorf("the proxy has no address: %w", err)
	}
	if err := unix.Sendmsg(leash, []byte(" "), unix.UnixRights(fd), nil, 0); err != nil {
		return fmt.Errorf("the proxy cannot be offered: %w", err)
	}
	return nil
}

// leashReader reads, in the shell, what the first process of a sandbox sends: a listener for the
// proxy, and how the command ended.
type leashReader struct {
	done     chan struct{}
	received []byte
	proxy    func(net.Listener)

	mu       sync.Mutex
	ended    bool
	listener net.Listener
	serving  sync.WaitGroup
}

// maxReceived is the largest number of bytes that the shell reads from the first process of a
// sandbox.
const maxReceived = 1 << 16

// newLeashReader starts to read from the socket leash, until it ends. proxy serves the listener
// that is received.
func newLeashReader(leash *os.File, proxy func(net.Listener)) *leashReader {
	e := &leashReader{done: make(chan struct{}), proxy: proxy}
	go func() {
		defer close(e.done)
		raw, err := leash.SyscallConn()
		for err == nil && len(e.received) < maxReceived {
			var n int
			text, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4))
			wait := raw.Read(func(fd uintptr) bool {
				m, again := 0, true
				for again {
					n, m, _, _, err = unix.Recvmsg(int(fd), text, rights, unix.MSG_CMSG_CLOEXEC)
					again = err == unix.EINTR
				}
				if err == nil {
					rights = rights[:m]
				}
				return err != unix.EAGAIN
			})
			if err = errors.Join(wait, err); err != nil || n <= 0 {
				return
			}
			e.received = append(e.received, text[:n]...)
			e.acceptListener(rights)
		}
	}()
	return e
}

// acceptListener serves the listener that came with a message, if there is one. rights is the
// message's control data.
func (r *leashReader) acceptListener(rights []byte) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return
	}
	for _, m := range messages {
		fds, _ := unix.ParseUnixRights(&m)
		for _, fd := range fds {
			f := os.NewFile(uintptr(fd), "proxy")
			l, err := net.FileListener(f)
			_ = f.Close()
			if err != nil {
				continue
			}
			r.serve(l)
		}
	}
}

func (r *leashReader) serve(l net.Listener) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.listener != nil || r.proxy == nil {
		_ = l.Close()
		return
	}
	r.listener = l
	r.serving.Go(func() { r.proxy(l) })
}

// finish waits until the socket has ended or its deadline has passed, stops the proxy, and returns
// the bytes that were received.
func (r *leashReader) finish() []byte {
	<-r.done
	r.mu.Lock()
	r.ended = true
	if r.listener != nil {
		_ = r.listener.Close()
	}
	r.mu.Unlock()
	r.serving.Wait()
	return r.received
}
