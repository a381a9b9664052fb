package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const maxPrompts = 100 // maxPrompts is the number of prompts that are listed of one server.

// Prompt is a prompt template of a server, which the user can send to the model.
type Prompt struct {
	Server, Name, About string
	Args                []Arg
}

// Arg is an argument of a Prompt.
type Arg struct {
	Name, About string
	Required    bool
}

// listPrompts returns the server's prompts. It leaves out those with names that are not plain.
func (c *Client) listPrompts(ctx context.Context, server string) (list []Prompt) {
	caps := c.session.InitializeResult().Capabilities
	if caps == nil || caps.Prompts == nil {
		return nil
	}
	for p, err := range c.session.Prompts(ctx, nil) {
		if err != nil || len(list) == maxPrompts {
			break
		}
		one := Prompt{Server: server, Name: p.Name, About: c.oneLine(p.Description)}
		fits := isPlainName(p.Name) && !c.secrets.Contains([]byte(p.Name))
		for _, a := range p.Arguments {
			fits = fits && isPlainName(a.Name) && !c.secrets.Contains([]byte(a.Name))
			one.Args = append(one.Args, Arg{a.Name, c.oneLine(a.Description), a.Required})
		}
		if fits {
			list = append(list, one)
		}
	}
	return list
}

// oneLine returns a description as one line, without secrets.
func (c *Client) oneLine(text string) string {
	return strings.Join(strings.Fields(c.secrets.Redact(text)), " ")
}

// promptText returns the text of a prompt. It marks messages that the server attributes to the
// model.
func (c *Client) promptText(ctx context.Context, name string, args map[string]string) (text string, err error) {
	var result *mcp.GetPromptResult
	err = c.withTimeout(ctx, "the prompt", nil, nil, func(ctx context.Context) (err error) {
		result, err = c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
		return err
	})
	if err != nil {
		return "", err
	}
	var parts []string
	for _, m := range result.Messages {
		part := contentText(m.Content)
		if m.Role == "assistant" {
			part = "Assistant: " + part
		}
		parts = append(parts, part)
	}
	return withoutMiddle(strings.TrimSpace(c.secrets.Redact(strings.Join(parts, "\n\n")))), nil
}

// Prompts returns the prompts of all ready servers.
func (f *Fleet) Prompts() (list []Prompt) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.members {
		if m.status.State == Ready {
			list = append(list, m.prompts...)
		}
	}
	return list
}

// Prompt requests the text of a prompt from a server.
func (f *Fleet) Prompt(ctx context.Context, server, name string, args map[string]string) (string, error) {
	var c *Client
	f.mu.Lock()
	for _, m := range f.members {
		if m.server.Name == server && m.status.State == Ready {
			c = m.client
		}
	}
	f.mu.Unlock()
	if c == nil {
		return "", fmt.Errorf("the server %s is not there now; /mcp shows why", server)
	}
	return c.promptText(ctx, name, args)
}
