package terminal

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// Lines starts the device and returns it for plain text and lines that are typed, with no cursor
// motion. Line feeds end the lines that are written. What is typed is shown, and read once Enter
// has ended the line; Backspace begins it anew. What is no character is none of a line: a late
// answer of the terminal, a key with a name, a paste. Ctrl+C and Ctrl+D are the end.
func (l *Lent) Lines() (io.ReadWriter, error) {
	if err := l.Start(); err != nil {
		return nil, err
	}
	l.lines = &lines{tty: l}
	return l.lines, nil
}

// lines is what Lines returns.
type lines struct {
	tty  io.ReadWriter
	buf  stdinbuf.Buffer
	line []byte
	done []byte // lines that nobody has read yet
	end  bool

	reading sync.Mutex // held by Read
}

// close waits until nobody reads any more, once the device is stopped: it would take what is typed
// for somebody else.
func (t *lines) close() {
	t.reading.Lock()
	defer t.reading.Unlock()
	t.end, t.done = true, nil
}

// Write shows text with line feeds as line ends.
func (t *lines) Write(p []byte) (int, error) {
	if _, err := t.tty.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (t *lines) Read(p []byte) (int, error) {
	t.reading.Lock()
	defer t.reading.Unlock()
	var b [256]byte
	for len(t.done) == 0 {
		if t.end {
			return 0, io.EOF
		}
		n, err := t.tty.Read(b[:])
		for tok := range t.buf.Feed(b[:n]) {
			t.token(tok)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, t.done)
	t.done = slices.Delete(t.done, 0, n)
	return n, nil
}

// token takes one token of the input.
func (t *lines) token(tok stdinbuf.Token) {
	switch {
	case t.end:
	case tok.Kind == stdinbuf.Text && tok.Data[0] < 0x80:
		t.line = append(t.line, tok.Data...)
		_, _ = t.tty.Write(tok.Data)
	case tok.Kind != stdinbuf.Control:
	case tok.Data[0] == '\r', tok.Data[0] == '\n':
		_, _ = t.tty.Write([]byte("\r\n"))
		t.done = append(append(t.done, t.line...), '\n')
		t.line = t.line[:0]
	case tok.Data[0] == 3, tok.Data[0] == 4:
		t.end = true
	case tok.Data[0] == 8, tok.Data[0] == 0x7f, tok.Data[0] == 0x15: // no cell is taken back: the line begins anew
		_, _ = t.tty.Write([]byte(" (begin anew)\r\n"))
		t.line = t.line[:0]
	}
}
