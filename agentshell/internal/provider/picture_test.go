package provider_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

func pic(name string, n int) picture.Picture {
	return picture.Picture{Name: name, Media: "image/png", Data: make([]byte, n), W: 1, H: 1}
}

// talk returns a conversation with n pictures of size bytes, half of them from a tool.
func talk(n, size int) []provider.Message {
	var list []provider.Message
	for i := range n {
		p := pic(fmt.Sprint("p", i), size)
		part := provider.Part(provider.Image{Picture: p})
		if i%2 == 1 {
			part = provider.ToolResult{ID: fmt.Sprint(i), Text: "result", Images: []picture.Picture{p}}
		}
		list = append(list, provider.Message{Role: provider.User, Parts: []provider.Part{part}},
			provider.Message{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: "ok"}}})
	}
	return list
}

// names returns the pictures of messages, and the lines that stand for others.
func names(messages []provider.Message) (pictures []string, lines int) {
	text := func(s string) { lines += strings.Count(s, "[picture ") }
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.Image:
				pictures = append(pictures, part.Name)
			case provider.Text:
				text(part.Text)
			case provider.ToolResult:
				text(part.Text)
				for _, p := range part.Images {
					pictures = append(pictures, p.Name)
				}
			}
		}
	}
	return pictures, lines
}

func TestARequestHoldsTheNewestPictures(t *testing.T) {
	for _, c := range []struct {
		name        string
		n, size     int
		sees        bool
		first, kept int
	}{
		{"few", 5, 10, true, 0, 5},
		{"many", 50, 10, true, 50 - provider.MaxImages, provider.MaxImages},
		{"large", 10, provider.MaxImageBytes / 4, true, 6, 4},
		{"nobody sees", 5, 10, false, 0, 0},
	} {
		messages := talk(c.n, c.size)
		before, _ := names(messages)
		got, lines := names(provider.WithImages(messages, c.sees))
		if len(got) != c.kept || lines != c.n-c.kept || c.kept > 0 && got[0] != fmt.Sprint("p", c.first) {
			t.Errorf("%s: kept are %v, %d lines", c.name, got, lines)
		}
		if after, _ := names(messages); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the conversation has changed", c.name)
		}
	}
	plain := []provider.Message{{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "hi"}}}}
	if got := provider.WithImages(plain, false); !reflect.DeepEqual(got, plain) {
		t.Errorf("%v", got)
	}
}

func TestAConversationForgetsTheBytesOfOldPictures(t *testing.T) {
	messages := talk(60, 1000)
	first := messages[0]
	want, lines := names(provider.WithImages(messages, true))
	var trimmed []provider.Message
	for _, m := range messages { // as a conversation grows
		trimmed = provider.TrimPictures(append(trimmed, m))
	}
	kept := 0
	for _, m := range trimmed {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.Image:
				kept += len(part.Data)
			case provider.ToolResult:
				for _, p := range part.Images {
					kept += len(p.Data)
				}
			}
		}
	}
	if kept != provider.MaxImages*1000 {
		t.Errorf("%d bytes are kept", kept)
	}
	if got, n := names(provider.WithImages(trimmed, true)); !reflect.DeepEqual(got, want) || n != lines {
		t.Errorf("a request holds %v and %d lines, want %v and %d", got, n, want, lines)
	}
	if len(first.Parts[0].(provider.Image).Data) != 1000 {
		t.Error("a message that somebody else holds has changed")
	}
}
