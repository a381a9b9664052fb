package proxy

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// The protocol numbers of RFC 1928.
const (
	socksVersion     = 5
	noAuthentication = 0 // method "no authentication required"
	// answer "no acceptable methods"
	noMethod       = 0xff
	connectCommand = 1
	byIPv4         = 1
	byName         = 3
	byIPv6         = 4
)

// The reply codes of RFC 1928.
const (
	socksDone       = 0
	socksForbidden  = 2 // the rules do not allow the connection
	socksUnreached  = 4 // the host cannot be reached
	socksNoCommand  = 7
	socksNoAddress  = 8
	socksNoAnything = 1
)

var errSocks = errors.New("it does not speak SOCKS 5")

// socks serves one connection with SOCKS 5: it connects the program with the host that its request
// names.
func (p *Proxy) socks(ctx context.Context, c net.Conn) {
	h, code, err := readRequest(c)
	if err != nil {
		if code != 0 {
			writeSocksReply(c, code)
		}
		return
	}
	_ = c.SetDeadline(time.Now().Add(2 * patience))
	there, err := p.dial(ctx, h)
	if err != nil {
		code := byte(socksUnreached)
		if errors.As(err, new(Refusal)) {
			code = socksForbidden
		}
		writeSocksReply(c, code)
		return
	}
	defer there.Close()
	if writeSocksReply(c, socksDone) != nil {
		return
	}
	relay(ctx, c, there)
}

// readRequest reads the SOCKS request of a program, and returns the host that it names. If the
// request cannot be served, it returns an error and the code to reply; with code 0 no reply is
// sent.
func readRequest(c net.Conn) (h Host, code byte, err error) {
	var head [4]byte
	if _, err := io.ReadFull(c, head[:2]); err != nil {
		return h, 0, err
	}
	ways := make([]byte, head[1])
	if _, err := io.ReadFull(c, ways); err != nil {
		return h, 0, err
	}
	way := byte(noMethod)
	for _, w := range ways {
		if w == noAuthentication {
			way = noAuthentication
		}
	}
	if _, err := c.Write([]byte{socksVersion, way}); err != nil || way == noMethod {
		return h, 0, errSocks
	}
	if _, err := io.ReadFull(c, head[:]); err != nil || head[0] != socksVersion {
		return h, 0, errSocks
	}
	size := map[byte]int{byIPv4: 4, byIPv6: 16}[head[3]]
	if head[3] == byName {
		var n [1]byte
		if _, err := io.ReadFull(c, n[:]); err != nil {
			return h, 0, err
		}
		size = int(n[0])
	}
	if size == 0 {
		return h, socksNoAddress, errSocks
	}
	target := make([]byte, size+2)
	if _, err := io.ReadFull(c, target); err != nil {
		return h, 0, err
	}
	if head[1] != connectCommand {
		return h, socksNoCommand, errSocks
	}
	name, port := string(target[:size]), binary.BigEndian.Uint16(target[size:])
	if head[3] != byName {
		a, _ := netip.AddrFromSlice(target[:size])
		name = a.Unmap().String()
	}
	if h, err = ParseHost(net.JoinHostPort(name, strconv.Itoa(int(port)))); err != nil {
		return h, socksNoAnything, err
	}
	return h, 0, nil
}

// writeSocksReply sends a SOCKS reply with the given code. The address in it is all zero, because
// no client uses it.
func writeSocksReply(c net.Conn, code byte) error {
	_, err := c.Write([]byte{socksVersion, code, 0, byIPv4, 0, 0, 0, 0, 0, 0})
	return err
}
