package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// connectHTTP connects to a server over HTTP: with the streamable HTTP transport, or with the older
// SSE transport if the server does not support the first one.
func (c *Client) connectHTTP(ctx context.Context, own *mcp.Client, s Server) (err error) {
	base, _ := http.DefaultTransport.(*http.Transport)
	base = base.Clone()
	base.MaxResponseHeaderBytes = maxHeaderBytes
	c.closeIdle = base.CloseIdleConnections
	home, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &bearerTransport{base, home, s.Token, s.Headers, c.prelude},
		CheckRedirect: limitRedirects}
	options := &mcp.ClientSessionOptions{ProtocolVersion: protocolVersion}
	login, err := s.loginHandler()
	if err != nil {
		return err
	}
	c.session, err = own.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client,
		MaxEventSize: maxMessageLineBytes, OAuthHandler: login}, options)
	switch {
	case errors.Is(err, ErrLogin):
		c.session = nil
		return ErrLogin
	case err == nil || ctx.Err() != nil || s.ask != nil:
		return err
	}
	var older error
	if c.session, older = own.Connect(ctx, &mcp.SSEClientTransport{Endpoint: s.URL, HTTPClient: client},
		options); older != nil {
		c.session = nil
		return err
	}
	return nil
}

// maxHeaderBytes is the number of bytes that the header of a response may have.
const maxHeaderBytes = 256 << 10

func limitRedirects(_ *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("it leads on too often")
	}
	return nil
}

// bearerTransport is an HTTP transport that adds the bearer token and other headers, and limits the
// responses. It sends requests only to the host of homeURL, whatever redirects or an "endpoint"
// event of the SSE transport say.
type bearerTransport struct {
	base    http.RoundTripper
	homeURL *url.URL
	token   string
	headers map[string]string
	met     *prelude
}

func (b *bearerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != b.homeURL.Host || r.URL.Scheme != b.homeURL.Scheme {
		return nil, fmt.Errorf("it leads to another host, %s", r.URL.Host)
	}
	r = r.Clone(r.Context())
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := b.base.RoundTrip(r)
	if err == nil {
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		resp.Body = &limitedBody{ReadCloser: resp.Body, bytesLeft: maxMessageLineBytes,
			perLine: kind == "text/event-stream", prelude: b.met,
			messagePace: messagePace()}
		if kind == "application/json" || kind == "text/event-stream" {
			resp.ContentLength = -1
			resp.Body = &repairedBody{Closer: resp.Body, in: bufio.NewReader(resp.Body),
				events: kind == "text/event-stream"}
		}
	}
	return resp, err
}

// limitedBody is a response body that fails after bytesLeft bytes. If perLine is set, they are
// counted for each line again.
type limitedBody struct {
	io.ReadCloser
	bytesLeft   int
	perLine     bool
	prelude     *prelude
	bytePace    child.Pace // bytePace limits the rate of bytes.
	messagePace child.Pace // messagePace limits the rate of messages.
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.bytesLeft <= 0 {
		return 0, errLongMessage
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.bytesLeft)])
	b.bytesLeft -= n
	messages := 0
	if b.perLine {
		messages = bytes.Count(p[:n], []byte("\n"))
	}
	if flood := b.prelude.count(n, messages); flood != nil {
		return 0, flood
	}
	b.bytePace.Spend(n)
	b.messagePace.Spend(messages)
	if i := bytes.LastIndexByte(p[:n], '\n'); b.perLine && i >= 0 {
		b.bytesLeft = maxMessageLineBytes - (n - i - 1)
	}
	return n, err
}
