package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/scrollkeep/scrollkeep/agentshell/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
)

// params writes the conversation as the API wants it. The provider's cache is told of the end of
// the request, which the next step of the turn sends again, and of the end of what stands before
// the messages, which outlives a compaction. Nothing in the messages is marked: what was sent once
// is sent again to the byte.
func (m *Model) params(req provider.Request) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: m.name, MaxTokens: m.answer, CacheControl: sdk.NewCacheControlEphemeralParam()}
	if req.System != "" {
		p.System = []sdk.TextBlockParam{{Text: req.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	if m.thinking {
		p.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{Display: sdk.ThinkingConfigAdaptiveDisplaySummarized}
	}
	for _, msg := range req.Messages {
		var blocks []sdk.ContentBlockParamUnion
		for _, part := range msg.Parts {
			blocks = append(blocks, content(part)...)
		}
		switch {
		case len(blocks) == 0:
		case msg.Role == provider.Assistant:
			p.Messages = append(p.Messages, sdk.NewAssistantMessage(blocks...))
		default:
			p.Messages = append(p.Messages, sdk.NewUserMessage(blocks...))
		}
	}
	for _, spec := range req.Tools {
		t, err := toolParam(spec)
		if err != nil {
			return p, fmt.Errorf("the schema of tool %s: %w", spec.Name, err)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &t})
	}
	return p, nil
}

// content is one part as the API takes it back, or nothing: the API refuses blank text, and
// thinking without its signature.
func content(part provider.Part) []sdk.ContentBlockParamUnion {
	switch part := part.(type) {
	case provider.Compaction:
		return []sdk.ContentBlockParamUnion{sdk.NewTextBlock(part.Text)}
	case provider.Text:
		if strings.TrimSpace(part.Text) != "" {
			return []sdk.ContentBlockParamUnion{sdk.NewTextBlock(part.Text)}
		}
	case provider.Thinking:
		if part.Redacted != "" {
			return []sdk.ContentBlockParamUnion{sdk.NewRedactedThinkingBlock(part.Redacted)}
		}
		if part.Signature != "" {
			return []sdk.ContentBlockParamUnion{sdk.NewThinkingBlock(part.Signature, part.Text)}
		}
	case provider.ToolCall:
		return []sdk.ContentBlockParamUnion{sdk.NewToolUseBlock(part.ID, part.Object(), part.Name)}
	case provider.ToolResult:
		text := part.Text
		if strings.TrimSpace(text) == "" {
			text = "(no output)"
		}
		block := sdk.NewToolResultBlock(part.ID, text, part.IsError)
		for _, p := range part.Images {
			img := imageParam(p)
			block.OfToolResult.Content = append(block.OfToolResult.Content,
				sdk.ToolResultBlockParamContentUnion{OfImage: &img})
		}
		return []sdk.ContentBlockParamUnion{block}
	case provider.Image:
		img := imageParam(part.Picture) // and its name, which the person's words may speak of
		return []sdk.ContentBlockParamUnion{sdk.NewTextBlock(part.Line()), {OfImage: &img}}
	}
	return nil
}

func imageParam(p picture.Picture) sdk.ImageBlockParam {
	return sdk.ImageBlockParam{Source: sdk.ImageBlockParamSourceUnion{OfBase64: &sdk.Base64ImageSourceParam{
		Data: base64.StdEncoding.EncodeToString(p.Data), MediaType: sdk.Base64ImageSourceMediaType(p.Media),
	}}}
}

func toolParam(spec tool.Spec) (sdk.ToolParam, error) {
	t := sdk.ToolParam{Name: spec.Name, Description: sdk.String(spec.Description)}
	if len(spec.Schema) == 0 {
		return t, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(spec.Schema, &fields); err != nil {
		return t, err
	}
	for name, value := range fields {
		switch name {
		case "type":
			if string(value) != `"object"` {
				return t, fmt.Errorf("its type is %s, not object", value)
			}
		case "properties":
			t.InputSchema.Properties = value
		case "required":
			if err := json.Unmarshal(value, &t.InputSchema.Required); err != nil {
				return t, err
			}
		default:
			if t.InputSchema.ExtraFields == nil {
				t.InputSchema.ExtraFields = map[string]any{}
			}
			t.InputSchema.ExtraFields[name] = value
		}
	}
	return t, nil
}
