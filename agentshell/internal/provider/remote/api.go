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

// API is a service that accepts requests in JSON and answers with a stream of server-sent events.
type API struct {
	at       address
	header   map[string]string
	client   *http.Client
	most     int // The maximum number of bytes in an answer.
	dialects *Dialects
}

// NewAPI returns the service at url. Paths of requests are appended to the url. header is sent with
// each request: it contains the key, and the headers that the user has configured. See [Client] for
// idle and bounds.
func NewAPI(url string, header map[string]string, idle time.Duration, bounds provider.Bounds) API {
	return API{at: newAddress(url), header: header, client: Client(idle, bounds),
		most: bounds.OrDefault().Response, dialects: new(Dialects)}
}

// Sharing returns a copy of the API that shares d, the knowledge about servers, with other models.
// If d is nil, it shares nothing.
func (a API) Sharing(d *Dialects) API {
	if d != nil {
		a.dialects = d
	}
	return a
}

// Address returns the URL of the service without its query, which may contain a key.
func (a API) Address() string { return a.at.base }

// do sends a request. A response with the status of an error is returned as an error.
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

// Get requests a path and decodes the JSON of the response into out. It reads at most 4 MiB.
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

// Body is the body of a request that is encoded as JSON already.
type Body []byte

// Encode returns v as JSON for a request, without a newline at the end. The characters < > & are
// not escaped. The error is a [provider.Error].
func Encode(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, &provider.Error{Message: "the conversation cannot be sent: " + Cut(err.Error()), Cause: err}
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Early returns the error of an answer that ended before it was complete.
func Early() error { return &provider.Error{Message: "the answer ended before it was complete"} }

// Decode decodes the JSON of an event into out. Malformed JSON is an [Early] error. A field of an
// unexpected type is skipped, because a later version of the API may have it.
func Decode(data []byte, out any) error {
	err := json.Unmarshal(data, out)
	var kind *json.UnmarshalTypeError
	if err == nil || errors.As(err, &kind) {
		return nil
	}
	return Early()
}

// models is a response that lists models. Servers name the list "data" or "models", and some send
// both.
type models struct {
	Data   []json.RawMessage
	Models []json.RawMessage
}

// listModels requests the service's list of models, at /models. If that fails and the address lacks
// a version, it tries /v1/models.
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

// List returns the ids of the models in the service's list.
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
