package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

// server is the net: a file takes some time, and the name none is not found.
type server struct{}

func (server) RoundTrip(r *http.Request) (*http.Response, error) {
	res := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Body: http.NoBody, Request: r}
	if strings.HasSuffix(r.URL.Path, "none") {
		res.StatusCode, res.Status = http.StatusNotFound, "404 Not Found"
		return res, nil
	}
	res.ContentLength = 3000
	res.Body = io.NopCloser(&slowly{bytes.NewReader(make([]byte, 3000))})
	return res, nil
}

// slowly is a reader of which a thousand bytes take a fifth of a second.
type slowly struct{ r io.Reader }

func (s *slowly) Read(p []byte) (int, error) {
	<-time.After(200 * time.Millisecond)
	return s.r.Read(p[:min(len(p), 1000)])
}

func net(t *testing.T) {
	was := http.DefaultTransport
	http.DefaultTransport = server{}
	t.Cleanup(func() { http.DefaultTransport = was })
	t.Chdir(t.TempDir())
}

func TestFilesComeAndEachHasARow(t *testing.T) {
	net(t)
	rows := []string{"✓ http://h/a.zip  3.0 kB", "✓ http://h/b%1B.zip  3.0 kB"}
	trial.Run(t, func() *tui.App { return downloads("http://h/a.zip", "http://h/b%1B.zip") },
		trial.Play{Do: []string{"x", "x"}, Rows: rows, Text: strings.Join(rows, "\n") + "\n"})
	if b, err := os.ReadFile("a.zip"); err != nil || len(b) != 3000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

func TestWhatDoesNotComeIsSaidAndNotWritten(t *testing.T) {
	net(t)
	var out strings.Builder
	app := downloads("http://h/none", "http://h/a.zip")
	app.Input, app.Output = strings.NewReader(""), &out
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	if err := app.Run(context.Background()); err == nil || err.Error() != "http://h/none: 404 Not Found" {
		t.Errorf("Run: %v", err)
	}
	if got := out.String(); !strings.HasPrefix(got, "✗ http://h/none  404 Not Found\n✓ http://h/a.zip") {
		t.Errorf("it wrote\n%s", got)
	}
	if _, err := os.Stat("none"); err == nil {
		t.Error("what was not found is a file")
	}
}
