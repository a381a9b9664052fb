package anthropic

import (
	"bytes"
	"unicode/utf8"
)

// textDelta decodes an event with a piece of text faster than encoding/json. Nearly all events of
// an answer are of this form. It returns ok = false for any other event. If ok is true,
// encoding/json would give the same result.
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

// deltaScan is a simple JSON scanner for such events. at is the index of the next byte to read.
type deltaScan struct {
	data []byte
	at   int
}

func (s *deltaScan) skipBlanks() {
	for s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n"), s.data[s.at]) >= 0 {
		s.at++
	}
}

// take skips blanks and the byte c behind them. It returns false if another byte follows.
func (s *deltaScan) take(c byte) bool {
	s.skipBlanks()
	if s.at < len(s.data) && s.data[s.at] == c {
		s.at++
		return true
	}
	return false
}

// object reads an object with at least one key. For each key it calls value, which reads the key's
// value, or returns false if it cannot.
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

// number reads a whole number from 0 to 9999.
func (s *deltaScan) number() (n int, ok bool) {
	s.skipBlanks()
	from := s.at
	for s.at < len(s.data) && s.at < from+4 && s.data[s.at] >= '0' && s.data[s.at] <= '9' {
		n = 10*n + int(s.data[s.at]-'0')
		s.at++
	}
	return n, s.at == from+1 || s.at > from && s.data[from] != '0'
}

// text reads a string. It returns false for a string with \u escapes.
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

// unescaped returns the character that the escape \c stands for, or 0 if there is no such escape of
// one letter.
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
