package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// Bounds of what is kept of the answers of servers.
const (
	maxResponses = 500
	maxBodies    = 20 << 20 // bytes of their contents
	maxBody      = 10 << 20
)

// response is an answer of a server.
type response struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	Status int    `json:"status"`
	Type   string `json:"type"`
	id     string
	done   bool
}

// responded notes an answer of a server.
func (t *Tab) responded(method string, params json.RawMessage) {
	var p struct {
		ID       string `json:"requestId"`
		Response struct {
			URL    string `json:"url"`
			Status int    `json:"status"`
			Type   string `json:"mimeType"`
		} `json:"response"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if method == "Network.loadingFinished" {
		for i := range t.responses {
			if t.responses[i].id == p.ID {
				t.responses[i].done = true
			}
		}
		return
	}
	if len(t.responses) == maxResponses {
		t.responses = append(t.responses[:0], t.responses[maxResponses/2:]...)
	}
	t.counted++
	t.responses = append(t.responses, response{Number: t.counted, URL: p.Response.URL, Status: p.Response.Status,
		Type: p.Response.Type, id: p.ID})
}

// since returns the answers with numbers above n that have come whole, and the number of the last
// answer if n is negative.
func (t *Tab) since(n int) (list []response, last int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n < 0 {
		return nil, t.counted
	}
	for _, r := range t.responses {
		if r.Number > n && r.done {
			list = append(list, r)
		}
	}
	return list, t.counted
}

// body returns the content of an answer.
func (t *Tab) body(ctx context.Context, number int) (string, error) {
	id := ""
	t.mu.Lock()
	for _, r := range t.responses {
		if r.Number == number {
			id = r.id
		}
	}
	t.mu.Unlock()
	if id == "" {
		return "", fmt.Errorf("the answer is not kept any more")
	}
	var r struct {
		Body   string
		Base64 bool `json:"base64Encoded"`
	}
	if err := t.call(ctx, "Network.getResponseBody", object{"requestId": id}, &r); err != nil {
		return "", err
	}
	if !r.Base64 {
		return r.Body, nil
	}
	data, err := base64.StdEncoding.DecodeString(r.Body)
	return string(data), err
}
