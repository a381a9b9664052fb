package remote

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// repeated is a text without an end.
type repeated struct {
	text string
	at   int
}

// Read never ends.
func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// Empty lines within a value are no way around the bounds of an event. Of values a line, each is
// counted for itself.
func TestAJSONAnswerMeetsTheBoundsOfAnEvent(t *testing.T) {
	bounds := provider.Bounds{Line: 10_000, Event: 20_000, Values: 1000, Response: 1 << 20}
	for name, c := range map[string]struct{ begin, more, says string }{
		"a long text":              {`{"choices":"`, "x", "a line of the stream is longer"},
		"empty lines in a list":    {`{"choices":[1`, "\n\n,1", "more than 1000 values"},
		"empty lines of blanks":    {`{"choices":[1`, "\n\n          ", "an event of the stream is longer"},
		"an error with much in it": {`{"error":[1`, "\n\n,[]", "more than 1000 values"},
		"a value a line, for ever": {"", `{"choices":[]}` + "\n", "the stream is longer"},
		"a page":                   {"<html>", "<p>", ""},
		"empty lines":              {"", "\n", "the stream is longer"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, io.MultiReader(strings.NewReader(c.begin), &repeated{text: c.more}))
		}))
		answer, err := NewAPI(s.URL, nil, time.Minute, bounds).post(t.Context(), "/chat", []byte("{}"), nil)
		if err == nil {
			for _, failure := range answer.Events() {
				err = failure
			}
			answer.Close()
		}
		s.Close()
		var excess *provider.Excess
		if errors.As(err, &excess) != (c.says != "") || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
