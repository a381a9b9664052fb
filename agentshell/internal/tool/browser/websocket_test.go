package browser

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// served returns a socket whose server sends bytes and no more, and what gets what the socket
// sends.
func served(t *testing.T, frames string) (s *socket, sent func() []byte) {
	t.Helper()
	here, there := net.Pipe()
	got := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(there)
		got <- data
	}()
	t.Cleanup(func() { _ = here.Close() })
	return &socket{conn: here, in: bufio.NewReader(strings.NewReader(frames))}, func() []byte {
		_ = here.Close()
		return <-got
	}
}

// frame returns a frame of a server with a short body.
func frame(first byte, body string) string { return string([]byte{first, byte(len(body))}) + body }

func TestMessagesOfAWebSocketAreRead(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for _, c := range []struct{ frames, want string }{
		{frame(0x81, "whole"), "whole"},
		{frame(0x81, ""), ""},
		{frame(0x01, "in ") + frame(0x00, "three ") + frame(0x89, "ping") + frame(0x80, "parts"), "in three parts"},
		{frame(0x8a, "pong") + frame(0x81, "x"), "x"},
		{"\x81\x7e\x01\x00" + long[:256], long[:256]},
		{"\x81\x7f\x00\x00\x00\x00\x00\x01\x11\x70" + long, long},
	} {
		s, _ := served(t, c.frames)
		if got, err := s.Receive(); err != nil || string(got) != c.want {
			t.Errorf("%.40q gives %.40q, %v", c.frames, got, err)
		}
	}
	for _, c := range []struct {
		frames string
		want   error
	}{
		{frame(0x88, ""), io.EOF}, {"", io.EOF}, {"\x81", io.ErrUnexpectedEOF}, {"\x81\x05abc", io.ErrUnexpectedEOF},
		{frame(0x82, "bytes"), errBadFrame}, {frame(0x80, "no begin"), errBadFrame},
		{frame(0x01, "a") + frame(0x81, "b"), errBadFrame}, {frame(0xc1, "extension"), errBadFrame},
		{"\x81\x81mask", errBadFrame}, {frame(0x09, "part of a ping"), errBadFrame}, {frame(0x8b, "unknown"),
			errBadFrame},
		{"\x89\x7e\x01\x00" + long[:256], errBadFrame},
		{"\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff", errBadMessage}, {"\x81\x7f\x00\x00\x00\x00\x10\x00\x00\x00",
			errBadMessage},
	} {
		s, _ := served(t, c.frames)
		if got, err := s.Receive(); !errors.Is(err, c.want) {
			t.Errorf("%.40q gives %.40q, %v, want %v", c.frames, got, err, c.want)
		}
	}
}

// What we send is one masked frame, whatever its length.
func TestMessagesOfAWebSocketAreSent(t *testing.T) {
	for n, head := range map[int]string{3: "\x81\x83", 125: "\x81\xfd", 126: "\x81\xfe\x00\x7e",
		0xffff:  "\x81\xfe\xff\xff",
		0x10000: "\x81\xff\x00\x00\x00\x00\x00\x01\x00\x00"} {
		s, sent := served(t, "")
		body := bytes.Repeat([]byte("m"), n)
		if err := s.Send(body); err != nil {
			t.Fatal(err)
		}
		got, found := bytes.CutPrefix(sent(), []byte(head))
		if !found || len(got) != 4+n {
			t.Errorf("%d bytes are sent as %d", n, len(got))
			continue
		}
		for i := range n {
			if got[4+i]^got[i%4] != 'm' {
				t.Errorf("byte %d of %d is another one", i, n)
				break
			}
		}
	}
}

// A server that answers otherwise is no WebSocket.
func TestAServerThatSpeaksNoWebSocketIsRefused(t *testing.T) {
	for _, answer := range []string{"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"junk\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: AAAA\r\n\r\n"} {
		here, there := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, there) }()
		go func() {
			_, _ = io.WriteString(there, answer)
			_ = there.Close()
		}()
		if s, err := newSocket(here, "127.0.0.1:1", "/"); err == nil {
			t.Errorf("%q: %+v", answer, s)
		}
		_ = here.Close()
	}
}
