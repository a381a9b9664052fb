package terminal

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// Lines starts the device and returns it as a plain stream of text and typed lines, without cursor
// movement. Text may be written with LF as line end. Typed characters are shown, and a line can be
// read after Enter. Backspace starts the line again. All other input is dropped: late replies,
// function keys, pastes. Ctrl+C and Ctrl+D end the input.
func (l *Lent) Lines() (io.ReadWriter, error) {
	if err := l.Start(); err != nil {
		return nil, err
	}
	l.lineMode = &lineMode{tty: l}
	return l.lineMode, nil
}

// lineMode is the stream that Lines returns.
type lineMode struct {
	tty    io.ReadWriter
	input  stdinbuf.Buffer
	line   []byte
	unread []byte // Complete lines that were not read yet.
	ended  bool

	reading sync.Mutex // Held by Read.
}

// close waits until no Read is running, once the device is stopped. A Read that still waited would
// take input that is meant for others.
func (m *lineMode) close() {
	m.reading.Lock()
	defer m.reading.Unlock()
	m.ended, m.unread = true, nil
}

// Write writes text whose lines end with LF.
func (m *lineMode) Write(p []byte) (int, error) {
	if _, err := m.tty.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Read waits for a typed line and returns it.
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

// takeToken handles one token of the input: a character, Enter, Backspace or the end.
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
