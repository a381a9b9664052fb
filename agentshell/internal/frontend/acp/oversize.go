package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
)

// oversize describes a message that is too long, as far as it could be read.
type oversize struct {
	size   int
	id     json.RawMessage // nil: it has none; null: it is not valid
	method string
}

// readMessage reads a line. A line that is too long is skipped, with little memory, and described
// by tooLong.
func readMessage(in *bufio.Reader) (line []byte, tooLong *oversize, err error) {
	var parts [][]byte // joined once: a slice that grows takes several times as much
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

// maxSkimmed is the number of bytes that are kept of an id and of a method.
const maxSkimmed = 256

// skimmer finds the id and the method of a JSON-RPC message in its bytes, and keeps nothing else.
type skimmer struct {
	id     []byte
	method string

	depth           int
	inText, escaped bool
	inValue         bool   // after the colon
	key, current    []byte // of the outermost object: the last key, and what is being read
}

func (s *skimmer) skim(part []byte) {
	for _, c := range part {
		s.readByte(c)
	}
}

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

// endValue handles the end of a value.
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
