package helper

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxHeader is the largest number of bytes of a message's header.
const maxHeader = 4 << 10

// headerPrefix is the beginning, in lower case, of every header line: Content-Length and
// Content-Type.
const headerPrefix = "content-"

// readHeaderStart returns an error if the next line does not begin as a header line. It reads no
// byte more than it needs, so that it reports a text at once even if no line end follows.
func readHeaderStart(in *bufio.Reader) error {
	for i := range len(headerPrefix) {
		b, err := in.Peek(i + 1)
		if err != nil || i == 0 && (b[0] == '\r' || b[0] == '\n') {
			return nil // what follows tells
		}
		if strings.EqualFold(string(b[i:]), headerPrefix[i:i+1]) {
			continue
		}
		text, _ := in.Peek(in.Buffered())
		text, _, _ = bytes.Cut(text, []byte("\n"))
		return noMessage(string(text))
	}
	return nil
}

// noMessage returns the error for a text that a program has printed where a message must begin.
func noMessage(text string) error {
	text = strings.TrimRight(text, "\r")
	return fmt.Errorf("it sent what is no message: %q, and a message begins with Content-Length. "+
		"Standard output is for messages alone; other texts belong on standard error",
		width.Head(text, min(len(text), maxWords)))
}

// ReadFrame reads a message with a Content-Length header, as language servers and debug adapters
// send it. It returns an error for a message of more than maxBytes bytes, and for a line that is no
// header line.
func ReadFrame(in *bufio.Reader, maxBytes int) ([]byte, error) {
	length, read := -1, 0
	for {
		if err := readHeaderStart(in); err != nil {
			return nil, err
		}
		line, err := in.ReadSlice('\n')
		if read += len(line); read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return nil, errors.New("it sent what is no message: its header has no end")
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, noMessage(text)
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, fmt.Errorf("it sent a message of length %q", width.Head(value, 40))
			}
		}
	}
	switch {
	case length < 0:
		return nil, errors.New("it sent what is no message: its header names no length")
	case length > maxBytes:
		return nil, fmt.Errorf("it sent a message of more than %d MiB", maxBytes>>20)
	}
	// Read as it comes: a length alone must not take memory.
	data, err := io.ReadAll(io.LimitReader(in, int64(length)))
	if err == nil && len(data) < length {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}
