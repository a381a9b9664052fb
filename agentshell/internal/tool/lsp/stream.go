package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

const maxMessage = 64 << 20 // bytes of one message of a server

// stream carries messages with their lengths in front over the streams of a program. It is the
// library's framing with bounds: that takes 4 GiB for a message, and a header without an end.
type stream struct {
	process *helper.Process
	in      *bufio.Reader
	pace    child.Pace // of messages
}

func newStream(p *helper.Process) *stream {
	return &stream{process: p, in: bufio.NewReaderSize(p.Out, 64<<10), pace: child.Pace{Burst: 20_000, Rate: 5_000}}
}

// WriteObject sends a message.
func (s *stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...)
	if _, err := s.process.In.Write(frame); err != nil {
		s.process.Fail(err)
		return err
	}
	return nil
}

// ReadObject reads a message into v. A message that cannot be read ends the connection, as one that
// has no end would.
func (s *stream) ReadObject(v any) error {
	data, err := helper.ReadFrame(s.in, maxMessage)
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
func (s *stream) Close() error {
	s.process.Fail(helper.ErrEnded)
	return nil
}
