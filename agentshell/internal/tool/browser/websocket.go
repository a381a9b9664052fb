package browser

import (
	"bufio"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"time"
)

// socket is the link to an application: a WebSocket (RFC 6455) on which we are the client. A
// library would be more than is needed: text messages, without compression, of one server.
type socket struct {
	conn net.Conn
	in   *bufio.Reader

	mu sync.Mutex // held by a write of a frame
}

// The operations of frames.
const (
	frameContinues = 0
	frameText      = 1
	frameClose     = 8
	framePing      = 9
	framePong      = 10
)

// maxControl is the number of bytes that the body of a control frame may have.
const maxControl = 125

// acceptKey is what a server appends to the key of a client.
const acceptKey = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// maxAnswer is the number of bytes of an answer that is no message: a head, or what an application
// says of itself.
const maxAnswer = 64 << 10

// newSocket turns a connection into a WebSocket for a path of its server.
func newSocket(conn net.Conn, host, path string) (*socket, error) {
	key := base64.StdEncoding.EncodeToString(random(16))
	// No Origin is sent: a browser takes one from pages that it was told of, and we are none.
	_, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n", path, host, key)
	if err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: conn, N: maxAnswer}
	in := bufio.NewReaderSize(limited, 64<<10)
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum([]byte(key + acceptKey))
	if answer.StatusCode != http.StatusSwitchingProtocols ||
		answer.Header.Get("Sec-WebSocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("it does not speak WebSocket there (%d)", answer.StatusCode)
	}
	limited.N = math.MaxInt64
	return &socket{conn: conn, in: in}, nil
}

// random returns n random bytes.
func random(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.Read(data) // it never fails
	return data
}

// sendTime is how long an application may take nothing of what it is sent.
const sendTime = 30 * time.Second

// Send implements link.
func (s *socket) Send(message []byte) error { return s.write(frameText, message) }

// write writes one whole frame. What a client sends is masked.
func (s *socket) write(operation byte, body []byte) error {
	frame := []byte{0x80 | operation}
	switch n := len(body); {
	case n <= maxControl:
		frame = append(frame, 0x80|byte(n))
	case n <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	mask := random(4)
	frame = append(frame, mask...)
	at := len(frame)
	frame = append(frame, body...)
	for i := range body {
		frame[at+i] ^= mask[i%4]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.conn.SetWriteDeadline(time.Now().Add(sendTime))
	_, err := s.conn.Write(frame)
	return err
}

// errFrame is the error of a server that does not keep to the protocol.
var errFrame = fmt.Errorf("%w (a frame that is none)", errGarbage)

// Receive implements link.
func (s *socket) Receive() ([]byte, error) {
	var message []byte
	for begun := false; ; {
		last, operation, n, err := s.head()
		if err != nil {
			return nil, err
		}
		if operation >= frameClose {
			if err := s.control(operation, last, n); err != nil {
				return nil, err
			}
			continue
		}
		// A message begins with a text, and what follows continues it.
		if begun != (operation == frameContinues) || operation > frameText {
			return nil, errFrame
		}
		if begun = true; n > uint64(maxMessage-len(message)) {
			return nil, errGarbage
		}
		if message, err = appendFrom(message, s.in, int(n)); err != nil {
			return nil, err
		}
		if last {
			return message, nil
		}
	}
}

// appendFrom appends n bytes that are read. Memory is taken as they come.
func appendFrom(data []byte, in io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	for n > 0 {
		size := min(n, step)
		at := len(data)
		data = append(data, make([]byte, size)...)
		if _, err := io.ReadFull(in, data[at:]); err != nil {
			return nil, err
		}
		n -= size
	}
	return data, nil
}

// head reads the head of a frame.
func (s *socket) head() (last bool, operation byte, n uint64, err error) {
	var head [8]byte
	if _, err := io.ReadFull(s.in, head[:2]); err != nil {
		return false, 0, 0, err
	}
	last, operation, n = head[0]&0x80 != 0, head[0]&0x0f, uint64(head[1]&0x7f)
	if head[0]&0x70 != 0 || head[1]&0x80 != 0 { // an extension, or a mask, which only clients use
		return false, 0, 0, errFrame
	}
	switch n {
	case 126:
		_, err = io.ReadFull(s.in, head[:2])
		n = uint64(binary.BigEndian.Uint16(head[:2]))
	case 127:
		_, err = io.ReadFull(s.in, head[:8])
		n = binary.BigEndian.Uint64(head[:8])
	}
	return last, operation, n, err
}

// control takes a frame that is no part of a message.
func (s *socket) control(operation byte, last bool, n uint64) error {
	if !last || n > maxControl {
		return errFrame
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return err
	}
	switch operation {
	case frameClose:
		return io.EOF
	case framePing:
		return s.write(framePong, body)
	case framePong:
		return nil
	}
	return errFrame
}

// Close says goodbye and closes the connection.
func (s *socket) Close() error {
	return errors.Join(s.write(frameClose, nil), s.conn.Close())
}
