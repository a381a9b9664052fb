package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// proxyAddress is where a command finds its proxy. Each cell has a network of its own, so that it
// is free in each.
const proxyAddress = "127.0.0.1:3128"

// proxied are the variables by which programs find a proxy. Some know one spelling only.
var proxied = []string{
	"HTTP_PROXY=http://" + proxyAddress, "http_proxy=http://" + proxyAddress,
	"HTTPS_PROXY=http://" + proxyAddress, "https_proxy=http://" + proxyAddress,
	"ALL_PROXY=socks5h://" + proxyAddress, "all_proxy=socks5h://" + proxyAddress,
	"NO_PROXY=localhost,127.0.0.1,::1", "no_proxy=localhost,127.0.0.1,::1", "NODE_USE_ENV_PROXY=1",
}

// offer gives the shell a listener in the network of this process: a socket keeps the network in
// which it was made. The byte that comes with it is one that JSON passes over.
func offer(leash int) error {
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

// ear hears what an inner stage says: a listener for the proxy, and its last word.
type ear struct {
	done  chan struct{}
	word  []byte
	proxy func(net.Listener)

	mu       sync.Mutex
	ended    bool
	listener net.Listener
	serving  sync.WaitGroup
}

// maxWord is how long a last word may be.
const maxWord = 1 << 16

// newEar hears what comes by a leash until it ends.
func newEar(leash *os.File, proxy func(net.Listener)) *ear {
	e := &ear{done: make(chan struct{}), proxy: proxy}
	go func() {
		defer close(e.done)
		raw, err := leash.SyscallConn()
		for err == nil && len(e.word) < maxWord {
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
			e.word = append(e.word, text[:n]...)
			e.take(rights)
		}
	}()
	return e
}

// take serves the listener that came with a message, if one did.
func (e *ear) take(rights []byte) {
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
			e.serve(l)
		}
	}
}

func (e *ear) serve(l net.Listener) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended || e.listener != nil || e.proxy == nil {
		_ = l.Close()
		return
	}
	e.listener = l
	e.serving.Go(func() { e.proxy(l) })
}

// end gives the last word, when the leash has ended or its deadline is over. The proxy serves no
// more then.
func (e *ear) end() []byte {
	<-e.done
	e.mu.Lock()
	e.ended = true
	if e.listener != nil {
		_ = e.listener.Close()
	}
	e.mu.Unlock()
	e.serving.Wait()
	return e.word
}
