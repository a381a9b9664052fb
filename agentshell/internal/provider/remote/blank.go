package remote

import "io"

// blankFilter reads a stream of server-sent events and drops repeated empty lines, for which the
// event reader (go-sse 0.12.0) needs many times their bytes of memory. The events and their order
// stay the same. A line ends with CR, LF or both.
type blankFilter struct {
	from   io.Reader
	filled bool // The present line has a character.
	blank  bool // The last line was empty, and was passed on.
	cr     bool // The last byte was a CR. An LF behind it belongs to the same line end.
	kept   bool // That CR was passed on.
}

// Read implements io.Reader. It waits until at least one byte is left after filtering, or an error
// occurs.
func (f *blankFilter) Read(p []byte) (int, error) {
	for {
		n, err := f.from.Read(p)
		given := p[:0]
		for _, c := range p[:n] {
			if f.keeps(c) {
				given = append(given, c)
			}
		}
		if len(given) > 0 || err != nil || n == 0 {
			return len(given), err
		}
	}
}

// keeps reports whether c, the next byte of the stream, is passed on.
func (f *blankFilter) keeps(c byte) bool {
	if c == '\n' && f.cr {
		f.cr = false
		return f.kept
	}
	f.cr = c == '\r'
	switch {
	case c != '\n' && c != '\r':
		f.filled, f.blank = true, false
		return true
	case f.filled:
		f.filled, f.kept = false, true
	default:
		f.kept = !f.blank
		f.blank = true
	}
	return f.kept
}
