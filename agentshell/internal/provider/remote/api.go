package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/tmaxmax/go-sse"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// API is a service that takes JSON and answers with a stream of server-sent events.
type API struct {
	url    string
	header map[string]string
	client *http.Client
	most   int // bytes of an answer
}

// NewAPI returns the service at url, which paths are put behind. The header goes with each request:
// the key, and what a person's config adds. Idle and bounds are those of [Client].
func NewAPI(url string, header map[string]string, idle time.Duration, bounds provider.Bounds) API {
	return API{url: strings.TrimRight(url, "/"), header: header, client: Client(idle, bounds),
		most: bounds.OrDefault().Response}
}

// do makes a request; the answer's status is not one of an error.
func (a API) do(ctx context.Context, method, path string, body io.Reader, accept string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		return nil, &provider.Error{Message: Cut(err.Error()), Cause: err, Final: true}
	}
	req.Header.Set("User-Agent", "scrollkeep")
	req.Header.Set("Accept", accept)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range a.header {
		req.Header.Set(name, value)
	}
	resp, err := a.client.Do(req)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, Broken(err)
	case resp.StatusCode >= http.StatusBadRequest:
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body) // it was read already, and is short
		if err != nil {
			return nil, Broken(err)
		}
		return nil, &Refused{Status: resp.StatusCode, Body: text, RetryAfter: RetryAfter(resp),
			Address: addressOf(req.URL)}
	}
	return resp, nil
}

// Get reads the JSON of a path into out, at most 4 MiB of it.
func (a API) Get(ctx context.Context, path string, out any) error {
	resp, err := a.do(ctx, http.MethodGet, path, nil, "application/json")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	const most = 4 << 20
	text, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return Broken(err)
	case len(text) > most:
		return provider.Longer("the answer is", most)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &provider.Error{Message: "the answer is no JSON: " + Sentence(string(text)), Cause: err}
	}
	return nil
}

// Body is JSON as it is sent.
type Body []byte

// Encode returns a part of a request as JSON without a newline behind it. The signs < > & stay as
// they are. The error is a [provider.Error].
func Encode(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, &provider.Error{Message: "the conversation cannot be sent: " + Cut(err.Error()), Cause: err}
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Stream sends body, a [Body] or a value to be encoded, and gives the data of each event that comes
// back, up to the end of the answer or an error: a [Refused], a [provider.Error], a
// [provider.Excess], or that of ctx. Events without data are left out; the last one may lack its
// empty line.
func (a API) Stream(ctx context.Context, path string, body any) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		text, encoded := body.(Body)
		if !encoded {
			var err error
			if text, err = Encode(body); err != nil {
				yield(nil, err)
				return
			}
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		resp, err := a.do(ctx, http.MethodPost, path, bytes.NewReader(text), "text/event-stream")
		if err != nil {
			yield(nil, err)
			return
		}
		defer resp.Body.Close()
		whole := io.MultiReader(&blankFilter{from: resp.Body}, strings.NewReader("\n\n"))
		// What is too much of an event or a line is cut off beneath, by the client.
		for event, err := range sse.Read(whole, &sse.ReadConfig{MaxEventSize: a.most + 1}) {
			switch {
			case err != nil && ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case err != nil:
				yield(nil, Broken(err))
				return
			case event.Data == "":
			case !yield([]byte(event.Data), nil):
				return
			}
		}
	}
}

// Early returns the error of a stream that ended before the answer did.
func Early() error { return &provider.Error{Message: "the answer ended before it was complete"} }

// Decode reads the JSON of an event. One that is cut off ends the answer early; a field that is of
// another kind than expected, in an event of the future, is left out.
func Decode(data []byte, out any) error {
	err := json.Unmarshal(data, out)
	var kind *json.UnmarshalTypeError
	if err == nil || errors.As(err, &kind) {
		return nil
	}
	return Early()
}

// List returns the ids of the models that a service names at /models.
func (a API) List(ctx context.Context) (ids []string, err error) {
	var list struct {
		Data []struct{ ID, Name string }
	}
	if err := a.Get(ctx, "/models", &list); err != nil {
		return nil, err
	}
	for _, m := range list.Data {
		if id := cmp.Or(m.ID, m.Name); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
