package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// bounded is an HTTP transport that ends a response as soon as it exceeds the bounds. It counts
// decompressed bytes. So code that reads the response may hold lines, events and error messages in
// memory.
type bounded struct {
	bounds provider.Bounds // The bounds, with a value in each field.
	next   http.RoundTripper
}

// RoundTrip sends a request. It reads the body of an error response at once. The body of any other
// response is counted while the caller reads it.
func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(req)
	switch {
	case err != nil && strings.Contains(err.Error(), "response headers exceeded"): // net/http has no type for it
		return nil, provider.TooLongError("its header is", b.bounds.Header)
	case err != nil:
		return nil, err
	case resp.StatusCode >= http.StatusBadRequest:
		return b.refusal(resp)
	}
	bounds := b.bounds
	if req.Method == http.MethodGet { // a list of models, of which little is kept: its bytes are bounded
		bounds.Values = bounds.Response
	}
	resp.Body = &stream{ReadCloser: resp.Body, bounds: bounds}
	return resp, nil
}

// refusal reads the body of an error response and returns the response with that body. If the body
// exceeds the bound, it returns an error with the first part of the body, because a caller could
// not parse half of it.
func (b bounded) refusal(resp *http.Response) (*http.Response, error) {
	defer resp.Body.Close()
	most := b.bounds.Refusal
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	if err != nil && len(body) == 0 {
		return nil, err
	}
	if len(body) > most {
		text := fmt.Sprintf("%s (the error is longer than %s, the rest of it was not read)",
			Sentence(string(body[:most])), provider.FormatSize(most))
		return nil, &provider.Error{Status: resp.StatusCode, Message: text, RetryAfter: RetryAfter(resp)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// stream is a response body that ends with an error at the first byte beyond its bounds. All bytes
// before that one can be read.
type stream struct {
	io.ReadCloser
	bounds provider.Bounds
	err    error

	// The number of bytes so far: in the stream, in the present event, and in the present line.
	all, event, line int
	values           int  // The number of JSON values so far in the present event.
	last             byte // The last byte of the present line.
	// The body is plain JSON. An empty line may stand within a value, and does not end an event.
	json bool
	// The read position is inside of a JSON string (quoted), and there behind a backslash
	// (escaped).
	quoted, escaped bool
}

// Read implements io.Reader, and counts what it reads.
func (s *stream) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.ReadCloser.Read(p)
	for i, c := range p[:n] {
		if s.err = s.count(c); s.err != nil {
			return i, nil // what came before is good; the error comes next
		}
	}
	return n, err
}

// begin sets the counts of the present event to 0.
func (s *stream) begin() { s.event, s.values = 0, 0 }

// count counts one byte, and returns an error if that exceeds a bound. An event ends at an empty
// line. JSON values are counted by the commas and opening brackets outside of strings. A JSON
// string cannot contain a line end.
func (s *stream) count(c byte) error {
	s.all++
	s.event++
	if s.all > s.bounds.Response {
		return provider.TooLongError("the stream is", s.bounds.Response)
	}
	if s.event > s.bounds.Event {
		return provider.TooLongError("an event of the stream is", s.bounds.Event)
	}
	if c == '\n' {
		if !s.json && (s.line == 0 || s.line == 1 && s.last == '\r') {
			s.begin()
		}
		s.line, s.quoted, s.escaped = 0, false, false
		return nil
	}
	s.last = c
	if s.line++; s.line > s.bounds.Line {
		return provider.TooLongError("a line of the stream is", s.bounds.Line)
	}
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted && c == '\\':
		s.escaped = true
	case c == '"':
		s.quoted = !s.quoted
	case !s.quoted && (c == ',' || c == '{' || c == '['):
		if s.values++; s.values > s.bounds.Values {
			return provider.TooManyError("an event of the stream has", s.bounds.Values, "values")
		}
	}
	return nil
}
