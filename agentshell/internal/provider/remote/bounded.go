package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// bounded is a transport that takes no more of an answer than its bounds. It stands above
// decompression and beneath whoever reads the answer, who may hold lines, events and the bodies of
// errors whole.
type bounded struct {
	bounds provider.Bounds // without zeros
	next   http.RoundTripper
}

// RoundTrip reads the body of an error at once; that of an answer is counted while it is read.
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

// refusal returns resp with its body read. What goes beyond the bound is left out, and then the
// error is made here: half a body says nothing to its reader.
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

// stream is a body that ends with an error at the first byte beyond its bounds. What came before
// that byte is read.
type stream struct {
	io.ReadCloser
	bounds provider.Bounds
	err    error

	all, event, line int  // bytes of the stream, of its event, of its line
	values           int  // in the event
	last             byte // of the line
	json             bool // no empty line ends an event: they may stand within a value
	quoted, escaped  bool // the line is inside a string; behind a backslash in one
}

// Read reads and counts.
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

// begin begins an event.
func (s *stream) begin() { s.event, s.values = 0, 0 }

// count takes one byte. An event ends at an empty line. Each value but the first of its object,
// list or event stands behind a mark outside of strings, and no string of JSON goes on in the next
// line.
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
