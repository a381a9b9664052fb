package helper

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Stream sends and receives JSON messages with Content-Length headers over a program's standard
// input and output. It replaces the framing of the JSON-RPC library, which would accept messages of
// 4 GiB and endless headers.
type Stream struct {
	process    *Process
	in         *bufio.Reader
	maxMessage int
	pace       child.Pace // limits the rate of messages
}

// NewStream returns a stream for the program p. A received message may have at most maxMessage
// bytes. pace limits the number of messages per second.
func NewStream(p *Process, maxMessage int, pace child.Pace) *Stream {
	return &Stream{process: p, in: bufio.NewReaderSize(p.Out, 64<<10), maxMessage: maxMessage, pace: pace}
}

// WriteObject sends v, encoded as JSON, as one message.
func (s *Stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.WriteMessage(data)
}

// WriteMessage sends data, which is JSON already, as one message.
func (s *Stream) WriteMessage(data []byte) error {
	frame := append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...)
	if _, err := s.process.In.Write(frame); err != nil {
		s.process.Fail(err)
		return err
	}
	return nil
}

// ReadObject reads one message and decodes it into v. After a message that cannot be read the
// connection ends.
func (s *Stream) ReadObject(v any) error {
	data, err := ReadFrame(s.in, s.maxMessage)
	if err == nil {
		s.pace.Spend(1)
		if err = json.Unmarshal(data, v); err != nil {
			err = fmt.Errorf("it sent what is no message: %w", err)
		}
	}
	if err != nil {
		s.process.Fail(err)
	}
	return err
}

// Close closes the program's standard input and output.
func (s *Stream) Close() error {
	s.process.Fail(ErrEnded)
	return nil
}
