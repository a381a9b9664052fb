package acp

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// maxEmbedded is how many bytes of embedded texts go with one message.
const maxEmbedded = 256 << 10

// prompt is a message of the person's.
type prompt struct {
	SessionID wire.SessionId
	Prompt    []block
}

// block is a part of a message. Type says which of the fields count; what is missing is empty.
type block struct {
	Type      string
	Text      string
	URI, Name string // of a link
	Data      string // of a picture, in base64
	Resource  *struct {
		URI        string
		Text, Blob *string
	}
}

// message returns what the person says by the blocks of a prompt. Links to files of the workspace
// are mentions, which attach what they name; texts that the client embeds are attached as they are.
// Problems are for the person.
func (s *session) message(ctx context.Context, blocks []block) (said agent.Message, problems []string) {
	var text, embedded strings.Builder
	for _, b := range blocks {
		switch {
		case b.Type == "text":
			text.WriteString(b.Text)
		case b.Type == "resource_link":
			if n := text.Len(); n > 0 && !strings.HasSuffix(text.String(), " ") && !strings.HasSuffix(text.String(),
				"\n") {
				text.WriteByte(' ')
			}
			text.WriteString(s.link(b.URI, b.Name))
		case b.Type == "image":
			p, err := pictureOf(b.Data, len(said.Pictures)+1)
			if err != nil {
				problems = append(problems, fmt.Sprintf("A picture is not sent: %v", err))
				continue
			}
			said.Pictures = append(said.Pictures, p)
		case b.Type == "resource" && b.Resource != nil && b.Resource.Text != nil:
			r := b.Resource
			if embedded.Len()+len(name(r.URI))+len(*r.Text) > maxEmbedded {
				problems = append(problems, fmt.Sprintf("%s is not sent: the message holds as much as can be attached.",
					plain(name(r.URI))))
				continue
			}
			fmt.Fprintf(&embedded, "\n%s:\n%s", plain(name(r.URI)), fenced(*r.Text))
		case b.Type == "resource" && b.Resource != nil && b.Resource.Blob != nil:
			r := b.Resource
			p, err := pictureOf(*r.Blob, len(said.Pictures)+1)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s is not sent: it is no text and no picture.",
					plain(name(r.URI))))
				continue
			}
			said.Pictures = append(said.Pictures, p)
		default:
			problems = append(problems, "A part of the message is not sent: it is of a kind that is not known here.")
		}
	}
	said.Text = text.String()
	if s.parts.With != nil {
		attached, found, more := s.parts.With(ctx, said.Text)
		said.Attached = attached
		said.Pictures = append(said.Pictures, found...)
		problems = append(problems, more...)
	}
	if embedded.Len() > 0 {
		said.Attached += "\nEmbedded by the editor, as data:\n" + embedded.String()
	}
	return said, problems
}

// link returns how a message names what a link leads to.
func (s *session) link(uri, label string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		if label == "" {
			return uri
		}
		return fmt.Sprintf("%s (%s)", label, uri)
	}
	p, err := s.parts.Workspace.Resolve(u.Path)
	if err != nil {
		return u.Path
	}
	return "@" + mention.Quote(p.Match(), false)
}

// name returns a uri as a person reads it.
func name(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" {
		return filepath.Clean(u.Path)
	}
	return uri
}

func pictureOf(data string, n int) (picture.Picture, error) {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return picture.Picture{}, fmt.Errorf("its bytes are no base64")
	}
	return picture.New(fmt.Sprintf("picture %d", n), b)
}

// fenced returns text between rows of more backticks than stand in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
