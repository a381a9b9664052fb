package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
)

// oversize is a message that is too long, with what could be read of it while it was passed over.
type oversize struct {
	size   int
	id     json.RawMessage // nil: it has none; null: none that can be one
	method string
}

// readMessage reads a line. One that is too long is passed over to its end, in the memory of a
// short one: over says what it was.
func readMessage(in *bufio.Reader) (line []byte, over *oversize, err error) {
	var parts [][]byte // joined once: a slice that grows takes several times as much
	size := 0
	var s skimmer
	for {
		part, err := in.ReadSlice('\n')
		if size += len(part); size <= maxMessage {
			parts = append(parts, bytes.Clone(part))
		} else {
			for _, p := range append(parts, part) {
				s.skim(p)
			}
			parts = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size > maxMessage:
			return nil, &oversize{size: size, method: s.method, id: s.id}, err
		}
		return bytes.TrimSpace(bytes.Join(parts, nil)), nil, err
	}
}

// maxSkimmed is how many bytes of an id and of a method are kept.
const maxSkimmed = 256

// skimmer finds id and method of a JSON-RPC message in its bytes, keeping nothing else.
type skimmer struct {
	id     []byte
	method string

	depth           int
	inText, escaped bool
	value           bool   // behind the colon
	key, now        []byte // of the outermost object: the last key, and what is read now
}

func (s *skimmer) skim(part []byte) {
	for _, c := range part {
		s.step(c)
	}
}

func (s *skimmer) step(c byte) {
	outer := s.depth == 1
	if outer && len(s.now) < maxSkimmed && (s.inText || c > ' ' && c != ',' && c != ':' && c != '}') {
		s.now = append(s.now, c)
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
		s.now = nil
	case outer && c == ':':
		s.key, s.now, s.value = s.now, nil, true
	case outer && (c == ',' || c == '}'):
		s.keep()
		if c == '}' {
			s.depth--
		}
	case c == '}' || c == ']':
		s.depth--
		s.now = nil
	}
}

// keep takes the value that ends.
func (s *skimmer) keep() {
	if s.value {
		switch string(s.key) {
		case `"id"`:
			s.id = json.RawMessage("null")
			if json.Valid(s.now) && s.now[0] != 't' && s.now[0] != 'f' {
				s.id = s.now
			}
		case `"method"`:
			_ = json.Unmarshal(s.now, &s.method)
		}
	}
	s.key, s.now, s.value = nil, nil, false
}
