package anthropic

import (
	"bytes"
	"unicode/utf8"
)

// textDelta reads an event that is a piece of text, in a form that needs no general reader of JSON:
// nearly all events of an answer are such. ok is false for anything else, which encoding/json
// reads; where it is true, that would read the same.
func textDelta(data []byte) (text string, index int, ok bool) {
	s := deltaScan{data: data}
	var kind, deltaKind []byte
	hasIndex, hasText := false, false
	ok = s.object(func(key []byte) bool {
		switch {
		case string(key) == "type" && kind == nil:
			kind, _ = s.text()
			return string(kind) == "content_block_delta"
		case string(key) == "index" && !hasIndex:
			index, hasIndex = s.number()
			return hasIndex
		case string(key) == "delta" && deltaKind == nil:
			return s.object(func(key []byte) bool {
				switch {
				case string(key) == "type" && deltaKind == nil:
					deltaKind, _ = s.text()
					return string(deltaKind) == "text_delta"
				case string(key) == "text" && !hasText:
					var b []byte
					b, hasText = s.text()
					text = string(b)
					return hasText
				}
				return false
			})
		}
		return false
	})
	s.skipBlanks()
	return text, index, ok && s.at == len(data) && kind != nil && deltaKind != nil && hasIndex && hasText
}

// deltaScan reads JSON from the left.
type deltaScan struct {
	data []byte
	at   int
}

func (s *deltaScan) skipBlanks() {
	for s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n"), s.data[s.at]) >= 0 {
		s.at++
	}
}

// take passes over c and the blanks before it.
func (s *deltaScan) take(c byte) bool {
	s.skipBlanks()
	if s.at < len(s.data) && s.data[s.at] == c {
		s.at++
		return true
	}
	return false
}

// object reads an object that is not empty. value reads the value of a key, and returns false if it
// cannot.
func (s *deltaScan) object(value func(key []byte) bool) bool {
	if !s.take('{') {
		return false
	}
	for {
		key, ok := s.text()
		if !ok || !s.take(':') || !value(key) {
			return false
		}
		if !s.take(',') {
			return s.take('}')
		}
	}
}

// number reads a number from 0 to 9999.
func (s *deltaScan) number() (n int, ok bool) {
	s.skipBlanks()
	from := s.at
	for s.at < len(s.data) && s.at < from+4 && s.data[s.at] >= '0' && s.data[s.at] <= '9' {
		n = 10*n + int(s.data[s.at]-'0')
		s.at++
	}
	return n, s.at == from+1 || s.at > from && s.data[from] != '0'
}

// text reads a string whose escapes are of one letter.
func (s *deltaScan) text() (text []byte, ok bool) {
	if !s.take('"') {
		return nil, false
	}
	from, escaped := s.at, false
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; {
		case c < ' ':
			return nil, false
		case c == '\\':
			if s.at++; s.at == len(s.data) || unescaped(s.data[s.at]) == 0 {
				return nil, false
			}
			escaped = true
		case c == '"':
			text = s.data[from:s.at]
			s.at++
			if escaped {
				text = unescape(text)
			}
			return text, utf8.Valid(text)
		}
	}
	return nil, false
}

// unescaped returns the character that a backslash and c stand for, 0 if that is not one letter.
func unescaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return 0
}

func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			i++
			c = unescaped(text[i])
		}
		out = append(out, c)
	}
	return out
}
