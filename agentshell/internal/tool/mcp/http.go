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

// dial connects to a server over HTTP: with the streamable HTTP transport, or with the older SSE
// transport if the server does not support the first one.
func (c *Client) dial(ctx context.Context, own *mcp.Client, s Server) (err error) {
	base, _ := http.DefaultTransport.(*http.Transport)
	base = base.Clone()
	base.MaxResponseHeaderBytes = maxHeader
	c.idle = base.CloseIdleConnections
	home, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &bearer{base, home, s.Token, s.Headers, c.met}, CheckRedirect: fewRedirects}
	options := &mcp.ClientSessionOptions{ProtocolVersion: revision}
	login, err := s.login()
	if err != nil {
		return err
	}
	c.session, err = own.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client,
		MaxEventSize: maxLine, OAuthHandler: login}, options)
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

// maxHeader is the number of bytes that the header of a response may have.
const maxHeader = 256 << 10

func fewRedirects(_ *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("it leads on too often")
	}
	return nil
}

// bearer is an HTTP transport that adds the bearer token and other headers, and limits the
// responses. It sends requests only to the host of home, whatever redirects or an "endpoint" event
// of the SSE transport say.
type bearer struct {
	base  http.RoundTripper
	home  *url.URL
	token string
	more  map[string]string
	met   *prelude
}

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != b.home.Host || r.URL.Scheme != b.home.Scheme {
		return nil, fmt.Errorf("it leads to another host, %s", r.URL.Host)
	}
	r = r.Clone(r.Context())
	for name, value := range b.more {
		r.Header.Set(name, value)
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := b.base.RoundTrip(r)
	if err == nil {
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		resp.Body = &limitedBody{ReadCloser: resp.Body, left: maxLine, lines: kind == "text/event-stream", met: b.met,
			pace: messages()}
		if kind == "application/json" || kind == "text/event-stream" {
			resp.ContentLength = -1
			resp.Body = &mendedBody{Closer: resp.Body, in: bufio.NewReader(resp.Body),
				events: kind == "text/event-stream"}
		}
	}
	return resp, err
}

// limitedBody is a response body that fails after left bytes. If lines is set, left is counted for
// each line again.
type limitedBody struct {
	io.ReadCloser
	left  int
	lines bool
	met   *prelude
	flow  child.Pace // flow limits the rate of bytes.
	pace  child.Pace // pace limits the rate of messages.
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	messages := 0
	if b.lines {
		messages = bytes.Count(p[:n], []byte("\n"))
	}
	if flood := b.met.count(n, messages); flood != nil {
		return 0, flood
	}
	b.flow.Spend(n)
	b.pace.Spend(messages)
	if i := bytes.LastIndexByte(p[:n], '\n'); b.lines && i >= 0 {
		b.left = maxLine - (n - i - 1)
	}
	return n, err
}
