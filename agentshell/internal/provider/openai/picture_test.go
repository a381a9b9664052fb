package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// pictured returns a conversation with a picture of the person's and one of a tool's.
func pictured() provider.Request {
	cat := picture.Picture{Name: "cat.png", Media: "image/png", Data: []byte("png")}
	return provider.Request{Messages: []provider.Message{
		{Role: provider.User, Parts: []provider.Part{provider.Image{Picture: cat}, provider.Text{Text: "look"}}},
		assistant(provider.ToolCall{ID: "call00001", Name: "read_file"}),
		{Role: provider.User,
			Parts: []provider.Part{provider.ToolResult{ID: "call00001", Text: "read", Images: []picture.Picture{cat}}}},
	}}
}

const sentPictures = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[` +
	`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},` +
	`{"type":"text","text":"look"}]},{"role":"assistant","tool_calls":[{"id":"call00001","type":"function",` +
	`"function":{"name":"read_file","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call00001","content":"read"},` +
	`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]}]}`

func TestPicturesGoToModelsThatSeeThem(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		list  string
		sees  *bool
		sent  bool
		looks int
	}{
		"OpenRouter":    {`[{"id":"m","architecture":{"modality":"text+image->text"}}]`, nil, true, 1},
		"its list":      {`[{"id":"x"},{"id":"m","architecture":{"input_modalities":["text","image"]}}]`, nil, true, 1},
		"Mistral":       {`[{"id":"x"},{"id":"m","capabilities":{"vision":true}}]`, nil, true, 1},
		"Moonshot":      {`[{"id":"m","supports_image_in":true}]`, nil, true, 1},
		"LM Studio":     {`[{"id":"m","type":"vlm"}]`, nil, true, 1},
		"llama.cpp":     {`[{"name":"file.gguf","capabilities":["completion","multimodal"]}]`, nil, true, 1},
		"another model": {`[{"id":"x","capabilities":{"vision":true}},{"id":"m"}]`, nil, false, 1},
		"text alone": {`[{"id":"m","architecture":{"modality":"text->image"},"capabilities":{"vision":false}}]`,
			nil, false, 1},
		"says nothing": {`[{"id":"m"}]`, nil, false, 1},
		"no list":      {`7`, nil, false, 1},
		"set":          {`[{"id":"m"}]`, &yes, true, 0},
		"set to no":    {`[{"id":"m","type":"vlm"}]`, &no, false, 0},
	} {
		looks := 0
		var asked providertest.Asked
		take := asked.Takes(t, wire)
		m := serve(t, openai.Config{Model: "m", Sees: c.sees}, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				looks++
				_, _ = io.WriteString(w, `{"data":`+c.list+`}`)
				return
			}
			take(w, r)
		})
		for i := range 2 {
			events, err := providertest.Collect(t.Context(), m, pictured())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			note, told := events[0].(provider.Notice)
			if told != (i == 0 && !c.sent && c.sees == nil) ||
				told && !strings.Contains(note.Text, "sees = true") {
				t.Errorf("%s: %+v", name, events[0])
			}
		}
		if looks != c.looks {
			t.Errorf("%s: the list was asked for %d times", name, looks)
		}
		if c.sent {
			asked.Says(t, sentPictures)
		} else if asked.Has("cG5n") || !asked.Has("this model cannot see pictures") {
			t.Errorf("%s: pictures are sent", name)
		}
		if _, err := providertest.Collect(t.Context(), m, providertest.Hello()); err != nil || looks != c.looks {
			t.Errorf("%s: a conversation without pictures asks for the list: %v", name, err)
		}
	}
}

// A list of hundreds of models, each with its properties, is no flood.
func TestALongListOfModelsIsRead(t *testing.T) {
	var list []string
	for i := range 700 {
		list = append(list, fmt.Sprintf(`{"id":"m%d","architecture":{"input_modalities":["text"],"a":[1,2,3,4]}}`, i))
	}
	m := serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"data":[`+strings.Join(list, ",")+`]}`)
	})
	if ids, err := m.Models(t.Context()); err != nil || len(ids) != 700 || ids[699] != "m699" {
		t.Errorf("%d, %v", len(ids), err)
	}
}

func TestARefusedPictureNamesTheSetting(t *testing.T) {
	yes := true
	for _, c := range []struct {
		status int
		text   string
		about  bool
	}{
		{404, "No endpoints found that support image input", true},
		{400, "m is not a multimodal model", true},
		{500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", true},
		{429, "too many images", false},
		{400, "bad", false},
	} {
		text, _ := json.Marshal(c.text)
		m := serve(t, openai.Config{Model: "m", Sees: &yes}, providertest.Refuses(c.status, `{"error":{"message":`+
			string(text)+`}}`))
		_, err := providertest.Collect(t.Context(), m, pictured())
		var e *provider.Error
		if !errors.As(err, &e) || strings.Contains(e.Advice, "sees = false") != c.about ||
			c.about && e.Retryable() {
			t.Errorf("%s: %v; %s", c.text, err, e.Advice)
		}
		_, err = providertest.Collect(t.Context(), m, providertest.Hello())
		if errors.As(err, &e) && strings.Contains(e.Advice, "sees") {
			t.Errorf("%s: there was no picture: %s", c.text, e.Advice)
		}
	}
}
