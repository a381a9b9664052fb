package remote

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// answers is a transport that gives one answer.
type answers func(*http.Request) (*http.Response, error)

// RoundTrip gives it.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// read reads an answer with that body under bounds.
func read(bounds provider.Bounds, body io.Reader) (string, error) {
	next := answers(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}, nil
	})
	resp, err := bounded{bounds.OrDefault(), next}.RoundTrip(&http.Request{})
	if err != nil {
		return "", err
	}
	got, err := io.ReadAll(resp.Body)
	return string(got), err
}

func TestAStreamIsReadUpToTheFirstByteBeyondABound(t *testing.T) {
	small := provider.Bounds{Line: 10, Event: 30, Values: 4, Response: 100}
	for _, c := range []struct{ body, read, cut string }{
		{"data: 1234\n\n", "data: 1234\n\n", ""},
		{"data: 12345\n\n", "data: 1234", "a line of the stream is longer than 10 bytes"},
		{"ok\n\ndata: 12345", "ok\n\ndata: 1234", "a line of the stream is longer than 10 bytes"},
		{"data: 123\ndata: 123\ndata: 123\n\n", "data: 123\ndata: 123\ndata: 123\n",
			"an event of the stream is longer than 30 bytes"},
		{"data: 123\ndata: 123\n\ndata: 123\n\n", "data: 123\ndata: 123\n\ndata: 123\n\n", ""},
		{"data: 123\r\ndata: 123\r\n\r\ndata: 123\r\n\r\n", "data: 123\r\ndata: 123\r\n\r\ndata: 123\r\n\r\n", ""},
		{strings.Repeat("\n", 101), strings.Repeat("\n", 100), "the stream is longer than 100 bytes"},
		{"[,,,\n\n[,,,\n\n", "[,,,\n\n[,,,\n\n", ""},
		{"[,,,\n,\n\n", "[,,,\n", "an event of the stream has more than 4 values"},
		{`",,,,\",,"` + "\n\n", `",,,,\",,"` + "\n\n", ""}, // in a string
		// No string goes on in the next line.
		{"\"\n,,,,,\n\n", "\"\n,,,,", "an event of the stream has more than 4 values"},
		{"\"\\\\\",,,,,\n\n", "\"\\\\\",,,,", "an event of the stream has more than 4 values"},
	} {
		for name, body := range map[string]io.Reader{"at once": strings.NewReader(c.body),
			"by bytes": iotest.OneByteReader(strings.NewReader(c.body))} {
			got, err := read(small, body)
			var excess *provider.Excess
			if got != c.read || c.cut == "" && err != nil ||
				c.cut != "" && (!errors.As(err, &excess) || excess.What != c.cut) {
				t.Errorf("%q, %s: read %q, error %v; want %q, %s", c.body, name, got, err, c.read, c.cut)
			}
		}
	}
}

func TestAnAnswerMayTrickleForHoursButNotBeSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, server := io.Pipe()
		next := answers(func(r *http.Request) (*http.Response, error) {
			go func() {
				<-r.Context().Done()
				server.CloseWithError(r.Context().Err())
			}()
			return &http.Response{StatusCode: http.StatusOK, Body: body}, nil
		})
		resp, err := patience{2 * time.Minute, next}.RoundTrip((&http.Request{}).WithContext(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for range 100 { // keep-alives count
				<-time.After(119 * time.Second)
				_, _ = io.WriteString(server, ":\n\n")
			}
		}()
		began := time.Now()
		got, err := io.ReadAll(resp.Body)
		var e *provider.Error
		if len(got) != 300 || !errors.As(err, &e) || e.Message != "the answer was silent for 2m0s" {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		if took := time.Since(began); took != 100*119*time.Second+2*time.Minute {
			t.Errorf("it took %v", took)
		}
		_ = resp.Body.Close()
	})
}

func TestWhatAProviderSaysIsCutToALengthThatAPersonReads(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for _, body := range []string{long, `{"error":{"message":"` + long + `"}}`} {
		if got := Sentence(body); len(got) > longest+3 || !strings.HasSuffix(got, "...") {
			t.Errorf("%d bytes: %.50q", len(got), got)
		}
	}
	if got := Broken(errors.New(long)).Error(); len(got) > longest+100 {
		t.Errorf("%d bytes", len(got))
	}
}
