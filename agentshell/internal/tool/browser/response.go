package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// These constants limit the server responses that are kept for a tab.
const (
	maxResponses = 500
	// maxBodiesBytes is the number of bytes that the contents of all responses may have together.
	maxBodiesBytes = 20 << 20
	maxBodyBytes   = 10 << 20
)

// response is an HTTP response that a page received, as scripts see it.
type response struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	Status int    `json:"status"`
	Type   string `json:"type"`
	id     string
	done   bool
}

// handleResponse handles the events that a response of a server has begun or is complete.
func (t *Tab) handleResponse(method string, params json.RawMessage) {
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
	t.responseCount++
	t.responses = append(t.responses, response{Number: t.responseCount, URL: p.Response.URL, Status: p.Response.Status,
		Type: p.Response.Type, id: p.ID})
}

// responsesSince returns the complete responses with a Number above n, and the highest number so
// far in last. For a negative n it returns only last.
func (t *Tab) responsesSince(n int) (list []response, last int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n < 0 {
		return nil, t.responseCount
	}
	for _, r := range t.responses {
		if r.Number > n && r.done {
			list = append(list, r)
		}
	}
	return list, t.responseCount
}

// responseBody returns the content of the response with the given number. The browser may have
// dropped it already.
func (t *Tab) responseBody(ctx context.Context, number int) (string, error) {
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
