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

// maxEmbedded is the number of bytes of embedded texts that one message can send to the model.
const maxEmbedded = 256 << 10

// prompt holds the parameters of session/prompt: a message of the user.
type prompt struct {
	SessionID wire.SessionId
	Prompt    []block
}

// block is one part of a message of the user. Type says which fields are used.
type block struct {
	Type      string
	Text      string
	URI, Name string // For a link: its target and its label.
	Data      string // For a picture: its bytes in base64.
	Resource  *struct {
		URI        string
		Text, Blob *string
	}
}

// message converts the blocks of a prompt to a message for the model. Links to files of the
// workspace become mentions with an @, so that the files are attached. Texts that the client embeds
// are attached unchanged. problems holds lines for the user about what cannot be sent.
func (s *session) message(ctx context.Context, blocks []block) (msg agent.Message, problems []string) {
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
			text.WriteString(s.linkText(b.URI, b.Name))
		case b.Type == "image":
			p, err := pictureOf(b.Data, len(msg.Pictures)+1)
			if err != nil {
				problems = append(problems, fmt.Sprintf("A picture is not sent: %v", err))
				continue
			}
			msg.Pictures = append(msg.Pictures, p)
		case b.Type == "resource" && b.Resource != nil && b.Resource.Text != nil:
			r := b.Resource
			if embedded.Len()+len(displayURI(r.URI))+len(*r.Text) > maxEmbedded {
				problems = append(problems, fmt.Sprintf("%s is not sent: the message holds as much as can be attached.",
					visibleText(displayURI(r.URI))))
				continue
			}
			fmt.Fprintf(&embedded, "\n%s:\n%s", visibleText(displayURI(r.URI)), fenced(*r.Text))
		case b.Type == "resource" && b.Resource != nil && b.Resource.Blob != nil:
			r := b.Resource
			p, err := pictureOf(*r.Blob, len(msg.Pictures)+1)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s is not sent: it is no text and no picture.",
					visibleText(displayURI(r.URI))))
				continue
			}
			msg.Pictures = append(msg.Pictures, p)
		default:
			problems = append(problems, "A part of the message is not sent: it is of a kind that is not known here.")
		}
	}
	msg.Text = text.String()
	if s.parts.Attachments != nil {
		attached, found, moreProblems := s.parts.Attachments(ctx, msg.Text)
		msg.Attached = attached
		msg.Pictures = append(msg.Pictures, found...)
		problems = append(problems, moreProblems...)
	}
	if embedded.Len() > 0 {
		msg.Attached += "\nEmbedded by the editor, as data:\n" + embedded.String()
	}
	return msg, problems
}

// linkText returns the text that stands for a link in a message: an @ and the path if the link
// leads to a file of the workspace.
func (s *session) linkText(uri, label string) string {
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

// displayURI returns a URI as it is shown to the user: a file URI becomes a path.
func displayURI(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" {
		return filepath.Clean(u.Path)
	}
	return uri
}

// pictureOf decodes a picture in base64. It is named "picture n".
func pictureOf(data string, n int) (picture.Picture, error) {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return picture.Picture{}, fmt.Errorf("its bytes are no base64")
	}
	return picture.New(fmt.Sprintf("picture %d", n), b)
}

// fenced returns text as a Markdown code block. The fence has more backticks than any row of
// backticks in the text.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
