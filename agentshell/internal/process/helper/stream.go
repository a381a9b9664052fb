package helper

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Stream carries JSON messages with their lengths in front over the streams of a program. It is the
// framing of a library with bounds: that takes 4 GiB for a message, and a header without an end.
type Stream struct {
	process    *Process
	in         *bufio.Reader
	maxMessage int
	pace       child.Pace // of messages
}

// NewStream returns the stream of a program whose messages have at most maxMessage bytes, and are
// read at a pace.
func NewStream(p *Process, maxMessage int, pace child.Pace) *Stream {
	return &Stream{process: p, in: bufio.NewReaderSize(p.Out, 64<<10), maxMessage: maxMessage, pace: pace}
}

// WriteObject sends a message.
func (s *Stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.WriteMessage(data)
}

// WriteMessage sends a message that is JSON already.
func (s *Stream) WriteMessage(data []byte) error {
	frame := append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...)
	if _, err := s.process.In.Write(frame); err != nil {
		s.process.Fail(err)
		return err
	}
	return nil
}

// ReadObject reads a message into v. A message that cannot be read ends the connection, as one that
// has no end would.
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

// Close closes the streams of the program.
func (s *Stream) Close() error {
	s.process.Fail(ErrEnded)
	return nil
}
