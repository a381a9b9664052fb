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

// socket is the link to an application: a WebSocket client (RFC 6455) for text messages, without
// compression. So little is needed that it uses no library.
type socket struct {
	conn net.Conn
	in   *bufio.Reader

	mu sync.Mutex // mu is held while a frame is written.
}

// These constants are the opcodes of WebSocket frames.
const (
	frameContinues = 0
	frameText      = 1
	frameClose     = 8
	framePing      = 9
	framePong      = 10
)

// maxControlBytes is the number of bytes that the body of a control frame may have (RFC 6455,
// section 5.5).
const maxControlBytes = 125

// acceptKey is the fixed string that a server appends to the client's key before it hashes it (RFC
// 6455, section 1.3).
const acceptKey = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// maxAnswerBytes is the number of bytes of an application's HTTP answers: the head of the
// handshake, and /json/version.
const maxAnswerBytes = 64 << 10

// newSocket performs the WebSocket handshake on a connection.
func newSocket(conn net.Conn, host, path string) (*socket, error) {
	key := base64.StdEncoding.EncodeToString(randomBytes(16))
	// No Origin is sent: a browser takes one from pages that it was told of, and we are none.
	_, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n", path, host, key)
	if err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: conn, N: maxAnswerBytes}
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

// randomBytes returns n random bytes.
func randomBytes(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.Read(data) // it never fails
	return data
}

// sendTimeout is how long one write may take before the connection counts as broken.
const sendTimeout = 30 * time.Second

// Send implements link.
func (s *socket) Send(message []byte) error { return s.write(frameText, message) }

// write writes one complete frame. Clients must mask the body.
func (s *socket) write(operation byte, body []byte) error {
	frame := []byte{0x80 | operation}
	switch n := len(body); {
	case n <= maxControlBytes:
		frame = append(frame, 0x80|byte(n))
	case n <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	mask := randomBytes(4)
	frame = append(frame, mask...)
	at := len(frame)
	frame = append(frame, body...)
	for i := range body {
		frame[at+i] ^= mask[i%4]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.conn.SetWriteDeadline(time.Now().Add(sendTimeout))
	_, err := s.conn.Write(frame)
	return err
}

// errBadFrame is the error for a frame that breaks the WebSocket protocol.
var errBadFrame = fmt.Errorf("%w (a frame that is none)", errBadMessage)

// Receive implements link.
func (s *socket) Receive() ([]byte, error) {
	var message []byte
	for begun := false; ; {
		last, operation, n, err := s.readHead()
		if err != nil {
			return nil, err
		}
		if operation >= frameClose {
			if err := s.handleControl(operation, last, n); err != nil {
				return nil, err
			}
			continue
		}
		// A message begins with a text, and what follows continues it.
		if begun != (operation == frameContinues) || operation > frameText {
			return nil, errBadFrame
		}
		if begun = true; n > uint64(maxMessageBytes-len(message)) {
			return nil, errBadMessage
		}
		if message, err = appendFrom(message, s.in, int(n)); err != nil {
			return nil, err
		}
		if last {
			return message, nil
		}
	}
}

// appendFrom reads n bytes from in and appends them to data. It allocates memory only as the bytes
// come, whatever n the other side has announced.
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

// readHead reads the head of a frame. last says that it is the last frame of its message, and n is
// the length of its body.
func (s *socket) readHead() (last bool, operation byte, n uint64, err error) {
	var head [8]byte
	if _, err := io.ReadFull(s.in, head[:2]); err != nil {
		return false, 0, 0, err
	}
	last, operation, n = head[0]&0x80 != 0, head[0]&0x0f, uint64(head[1]&0x7f)
	if head[0]&0x70 != 0 || head[1]&0x80 != 0 { // an extension, or a mask, which only clients use
		return false, 0, 0, errBadFrame
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

// handleControl reads and handles a control frame: close, ping or pong. It returns io.EOF for
// close.
func (s *socket) handleControl(operation byte, last bool, n uint64) error {
	if !last || n > maxControlBytes {
		return errBadFrame
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
	return errBadFrame
}

// Close sends a close frame and closes the connection.
func (s *socket) Close() error {
	return errors.Join(s.write(frameClose, nil), s.conn.Close())
}
