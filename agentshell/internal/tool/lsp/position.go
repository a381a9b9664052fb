package lsp

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Encoding is the unit in which a server counts characters.
type Encoding string

// The encodings of the protocol.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// units returns how many units of e a character has.
func (e Encoding) units(r rune, size int) int {
	switch {
	case e == UTF8:
		return size
	case e == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

// Column returns the units of e in a text.
func (e Encoding) Column(text string) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		n += e.units(r, size)
		text = text[size:]
	}
	return n
}

// offset returns how many bytes of a line the first units of e are. More units than the line has
// are all of it.
func (e Encoding) offset(line string, units int) int {
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if units -= e.units(r, size); units < 0 {
			break
		}
		at += size
	}
	return at
}

// text is a text with the places where its lines begin.
type lineIndex struct {
	text   string
	starts []int
}

// indexLines returns an index of the lines of a text, which end with LF or CR LF.
func indexLines(text string) lineIndex {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return lineIndex{text, starts}
}

// line returns line n without its end, "" for one behind the last.
func (x lineIndex) line(n int) string {
	if n < 0 || n >= len(x.starts) {
		return ""
	}
	end := len(x.text)
	if n+1 < len(x.starts) {
		end = x.starts[n+1] - 1
	}
	return strings.TrimSuffix(x.text[x.starts[n]:end], "\r")
}

// offset returns the byte at a position. What lies behind the end of a line is its end, and what
// lies behind the text is the end of that.
func (x lineIndex) offset(p Position, e Encoding) (int, error) {
	switch {
	case p.Line < 0 || p.Character < 0:
		return 0, fmt.Errorf("a position before the text: line %d, character %d", p.Line, p.Character)
	case p.Line >= len(x.starts):
		return len(x.text), nil
	}
	return x.starts[p.Line] + e.offset(x.line(p.Line), p.Character), nil
}

// Runes returns how many characters of a line the first units of e are.
func (e Encoding) Runes(line string, units int) int {
	return utf8.RuneCountInString(line[:e.offset(line, units)])
}
