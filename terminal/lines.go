package terminal

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// Lines starts the device and returns it for plain text and typed lines, without moves of the
// cursor. Line feeds end the lines that are written. Typed characters are shown, and a line can be
// read once Enter has ended it. Backspace starts the line again. Anything but a character is
// dropped: a late answer of the terminal, a key with a name, a paste. Ctrl+C and Ctrl+D are the
// end.
func (l *Lent) Lines() (io.ReadWriter, error) {
	if err := l.Start(); err != nil {
		return nil, err
	}
	l.lineMode = &lineMode{tty: l}
	return l.lineMode, nil
}

// lineMode is the device as Lines returns it.
type lineMode struct {
	tty    io.ReadWriter
	input  stdinbuf.Buffer
	line   []byte
	unread []byte // complete lines that nobody has read yet
	ended  bool

	reading sync.Mutex // held by Read
}

// close waits until nobody reads any more, once the device is stopped. A Read that still waited
// would take input that is meant for others.
func (m *lineMode) close() {
	m.reading.Lock()
	defer m.reading.Unlock()
	m.ended, m.unread = true, nil
}

// Write shows text with line feeds as line ends.
func (m *lineMode) Write(p []byte) (int, error) {
	if _, err := m.tty.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Read returns typed lines.
func (m *lineMode) Read(p []byte) (int, error) {
	m.reading.Lock()
	defer m.reading.Unlock()
	var b [256]byte
	for len(m.unread) == 0 {
		if m.ended {
			return 0, io.EOF
		}
		n, err := m.tty.Read(b[:])
		for tok := range m.input.Feed(b[:n]) {
			m.takeToken(tok)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, m.unread)
	m.unread = slices.Delete(m.unread, 0, n)
	return n, nil
}

// takeToken acts on one token of the input.
func (m *lineMode) takeToken(tok stdinbuf.Token) {
	switch {
	case m.ended:
	case tok.Kind == stdinbuf.Text && tok.Data[0] < 0x80:
		m.line = append(m.line, tok.Data...)
		_, _ = m.tty.Write(tok.Data)
	case tok.Kind != stdinbuf.Control:
	case tok.Data[0] == '\r', tok.Data[0] == '\n':
		_, _ = m.tty.Write([]byte("\r\n"))
		m.unread = append(append(m.unread, m.line...), '\n')
		m.line = m.line[:0]
	case tok.Data[0] == 3, tok.Data[0] == 4:
		m.ended = true
	case tok.Data[0] == 8, tok.Data[0] == 0x7f, tok.Data[0] == 0x15: // no cell is taken back: the line begins anew
		_, _ = m.tty.Write([]byte(" (begin anew)\r\n"))
		m.line = m.line[:0]
	}
}
