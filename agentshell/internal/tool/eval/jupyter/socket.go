package jupyter

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// These constants limit what a kernel may send. Code in the kernel can write to its sockets, so
// memory for a frame is allocated only as its bytes arrive.
const (
	maxMessageBytes = 24 << 20 // maxMessageBytes is the number of bytes of one message, which may be a picture.
	maxFrames       = 64
	// longFrameBytes is the number of bytes of a frame after which memory for its announced length
	// is allocated.
	longFrameBytes = 1 << 20
)

const (
	greetTimeout = 20 * time.Second // greetTimeout is how long the other end may take for the greeting.
	writeTimeout = 30 * time.Second // writeTimeout is how long a write may take.
)

// errBadMessage is why a socket is closed that sends something else than messages.
var errBadMessage = errors.New("the kernel sent what is no message")

// These are the bits in the first byte of a frame.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// socket is a connection to one socket of a kernel, in ZMTP 3.0 (ZeroMQ) with the mechanism NULL.
// The library zmq4 is not used, because it allocates as much memory as the header of a frame
// announces: nine bytes of a kernel could end this program.
type socket struct {
	net.Conn
	in          *bufio.Reader
	messagePace child.Pace

	writeMu sync.Mutex // writeMu is held while a message is written.
}

// newSocket exchanges greetings on a new connection. kind is the ZeroMQ type of this end, such as
// DEALER.
func newSocket(c net.Conn, kind string) (*socket, error) {
	s := &socket{Conn: c, in: bufio.NewReaderSize(c, 64<<10)}
	_ = c.SetDeadline(time.Now().Add(greetTimeout))
	defer func() { _ = c.SetDeadline(time.Time{}) }()
	greeting := make([]byte, 64)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	ready := append([]byte("\x05READY\x0bSocket-Type"), 0, 0, 0, byte(len(kind)))
	ready = append(ready, kind...)
	if _, err := c.Write(append(greeting, encodeFrame(flagCommand, ready)...)); err != nil {
		return nil, err
	}
	theirs := make([]byte, 64)
	if _, err := io.ReadFull(s.in, theirs); err != nil {
		return nil, err
	}
	if theirs[0] != 0xff || theirs[9]&1 != 1 || theirs[10] < 3 || !bytes.Equal(theirs[12:32], greeting[12:32]) {
		return nil, errBadMessage
	}
	flags, command, err := s.readFrame(nil)
	if err == nil && (flags&flagCommand == 0 || !bytes.HasPrefix(command, []byte("\x05READY"))) {
		err = fmt.Errorf("it refuses the connection: %q", command[:min(len(command), 100)])
	}
	return s, err
}

// encodeFrame returns an encoded frame.
func encodeFrame(flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append([]byte{flags, byte(len(body))}, body...)
	}
	return append(binary.BigEndian.AppendUint64([]byte{flags | flagLong}, uint64(len(body))), body...)
}

// send sends a message. It fails if the kernel does not read for half a minute.
func (s *socket) send(parts ...[]byte) error {
	var data []byte
	for i, p := range parts {
		flags := byte(flagMore)
		if i == len(parts)-1 {
			flags = 0
		}
		data = append(data, encodeFrame(flags, p)...)
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_ = s.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := s.Write(data)
	return err
}

// receive returns the parts of the next message. It limits the rate of messages.
func (s *socket) receive() (parts [][]byte, err error) {
	left := maxMessageBytes
	for {
		flags, body, err := s.readFrame(&left)
		s.messagePace.Spend(len(body) + 1)
		if err != nil {
			return nil, err
		}
		if flags&flagCommand != 0 { // none of them is for us
			if len(parts) > 0 {
				return nil, errBadMessage
			}
			continue
		}
		if parts = append(parts, body); len(parts) > maxFrames {
			return nil, errBadMessage
		}
		if flags&flagMore == 0 {
			return parts, nil
		}
	}
}

// readFrame reads one frame of at most *left bytes, and subtracts its length from *left.
func (s *socket) readFrame(left *int) (flags byte, body []byte, err error) {
	if flags, err = s.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	head := make([]byte, 8)
	at := head[7:]
	if flags&flagLong != 0 {
		at = head
	}
	if _, err := io.ReadFull(s.in, at); err != nil {
		return 0, nil, err
	}
	bound := 4 << 10
	if left == nil {
		left = &bound
	}
	size := binary.BigEndian.Uint64(head)
	if flags&^(flagMore|flagLong|flagCommand) != 0 || size > uint64(*left) {
		return 0, nil, errBadMessage
	}
	*left -= int(size)
	var b bytes.Buffer // it grows as bytes come
	first := min(int64(size), longFrameBytes)
	if _, err := io.CopyN(&b, s.in, first); err != nil {
		return 0, nil, err
	}
	b.Grow(int(int64(size) - first)) // a buffer that grows by itself leaves as much behind
	if _, err := io.CopyN(&b, s.in, int64(size)-first); err != nil {
		return 0, nil, err
	}
	return flags, b.Bytes(), nil
}
