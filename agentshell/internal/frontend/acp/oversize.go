package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
)

// oversize describes a message of the client that is too long to be read: only its id and method
// are known.
type oversize struct {
	// The length in bytes.
	size   int
	id     json.RawMessage // The id; nil if the message has none, and null if it is not valid.
	method string
}

// readMessage reads one line, which is a message. A line of more than maxMessage bytes is skipped,
// without storing it, and described by tooLong.
func readMessage(in *bufio.Reader) (line []byte, tooLong *oversize, err error) {
	var parts [][]byte // joined once, because a growing slice needs several times the memory
	size := 0
	var skim skimmer
	for {
		part, err := in.ReadSlice('\n')
		if size += len(part); size <= maxMessage {
			parts = append(parts, bytes.Clone(part))
		} else {
			for _, p := range append(parts, part) {
				skim.skim(p)
			}
			parts = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size > maxMessage:
			return nil, &oversize{size: size, method: skim.method, id: skim.id}, err
		}
		return bytes.TrimSpace(bytes.Join(parts, nil)), nil, err
	}
}

// maxSkimmed is the number of bytes that are stored of the id, and of the method, of a message that
// is too long.
const maxSkimmed = 256

// skimmer finds the id and the method of a JSON-RPC message while the bytes of the message pass,
// and stores nothing else.
type skimmer struct {
	id     []byte
	method string

	depth           int
	inText, escaped bool
	inValue         bool   // The next byte belongs to a value of the outermost object, not to a key.
	key, current    []byte // In the outermost object: the last key, and the key or value that is being read.
}

// skim looks at the next bytes of the message.
func (s *skimmer) skim(part []byte) {
	for _, c := range part {
		s.readByte(c)
	}
}

// readByte looks at the next byte of the message.
func (s *skimmer) readByte(c byte) {
	outer := s.depth == 1
	if outer && len(s.current) < maxSkimmed && (s.inText || c > ' ' && c != ',' && c != ':' && c != '}') {
		s.current = append(s.current, c)
	}
	switch {
	case s.escaped:
		s.escaped = false
	case s.inText:
		s.escaped = c == '\\'
		s.inText = c != '"'
	case c == '"':
		s.inText = true
	case c == '{' || c == '[':
		s.depth++
		s.current = nil
	case outer && c == ':':
		s.key, s.current, s.inValue = s.current, nil, true
	case outer && (c == ',' || c == '}'):
		s.endValue()
		if c == '}' {
			s.depth--
		}
	case c == '}' || c == ']':
		s.depth--
		s.current = nil
	}
}

// endValue ends a value of the outermost object. It stores the value if its key is "id" or
// "method".
func (s *skimmer) endValue() {
	if s.inValue {
		switch string(s.key) {
		case `"id"`:
			s.id = json.RawMessage("null")
			if json.Valid(s.current) && s.current[0] != 't' && s.current[0] != 'f' {
				s.id = s.current
			}
		case `"method"`:
			_ = json.Unmarshal(s.current, &s.method)
		}
	}
	s.key, s.current, s.inValue = nil, nil, false
}
