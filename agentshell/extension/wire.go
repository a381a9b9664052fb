package extension

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readMessage reads one message: a header with its length, and JSON.
func readMessage(r *bufio.Reader) (m message, err error) {
	size := -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return m, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" {
			break
		}
		name, value, _ := strings.Cut(text, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 || size > maxRead {
				return m, fmt.Errorf("a message has the length %q", value)
			}
		}
	}
	if size < 0 {
		return m, errors.New("a message has no Content-Length")
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("a message cannot be read: %w", err)
	}
	return m, nil
}

// write sends a message to the shell. It returns an error if the message is larger than the shell
// accepts.
func (s *server) write(m message) error {
	m.Version = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(data) > maxMessage {
		return fmt.Errorf("the message has %d bytes; the shell takes %d", len(data), maxMessage)
	}
	s.outMu.Lock()
	defer s.outMu.Unlock()
	_, err = s.out.Write(append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...))
	return err
}

// reply sends a response to request m: the result, or the error e if that is not nil. It sends
// nothing if m is a notification.
func (s *server) reply(m message, result any, e *Error) {
	if m.ID == nil {
		return
	}
	answer := message{ID: m.ID, Error: e}
	if e == nil {
		data, err := json.Marshal(result)
		if err != nil {
			s.reply(m, nil, &Error{Code: -32000, Message: err.Error()})
			return
		}
		answer.Result = data
	}
	if err := s.write(answer); err != nil && e == nil {
		s.reply(m, nil, &Error{Code: -32000, Message: err.Error()})
	}
}

// notify sends a notification. It ignores errors: if the connection is broken, the program ends
// soon.
func (s *server) notify(method string, params any) {
	data, err := json.Marshal(params)
	if err == nil {
		_ = s.write(message{Method: method, Params: data})
	}
}

// call sends a request to the shell, waits for the response, and decodes it into result.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	data, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	s.mu.Lock()
	s.last++
	id := strconv.Itoa(s.last)
	s.waits[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.waits, id)
		s.mu.Unlock()
	}()
	if err := s.write(message{ID: json.RawMessage(id), Method: method, Params: data}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case m := <-answer:
		if m.Error != nil {
			return m.Error
		}
		return json.Unmarshal(m.Result, result)
	}
}
