package helper

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestFramesOfServersAreBounded(t *testing.T) {
	for _, c := range []struct{ sent, want, err string }{
		{"Content-Length: 2\r\n\r\n{}", "{}", ""},
		{"content-length:2\r\nContent-Type: x\r\n\r\n{}Content", "{}", ""},
		{"Content-Length: 3\n\n[1]", "[1]", ""},
		{"Content-Length: 2\r\n\r\n{", "", "unexpected EOF"},
		{"Content-Length: 99999999999\r\n\r\n", "", "more than 64 MiB"},
		{"Content-Length: -1\r\n\r\n", "", "of length"},
		{"Content-Length: 99999999999999999999\r\n\r\n", "", "of length"},
		{"Content-Type: x\r\n\r\n{}", "", "names no length"},
		{"hello\r\n", "", `no message: "hello"`},
		{"info: starting up\n", "", `no message: "info: starting up", and`},
		{"{\"jsonrpc\": \"2.0\"}\n", "", `no message: "{\"jsonrpc\"`},
		{"Connecting\n", "", `no message: "Connecting"`},
		{"Content-Type: x\r\ninfo: y\r\n", "", `no message: "info: y"`},
		{"Content: x\r\n\r\n", "", `no message: "Content: x"`},
		{strings.Repeat("x", 100_000), "", "no message"},
		{"Content-Type: " + strings.Repeat("x", 100_000), "", "no end"},
		{strings.Repeat("Content-Type: y\r\n", 10_000), "", "no end"},
		{"", "", "EOF"},
		{"Con", "", "EOF"},
	} {
		got, err := ReadFrame(bufio.NewReaderSize(strings.NewReader(c.sent), 64<<10), 64<<20)
		switch {
		case c.err == "" && (err != nil || string(got) != c.want):
			t.Errorf("%.40q: %q, %v, want %q", c.sent, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%.40q: %q, %v, want an error with %q", c.sent, got, err, c.err)
		}
	}
}

// A text without a line end is told although nothing follows it.
func TestATextThatIsNoHeaderIsToldAtOnce(t *testing.T) {
	in, out := io.Pipe()
	defer func() { _ = in.Close() }()
	go func() { _, _ = out.Write([]byte("loading: 1 of 3")) }()
	_, err := ReadFrame(bufio.NewReaderSize(in, 64<<10), 64<<20)
	if err == nil || !strings.Contains(err.Error(), `no message: "loading: 1 of 3", and`) {
		t.Error(err)
	}
}
