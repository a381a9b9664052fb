package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Answer is the result of a tool call.
type Answer struct {
	Text   string
	Images [][]byte // Images holds at most maxImages images as the server sent them; their formats are not checked.
	Failed bool     // Failed says that the tool reported a failure.
}

// Call calls a tool. It calls report with each progress message of the server, unless report is
// nil. If ctx ends or the call takes too long, it cancels the call at the server and returns an
// error.
func (c *Client) Call(ctx context.Context, name string, args json.RawMessage, report func(string)) (Answer, error) {
	if len(args) > maxArgsBytes {
		return Answer{}, fmt.Errorf("it was not sent: the arguments have %d bytes, and a server gets at most %d",
			len(args),
			maxArgsBytes)
	}
	params := &mcp.CallToolParams{Name: name, Arguments: args}
	token, progress := c.newProgressToken()
	defer c.removeProgressToken(token)
	params.SetProgressToken(token)
	var result *mcp.CallToolResult
	err := c.withTimeout(ctx, "the call", progress, report, func(ctx context.Context) (err error) {
		result, err = c.session.CallTool(ctx, params)
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	var parts []string
	var images [][]byte
	for _, p := range result.Content {
		if p, is := p.(*mcp.ImageContent); is && len(images) < maxImages {
			images = append(images, p.Data)
			continue
		}
		parts = append(parts, contentText(p))
	}
	if len(parts) == 0 && len(images) == 0 && result.StructuredContent != nil {
		text, err := json.Marshal(result.StructuredContent)
		if err != nil {
			return Answer{}, err
		}
		parts = append(parts, string(text))
	}
	return Answer{Text: withoutMiddle(strings.Join(parts, "\n")), Images: images, Failed: result.IsError}, nil
}

// maxImages is the number of images that are taken from one result.
const maxImages = 8

// contentText returns a piece of a result as text; for pictures and sounds it returns a short
// description.
func contentText(p mcp.Content) string {
	switch p := p.(type) {
	case *mcp.TextContent:
		return p.Text
	case *mcp.EmbeddedResource:
		return resourceText(p.Resource)
	case *mcp.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[resource %s %s]", p.URI, p.Name))
	case *mcp.ImageContent:
		return fmt.Sprintf("[image %s, not shown]", p.MIMEType)
	case *mcp.AudioContent:
		return fmt.Sprintf("[audio %s, not shown]", p.MIMEType)
	}
	return "[content of an unknown kind, not shown]"
}

// withTimeout runs do, and returns an error if it takes longer than the timeout of the client. A
// progress message starts the timeout again. what names the request for the error.
func (c *Client) withTimeout(ctx context.Context, what string, progress <-chan string, report func(string),
	do func(context.Context) error) error {
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- do(own) }()
	late := time.NewTimer(c.timeout)
	defer late.Stop()
	end := time.Now().Add(maxTimeouts * c.timeout)
	for {
		select {
		case err := <-done:
			var said *jsonrpc.Error
			switch {
			case err == nil:
				return nil
			case errors.Is(err, ErrLogin):
				return fmt.Errorf("the server does not take the login any more; the user can renew it: /mcp login NAME")
			case errors.As(err, &said) && ctx.Err() == nil:
				return fmt.Errorf("the server answers with an error: %s (%d)",
					withoutMiddle(c.secrets.Redact(said.Message)),
					said.Code)
			}
			return c.secrets.Error(c.reasonFor(ctx, err))
		case text := <-progress:
			late.Reset(min(c.timeout, time.Until(end)))
			if report != nil && text != "" {
				report(text)
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return fmt.Errorf("the server has not answered %s within %v; timeout_s in the config file gives it "+
				"more time", what, c.timeout)
		}
	}
}

// newProgressToken returns a new progress token for a call, and the channel on which its progress
// messages arrive.
func (c *Client) newProgressToken() (token int, progress chan string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastToken++
	progress = make(chan string, 1)
	c.progressByToken[c.lastToken] = progress
	return c.lastToken, progress
}

func (c *Client) removeProgressToken(token int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.progressByToken, token)
}

// maxProgressBytes is the number of bytes of a progress message that are used.
const maxProgressBytes = 200

// handleProgress handles a progress message. It drops the message if the previous one was not
// received yet.
func (c *Client) handleProgress(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	number, ok := r.Params.ProgressToken.(float64)
	if !ok {
		return
	}
	c.mu.Lock()
	to := c.progressByToken[int(number)]
	c.mu.Unlock()
	text := c.secrets.Redact(r.Params.Message)
	if len(text) > maxProgressBytes {
		text = width.Head(text, maxProgressBytes) + "…"
	}
	if r.Params.Total > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%g of %g %s", r.Params.Progress, r.Params.Total, text))
	}
	select {
	case to <- text:
	default:
	}
}

// withoutMiddle returns text with at most about maxTextBytes bytes: if it is longer, the middle is
// left out.
func withoutMiddle(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	const half = maxTextBytes / 2
	head, tail := width.Head(text, half), width.Tail(text, half)
	return strings.ToValidUTF8(fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, len(text)-len(head)-len(tail), tail),
		"\uFFFD")
}
