package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// API is a service that takes JSON and answers with a stream of server-sent events.
type API struct {
	at       address
	header   map[string]string
	client   *http.Client
	most     int // bytes of an answer
	dialects *Dialects
}

// NewAPI returns the service at url, which paths are put behind. The header goes with each request:
// the key, and what a person's config adds. Idle and bounds are those of [Client].
func NewAPI(url string, header map[string]string, idle time.Duration, bounds provider.Bounds) API {
	return API{at: newAddress(url), header: header, client: Client(idle, bounds),
		most: bounds.OrDefault().Response, dialects: new(Dialects)}
}

// Sharing returns the service with what d holds of it; nil: nothing is shared.
func (a API) Sharing(d *Dialects) API {
	if d != nil {
		a.dialects = d
	}
	return a
}

// Address returns where the service is, without a query.
func (a API) Address() string { return a.at.base }

// do makes a request; the answer's status is not one of an error.
func (a API) do(ctx context.Context, method, path string, body io.Reader, accept string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, a.at.requestURL(path), body)
	if err != nil {
		return nil, &provider.Error{Message: Cut(err.Error()), Cause: err, Final: true}
	}
	req.Header.Set("User-Agent", "agentshell")
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
		return provider.TooLongError("the answer is", most)
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

// models is a list of them. Some servers have another name for it, or both.
type models struct {
	Data   []json.RawMessage
	Models []json.RawMessage
}

// listModels returns what a service says of its models at /models, or behind a version that its
// address lacks.
func (a API) listModels(ctx context.Context) ([]json.RawMessage, error) {
	var list models
	err := a.Get(ctx, a.missingVersion()+"/models", &list)
	if list.Data == nil && a.missingVersion() == "" && a.at.plain() {
		if a.Get(ctx, version+"/models", &list) == nil && list.Data != nil {
			a.dialects.learn(fact{address: a.at.base, what: lacking})
			err = nil
		}
	}
	return slices.Concat(list.Data, list.Models), err
}

// List returns the ids of the models that a service names.
func (a API) List(ctx context.Context) (ids []string, err error) {
	list, err := a.listModels(ctx)
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		var m struct{ ID, Name string }
		_ = json.Unmarshal(entry, &m) // an entry of another kind names none
		if id := cmp.Or(m.ID, m.Name); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
