package websearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
)

// These constants limit what is read of a service's answer.
const (
	maxBodyBytes      = 4 << 20  // maxBodyBytes is the number of bytes of an answer.
	maxErrorBodyBytes = 64 << 10 // maxErrorBodyBytes is the number of bytes of an answer with an error status.
	// maxJSONValues is the number of JSON values, because each takes much more memory than its
	// text.
	maxJSONValues = 50_000
)

// serviceClient sends the requests of one search to one service.
type serviceClient struct {
	service searchService
	base    string
	account Account
	key     string
	allowed *proxy.Hosts
}

// Failure is the error of a service that gave no results.
type Failure struct {
	Status  int    // Status is the HTTP status; 0: there is none.
	Message string // Message is the error message of the service.
	Retry   time.Duration
}

func (f *Failure) Error() string {
	text := f.Message
	switch {
	case text == "" && f.Status != 0:
		text = fmt.Sprintf("HTTP %d %s", f.Status, http.StatusText(f.Status))
	case f.Status != 0:
		text = fmt.Sprintf("HTTP %d: %s", f.Status, text)
	}
	return strings.TrimSpace(text)
}

// failureOf returns a Failure whose message does not come from the service.
func failureOf(format string, args ...any) error {
	return &Failure{Message: fmt.Sprintf(format, args...)}
}

// explain returns the text of an error for the user: why the service gave no results.
func (c serviceClient) explain(ctx context.Context, err error) string {
	label := c.service.label
	var f *Failure
	var private proxy.Refusal
	switch {
	case errors.As(err, &private) && private.Private:
		return label + ": " + private.Error()
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		return fmt.Sprintf("%s did not answer within %v", label, c.service.patience())
	case !errors.As(err, &f):
		return label + ": " + errorWithoutURL(err)
	case c.service.name == "anthropic" && f.Status == http.StatusNotFound:
		return "Anthropic web search returned 404 (model or endpoint not found)."
	case (f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden) && c.service.name != "zai":
		hint := "Check its key."
		if c.service.name == "searxng" && f.Status == http.StatusForbidden {
			hint = "Check its key, and whether the server allows format=json."
		}
		return fmt.Sprintf("%s authorization failed (%d). %s", label, f.Status, hint)
	case f.Status == http.StatusTooManyRequests:
		text := label + " rate limit reached (429)."
		if f.Retry > 0 {
			text += fmt.Sprintf(" It asks to wait %v.", f.Retry.Round(time.Second))
		}
		return text
	}
	return label + ": " + f.Error()
}

// errorWithoutURL returns the message of an error without the URL, because the URL can contain the
// query.
func errorWithoutURL(err error) string {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return err.Error()
}

// post sends body as JSON to a path below the service's URL, and decodes the answer into out.
func (c serviceClient) post(ctx context.Context, path string, header map[string]string, body, out any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return err
	}
	data, err := c.send(ctx, http.MethodPost, path, header, &text)
	if err != nil {
		return err
	}
	return decode(data, out)
}

// get requests a path below the service's URL, and decodes the answer into out.
func (c serviceClient) get(ctx context.Context, path string, header map[string]string, out any) error {
	data, err := c.send(ctx, http.MethodGet, path, header, nil)
	if err != nil {
		return err
	}
	return decode(data, out)
}

// bearer returns the Authorization header with the API key, or nil if there is no key.
func (c serviceClient) bearer() map[string]string {
	if c.key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + c.key}
}

// send sends a request and returns the body of the answer. A redirect is an error, so that the API
// key is only sent to this host.
func (c serviceClient) send(ctx context.Context, method, path string, header map[string]string, body io.Reader) ([]byte,
	error) {
	way := &proxy.Proxy{Hosts: c.allowed}
	transport := &http.Transport{DialContext: way.Dial, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 256 << 10}
	defer transport.CloseIdleConnections()
	web := &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, failureOf("the request cannot be made")
	}
	req.Header.Set("User-Agent", "agentshell")
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := web.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBodyBytes))
		return nil, failureInResponse(res, text)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxBodyBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, failureOf("the answer ended before it was complete")
	case err != nil:
		return nil, err
	case len(data) > maxBodyBytes:
		return nil, failureOf("the answer has more than %d MiB", maxBodyBytes>>20)
	}
	return data, nil
}

// failureInResponse returns the Failure for a response with an error status.
func failureInResponse(res *http.Response, body []byte) *Failure {
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		return &Failure{Status: res.StatusCode, Message: "it redirects to another address, where the key is not sent"}
	}
	f := &Failure{Status: res.StatusCode, Message: errorMessage(body), Retry: remote.RetryAfter(res)}
	if f.Retry == 0 && f.Status == http.StatusTooManyRequests {
		f.Retry = shortestReset(res.Header.Get("X-RateLimit-Reset"))
	}
	return f
}

// shortestReset returns the shortest time in a rate limit header with seconds, such as "1,
// 1419704". It returns 0 if there is none.
func shortestReset(header string) (shortest time.Duration) {
	for part := range strings.SplitSeq(header, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err == nil && n > 0 && n < 1e8 && (shortest == 0 || time.Duration(n)*time.Second < shortest) {
			shortest = time.Duration(n) * time.Second
		}
	}
	return shortest
}

// errorMessage returns the error message in the body of a response. It knows the formats of all
// services.
func errorMessage(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		text := string(body)
		if i := strings.IndexByte(text, '<'); i >= 0 { // a page
			text = text[:i]
		}
		return untrusted.Line(text, maxErrorBytes)
	}
	return untrusted.Line(messageInValue(value, 0), maxErrorBytes)
}

// messageInValue returns the first error message in a JSON value, down to a depth of 4, or "".
func messageInValue(value any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := value.(type) {
	case string:
		return v
	case []any:
		for _, e := range v {
			if text := messageInValue(e, depth+1); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, name := range []string{"error", "errors", "detail", "message", "msg", "readableMessage", "reason",
			"title"} {
			if text := messageInValue(v[name], depth+1); text != "" {
				return text
			}
		}
	}
	return ""
}

// hasTooManyValues reports whether a JSON text has more than maxJSONValues values. It counts the
// commas and opening brackets outside of strings.
func hasTooManyValues(data []byte) bool {
	n, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n > maxJSONValues
}

// decode decodes an answer into out. It leaves out members with an unexpected type.
func decode(data []byte, out any) error {
	if hasTooManyValues(data) {
		return failureOf("the answer has more than %d values", maxJSONValues)
	}
	err := json.Unmarshal(data, out)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind) && kind.Field != "":
		return nil
	case errors.As(err, &kind):
		return failureOf("the answer is not in the form that was expected")
	case len(bytes.TrimSpace(data)) == 0:
		return failureOf("the answer is empty")
	case strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 100)])), "<"):
		return failureOf("the answer is a page and no JSON")
	}
	return failureOf("the answer is no complete JSON")
}
