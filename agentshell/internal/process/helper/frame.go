package helper

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxHeader is the number of bytes of a frame before its message.
const maxHeader = 4 << 10

// ReadFrame reads a message with its length in front, as language servers and debug adapters send
// them. A message of more than maxBytes is an error.
func ReadFrame(in *bufio.Reader, maxBytes int) ([]byte, error) {
	length, read := -1, 0
	for {
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
			return nil, fmt.Errorf("it sent what is no message: %q", width.Head(text, 80))
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
