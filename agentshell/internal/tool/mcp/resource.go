package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const maxResources = 500 // maxResources is the number of resources that are listed of one server.

// Resources returns the list of the server's resources as text. Each line has the URI, the name and
// the description of one resource.
func (c *Client) Resources(ctx context.Context) (text string, err error) {
	caps := c.session.InitializeResult().Capabilities
	if caps == nil || caps.Resources == nil {
		return "[the server has no resources]\n", nil
	}
	var b strings.Builder
	err = c.withTimeout(ctx, "the list of resources", nil, nil, func(ctx context.Context) error {
		n := 0
		for r, err := range c.session.Resources(ctx, nil) {
			if err != nil {
				return err
			}
			if n++; n > maxResources {
				b.WriteString("[more]\n")
				break
			}
			writeLine(&b, r.URI, r.Name, r.Description)
		}
		for r, err := range c.session.ResourceTemplates(ctx, nil) {
			if err != nil { // many servers have none, and say so by an error
				break
			}
			if n++; n > maxResources {
				b.WriteString("[more]\n")
				break
			}
			writeLine(&b, r.URITemplate, r.Name, r.Description)
		}
		return nil
	})
	if err == nil && b.Len() == 0 {
		b.WriteString("[no resources]\n")
	}
	return withoutMiddle(b.String()), err
}

func writeLine(b *strings.Builder, parts ...string) {
	var kept []string
	for _, p := range parts {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			kept = append(kept, p)
		}
	}
	b.WriteString(strings.Join(kept, "  ") + "\n")
}

// Read returns the contents of a resource as text.
func (c *Client) Read(ctx context.Context, uri string) (text string, err error) {
	var result *mcp.ReadResourceResult
	err = c.withTimeout(ctx, "the read", nil, nil, func(ctx context.Context) (err error) {
		result, err = c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		return err
	})
	if err != nil {
		return "", err
	}
	var parts []string
	for _, r := range result.Contents {
		if len(result.Contents) == 1 && len(r.Blob) == 0 {
			return withoutMiddle(r.Text), nil
		}
		parts = append(parts, resourceText(r))
	}
	return withoutMiddle(strings.Join(parts, "\n")), nil
}

// resourceText returns the URI and the text of a resource. Of binary contents it returns only the
// size.
func resourceText(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return ""
	case len(r.Blob) > 0:
		return fmt.Sprintf("[%s: %d bytes of %s, not shown]", r.URI, len(r.Blob), r.MIMEType)
	}
	return r.URI + "\n" + r.Text
}
