package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// The kinds of facts about whether a model sees pictures: the server was asked, the model does, and
// the user was told that it gets none.
const looked, sighted, toldBlind = "looked", "sees", "told blind"

// Sees reports whether the service's list of models says that the model accepts pictures. The list
// is requested once per model.
func (a API) Sees(ctx context.Context, model string) bool {
	about := func(what string) fact { return fact{a.at.base, model, what} }
	if !a.dialects.has(about(looked)) {
		const patience = 5 * time.Second
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		list, err := a.listModels(ctx)
		if err != nil && ctx.Err() != nil {
			return false // it may answer later
		}
		a.dialects.learn(about(looked))
		if seen(list, model) {
			a.dialects.learn(about(sighted))
		}
	}
	return a.dialects.has(about(sighted))
}

// Blind returns a message for the user that the model gets no pictures. first is true only for the
// first call per model.
func (a API) Blind(model string) (note string, first bool) {
	done := fact{a.at.base, model, toldBlind}
	if a.dialects.has(done) {
		return "", false
	}
	a.dialects.learn(done)
	return fmt.Sprintf("Pictures are not sent: the server does not say that %s sees them. If it does, set sees = true "+
		"for it in the config file ([models.NAME]).", model), true
}

// seen reports whether the list of models says that the model accepts pictures. If the list has
// only one entry, that entry counts whatever its name is.
func seen(list []json.RawMessage, model string) bool {
	var entries []map[string]any
	for _, text := range list {
		var entry map[string]any
		if json.Unmarshal(text, &entry) == nil {
			entries = append(entries, entry)
		}
	}
	for _, entry := range entries {
		named := slices.Contains([]any{entry["id"], entry["name"], entry["model"]}, any(model))
		if (named || len(entries) == 1) && says(entry) {
			return true
		}
	}
	return false
}

// says reports whether the entry of a model says that it accepts pictures. Each server has its own
// form: "input_modalities": ["text", "image"], within "architecture" with OpenRouter;
// "capabilities": ["multimodal"] with llama.cpp; {"vision": true} within them with Mistral;
// "supports_image_in": true with Moonshot; "type": "vlm" with LM Studio.
func says(entry map[string]any) bool {
	for name, value := range entry {
		switch v := value.(type) {
		case bool:
			if v && slices.Contains([]string{"vision", "supports_vision", "supports_image_in", "supports_image_input"},
				name) {
				return true
			}
		case string:
			before, _, _ := strings.Cut(v, "->")
			if name == "type" && v == "vlm" || name == "modality" && strings.Contains(before, "image") {
				return true
			}
		case []any:
			lists := []string{"input_modalities", "modalities", "capabilities", "input"}
			if slices.Contains(lists, name) && slices.ContainsFunc(v, func(word any) bool {
				return slices.Contains([]any{"image", "vision", "multimodal"}, word)
			}) {
				return true
			}
		case map[string]any:
			if slices.Contains([]string{"architecture", "capabilities", "modalities", "model_info"}, name) && says(v) {
				return true
			}
		}
	}
	return false
}

// PicturesRefused adds advice to e if the server has refused the pictures in messages: the setting
// that keeps pictures out of requests.
func PicturesRefused(e *provider.Error, messages []provider.Message) {
	text := strings.ToLower(e.Message)
	about := slices.ContainsFunc([]string{"image", "vision", "multimodal", "multi-modal"},
		func(word string) bool { return strings.Contains(text, word) })
	if about && e.Status >= 400 && e.Status != 429 && !e.TooLong && provider.HasPictures(messages) {
		e.What = fmt.Sprintf("the server refuses the pictures (%d)", e.Status)
		e.Advice = "Set sees = false for this model in the config file ([models.NAME]): pictures then go as " +
			"a line of text."
		e.Final = true
	}
}
