package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"

	"github.com/tmaxmax/go-sse"
)

// Answer is the response to a request for an answer of a model, which is read event by event. The
// caller must close it.
type Answer struct {
	ctx    context.Context
	cancel context.CancelFunc
	resp   *http.Response
	events iter.Seq2[[]byte, error]
}

// Events yields the data of each event, until the answer ends or an error is yielded: a
// [provider.Error], a [provider.Excess], or the error of the context. It skips events without data.
// The last event may lack the empty line at its end.
func (a *Answer) Events() iter.Seq2[[]byte, error] { return a.events }

// Close ends the request and releases its connection, even if the answer is not complete.
func (a *Answer) Close() {
	a.cancel()
	_ = a.resp.Body.Close()
}

// post sends a request and returns its answer. It looks at the first bytes of the response to find
// out whether it is a stream of events or JSON, since servers send wrong content types. A response
// that is neither, such as a web page, becomes a [Refused]. If the response is a JSON value, whole
// converts it to events; nil: the value is an event.
func (a API) post(ctx context.Context, path string, body []byte, whole func([]byte) [][]byte) (*Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	resp, err := a.do(ctx, http.MethodPost, path, bytes.NewReader(body), "text/event-stream")
	if err != nil {
		cancel()
		return nil, err
	}
	answer := &Answer{ctx: ctx, cancel: cancel, resp: resp}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	start, err := beginning(resp.Body, kind == "text/event-stream")
	switch {
	case err != nil:
		err = answer.broken(err)
	case len(start) > 0 && (start[0] == '{' || start[0] == '['):
		err = answer.values(io.MultiReader(bytes.NewReader(start), resp.Body), whole)
	case len(start) > 0 && !events(start, kind):
		const far = 64 << 10
		text, _ := io.ReadAll(io.LimitReader(resp.Body, far))
		err = &Refused{Body: append(start, text...), Address: addressOf(resp.Request.URL)}
	default:
		answer.stream(io.MultiReader(bytes.NewReader(start), resp.Body), a.most)
	}
	if err != nil {
		answer.Close()
		return nil, err
	}
	return answer, nil
}

// beginning reads as many bytes of a response as it takes to tell a stream of events from JSON and
// other texts. It drops empty lines before them. If claimed is true, the content type says that it
// is a stream of events. Then the first byte suffices, since more may come much later.
func beginning(r io.Reader, claimed bool) ([]byte, error) {
	enough := len("retry:")
	if claimed {
		enough = 1
	}
	start := make([]byte, 0, 512)
	for {
		n, err := r.Read(start[len(start):cap(start)])
		start = start[:len(start)+n]
		if kept := bytes.TrimLeft(start, "\r\n\ufeff"); len(kept) < len(start) {
			start = start[:copy(start, kept)]
		}
		text := bytes.TrimLeft(start, " \t")
		switch {
		case len(text) >= enough, len(text) > 0 && strings.ContainsRune("{[<:", rune(text[0])),
			bytes.ContainsAny(text, "\r\n"), len(start) == cap(start), err == io.EOF:
			if len(text) > 0 && strings.ContainsRune("{[<", rune(text[0])) {
				return text, nil
			}
			return start, nil
		case err != nil:
			return nil, err
		}
	}
}

// events reports whether a response is a stream of events, to judge by its first bytes and its
// media type, kind.
func events(start []byte, kind string) bool {
	if start[0] == '<' || kind == "text/html" {
		return false
	}
	if kind == "text/event-stream" || start[0] == ':' {
		return true
	}
	for _, field := range []string{"data", "event", "id", "retry"} {
		rest, is := bytes.CutPrefix(start, []byte(field))
		if is && (len(rest) == 0 || rest[0] == ':') {
			return true
		}
	}
	return false
}

// broken returns the error for a read of the answer that failed with err: the error of the context
// if that has ended, or else [Broken].
func (a *Answer) broken(err error) error {
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	return Broken(err)
}

// stream lets Events read a stream of server-sent events from r. most is the maximum number of
// bytes in one event.
func (a *Answer) stream(r io.Reader, most int) {
	whole := io.MultiReader(&blankFilter{from: r}, strings.NewReader("\n\n"))
	a.events = func(yield func([]byte, error) bool) {
		// What is too much of an event or a line is cut off beneath, by the client.
		for event, err := range sse.Read(whole, &sse.ReadConfig{MaxEventSize: most + 1}) {
			switch {
			case err != nil:
				yield(nil, a.broken(err))
				return
			case event.Data == "":
			case !yield([]byte(event.Data), nil):
				return
			}
		}
	}
}

// values lets Events read JSON values from r: one complete answer, or one value per line. whole
// converts a value to events; nil: the value is an event. If the first value is an error message,
// values returns it as a [Refused].
func (a *Answer) values(r io.Reader, whole func([]byte) [][]byte) error {
	next := func() {}
	if s, ok := a.resp.Body.(*stream); ok {
		s.json, next = true, s.begin
	}
	d := json.NewDecoder(r)
	var first json.RawMessage
	if err := d.Decode(&first); err != nil {
		return a.badValue(err)
	}
	if status, refused := failed(first); refused {
		return &Refused{Status: status, Body: first, RetryAfter: RetryAfter(a.resp),
			Address: addressOf(a.resp.Request.URL)}
	}
	a.events = func(yield func([]byte, error) bool) {
		for value := first; ; {
			list := [][]byte{value}
			if whole != nil {
				list = whole(value)
			}
			for _, event := range list {
				if !yield(event, nil) {
					return
				}
			}
			value = nil
			next()
			if err := d.Decode(&value); err != nil {
				if err != io.EOF {
					yield(nil, a.badValue(err))
				}
				return
			}
		}
	}
	return nil
}

// badValue returns the error for JSON that could not be read: [Early] if the JSON ends too early or
// is malformed, or else the error of the connection.
func (a *Answer) badValue(err error) error {
	var syntax *json.SyntaxError
	if err == io.EOF || err == io.ErrUnexpectedEOF || errors.As(err, &syntax) {
		if a.ctx.Err() == nil {
			return Early()
		}
	}
	return a.broken(err)
}

// failed reports whether a JSON value is an error message and not an answer. status is the HTTP
// status in the message; 0: it has none.
func failed(value []byte) (status int, refused bool) {
	var v struct {
		Error                    any
		Object, Type             string
		Code, Status             any
		Choices, Output, Content json.RawMessage
	}
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(value, &v); err != nil && !errors.As(err, &kind) || len(value) > 0 && value[0] == '[' {
		return 0, true
	}
	if v.Error == nil && v.Object != "error" && v.Type != "error" &&
		(v.Choices != nil || v.Output != nil || v.Content != nil || v.Type != "") {
		return 0, false
	}
	if inner, ok := v.Error.(map[string]any); ok {
		return httpStatus(inner["code"], inner["status"], v.Code, v.Status), true
	}
	return httpStatus(v.Code, v.Status), true
}

// httpStatus returns the first of the decoded JSON values that is the number of an HTTP error (400
// to 599), or 0.
func httpStatus(values ...any) int {
	for _, v := range values {
		if n, ok := v.(float64); ok && n >= 400 && n < 600 {
			return int(n)
		}
	}
	return 0
}
