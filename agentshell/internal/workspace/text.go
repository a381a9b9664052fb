package workspace

import (
	"bytes"
	"unicode/utf8"
)

// Encoding is the encoding of a file's text.
type Encoding uint8

const (
	UTF8    Encoding = iota
	UTF8BOM          // UTF8BOM is UTF-8 that begins with a byte order mark.
	Binary           // Binary means that there is a NUL in the first 8 KiB.
	Unknown          // Unknown means that it is not valid UTF-8, such as Latin-1.
)

// BOM is the UTF-8 byte order mark.
const BOM = "\uFEFF"

// Sniff returns the encoding of data (FS-47).
func Sniff(data []byte) Encoding {
	switch {
	case bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0:
		return Binary
	case !utf8.Valid(data):
		return Unknown
	case bytes.HasPrefix(data, []byte(BOM)):
		return UTF8BOM
	}
	return UTF8
}

// Text returns an error if data cannot be read as text (FS-47, FS-62).
func Text(p Path, data []byte) error {
	switch Sniff(data) {
	case Binary:
		return refusedError("%s is binary (%d bytes)", p, len(data))
	case Unknown:
		return refusedError("%s is not UTF-8 text (byte %d)", p, invalidAt(data)+1)
	}
	return nil
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// Ending is the kind of line ends in a text.
type Ending uint8

const (
	NoEnding Ending = iota // NoEnding means that the text has no line end.
	LF
	CRLF
	Mixed
)

// Endings returns the kind of line ends in data. A lone CR does not count as a line end.
func Endings(data []byte) Ending {
	crlf := bytes.Count(data, []byte("\r\n"))
	lf := bytes.Count(data, []byte("\n")) - crlf
	switch {
	case crlf > 0 && lf > 0:
		return Mixed
	case crlf > 0:
		return CRLF
	case lf > 0:
		return LF
	}
	return NoEnding
}

// Lines returns the number of lines in data. A last line without a newline counts.
func Lines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

func (e Ending) String() string { return [...]string{"none", "LF", "CRLF", "mixed"}[e] }
