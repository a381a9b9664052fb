package lsp

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Encoding is the unit in which a server counts the characters of a line.
type Encoding string

// These are the encodings of the protocol.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// unitsOf returns the number of units of the character r. size is its length in UTF-8.
func (e Encoding) unitsOf(r rune, size int) int {
	switch {
	case e == UTF8:
		return size
	case e == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

// Column returns the number of units of a text.
func (e Encoding) Column(text string) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		n += e.unitsOf(r, size)
		text = text[size:]
	}
	return n
}

// offset converts a number of units from the beginning of line to bytes. It returns the length of
// the line if the line has fewer units.
func (e Encoding) offset(line string, units int) int {
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if units -= e.unitsOf(r, size); units < 0 {
			break
		}
		at += size
	}
	return at
}

// lineIndex is a text with the byte offsets of its lines.
type lineIndex struct {
	text   string
	starts []int
}

// indexLines returns the lineIndex of a text. Lines end with LF or CR LF.
func indexLines(text string) lineIndex {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return lineIndex{text, starts}
}

// line returns line n without its line end, or "" if there is no such line. The first line is 0.
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

// offset returns the byte offset of a position. A position after the end of its line counts as that
// end, and one after the last line as the end of the text. Negative numbers are an error.
func (x lineIndex) offset(p Position, e Encoding) (int, error) {
	switch {
	case p.Line < 0 || p.Character < 0:
		return 0, fmt.Errorf("a position before the text: line %d, character %d", p.Line, p.Character)
	case p.Line >= len(x.starts):
		return len(x.text), nil
	}
	return x.starts[p.Line] + e.offset(x.line(p.Line), p.Character), nil
}

// Runes converts a number of units from the beginning of line to a number of runes.
func (e Encoding) Runes(line string, units int) int {
	return utf8.RuneCountInString(line[:e.offset(line, units)])
}
