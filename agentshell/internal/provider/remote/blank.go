package remote

import "io"

// blankFilter reads a stream of events and leaves out each empty line behind another: the reader of
// events (go-sse 0.12.0) needs many times their bytes of memory. The order of events and what is in
// them stay. A line ends with CR, LF or both.
type blankFilter struct {
	from   io.Reader
	filled bool // the line has a character
	blank  bool // the line before was empty and was given
	cr     bool // the last byte was a CR, which an LF may belong to
	kept   bool // and was given
}

// Read reads at least one byte, or an error.
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

// keeps reports whether c, the next byte, is given.
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
