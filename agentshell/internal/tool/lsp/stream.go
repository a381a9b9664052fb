package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

const (
	maxMessage = 64 << 20 // bytes of one message of a server
	maxHeader  = 4 << 10
)

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
	data, err := s.readFrame()
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

// readFrame reads the bytes of a message.
func (s *stream) readFrame() ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := s.in.ReadSlice('\n')
		if read += len(line); read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return nil, errors.New("it sent what is no message: its header has no end")
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, fmt.Errorf("it sent what is no message: %q", bounded(text, 80))
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, fmt.Errorf("it sent a message of length %q", bounded(value, 40))
			}
		}
	}
	switch {
	case length < 0:
		return nil, errors.New("it sent what is no message: its header names no length")
	case length > maxMessage:
		return nil, fmt.Errorf("it sent a message of more than %d MiB", maxMessage>>20)
	}
	// Read as it comes: a length alone must not take memory.
	data, err := io.ReadAll(io.LimitReader(s.in, int64(length)))
	if err == nil && len(data) < length {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

// Close closes the streams of the program.
func (s *stream) Close() error {
	s.process.Fail(helper.ErrEnded)
	return nil
}
