package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/scrollkeep/scrollkeep/agentshell/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// params writes the conversation as the API wants it. What a model thought does not go back: the
// API has no place for it.
func (m *Model) params(req provider.Request) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: m.name,
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)}}
	if req.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(req.System))
	}
	for _, msg := range provider.WithImages(req.Messages, m.sees) {
		if msg.Role == provider.Assistant {
			p.Messages = append(p.Messages, assistant(msg)...)
		} else {
			p.Messages = append(p.Messages, user(msg)...)
		}
	}
	for _, spec := range req.Tools {
		f := shared.FunctionDefinitionParam{Name: spec.Name, Description: sdk.String(spec.Description)}
		if len(spec.Schema) > 0 {
			if err := json.Unmarshal(spec.Schema, &f.Parameters); err != nil {
				return p, fmt.Errorf("the schema of tool %s: %w", spec.Name, err)
			}
		}
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(f))
	}
	return p, nil
}

// assistant is a message of the model, or nothing.
func assistant(msg provider.Message) []sdk.ChatCompletionMessageParamUnion {
	var out sdk.ChatCompletionAssistantMessageParam
	var text strings.Builder
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Text:
			text.WriteString(part.Text)
		case provider.ToolCall:
			out.ToolCalls = append(out.ToolCalls,
				sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
					ID: part.ID, Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: part.Name,
						Arguments: string(part.Object())},
				}})
		}
	}
	if text.Len() > 0 {
		out.Content.OfString = sdk.String(text.String())
	}
	if text.Len() == 0 && len(out.ToolCalls) == 0 {
		return nil
	}
	return []sdk.ChatCompletionMessageParamUnion{{OfAssistant: &out}}
}

// user is the results of calls, each a message that must come right behind the calls, and then what
// the person said and brought. Results hold text only: the pictures in them come as if the person
// had brought them.
func user(msg provider.Message) (out []sdk.ChatCompletionMessageParamUnion) {
	var text []string
	var images []sdk.ChatCompletionContentPartUnionParam
	show := func(p picture.Picture) {
		url := "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
		images = append(images, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: url}))
	}
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Text:
			text = append(text, part.Text)
		case provider.Compaction:
			text = append(text, part.Text)
		case provider.Image:
			show(part.Picture)
		case provider.ToolResult:
			out = append(out, sdk.ToolMessage(part.Text, part.ID))
			for _, p := range part.Images {
				show(p)
			}
		}
	}
	said := strings.Join(text, "\n\n")
	switch {
	case len(images) > 0 && strings.TrimSpace(said) != "":
		out = append(out, sdk.UserMessage(append(images, sdk.TextContentPart(said))))
	case len(images) > 0:
		out = append(out, sdk.UserMessage(images))
	case strings.TrimSpace(said) != "":
		out = append(out, sdk.UserMessage(said))
	}
	return out
}
