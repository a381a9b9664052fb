package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// chunk is an event of Chat Completions, or a complete answer, with the fields that this package
// uses.
type chunk struct {
	Error   *failure
	Usage   *usage
	Choices []choice
}

type (
	// choice is one of the answers in a chunk. An event has a Delta; a complete answer has a
	// Message.
	choice struct {
		Index   int
		Delta   delta
		Message *delta
		Finish  string `json:"finish_reason"`
		Error   *failure
	}
	// delta is a piece of a message. OpenAI sends no reasoning here. Other servers send it in one
	// of several fields.
	delta struct {
		Content, Refusal string
		ReasoningContent string          `json:"reasoning_content"`
		Reasoning        string          `json:"reasoning"`
		ReasoningText    string          `json:"reasoning_text"`
		Thinking         string          `json:"thinking"`
		Details          json.RawMessage `json:"reasoning_details"`
		Calls            []callPart      `json:"tool_calls"`
		// The only call of a message, in the API as it was before tools.
		Call *calledFunction `json:"function_call"`

		inContent string // Reasoning that arrived as a part of the content.
	}
	callPart struct {
		Index    *int // nil: the server has left it out.
		ID       string
		Function calledFunction
	}
	calledFunction struct {
		Name, Arguments string

		object []byte // Arguments that arrived as a JSON object, and not as text.
	}
	usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
)

// chunkDecoder decodes chunks. A decoded chunk uses memory of the decoder, and is valid until the
// next one is decoded. Nearly all chunks have one choice, and at most one piece of a tool call.
type chunkDecoder struct {
	choices [1]choice
	calls   [1]callPart
}

// decode decodes an event. If fields have other types than in the API, it decodes the event again
// by the loose types.
func (d *chunkDecoder) decode(data []byte) (c chunk, err error) {
	d.calls[0] = callPart{}
	d.choices[0] = choice{Delta: delta{Calls: d.calls[:0]}}
	c.Choices = d.choices[:0]
	if err = json.Unmarshal(data, &c); err != nil {
		return c.decodeLoosely(data, err)
	}
	if c.Error == nil && c.Usage == nil && len(c.Choices) == 0 {
		c.Error = bareFailure(data)
	}
	return c, nil
}

// decodeLoosely decodes an event whose fields have other types than in the API. c and err are the
// results of the strict decoding.
func (c chunk) decodeLoosely(data []byte, err error) (chunk, error) {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return c, remote.Early()
	}
	var l looseChunk
	if json.Unmarshal(data, &l) == nil {
		return l.chunk(), nil
	}
	return c, nil
}

// bareFailure returns the error in an event that consists of an error object, without a field
// "error" around it. It returns nil for any other event.
func bareFailure(data []byte) *failure {
	var e struct {
		Choices                       json.RawMessage
		Object, Message, Type, Detail string
		Code                          any
	}
	_ = json.Unmarshal(data, &e) // a field of another type is missing
	text := cmp.Or(e.Message, e.Detail)
	if e.Choices == nil && (text != "" || e.Object == "error" || e.Type == "error") {
		return &failure{Message: text, Type: strings.TrimPrefix(e.Type, "error"), Code: e.Code}
	}
	return nil
}

// The loose types decode a chunk whose fields may have other types than in the API.
type (
	looseChunk struct {
		Error, Usage json.RawMessage
		Choices      []looseChoice
	}
	looseChoice struct {
		Index, Error   json.RawMessage
		Delta, Message looseDelta
		Finish         json.RawMessage `json:"finish_reason"`
	}
	looseDelta struct {
		Content, Refusal json.RawMessage
		ReasoningContent json.RawMessage `json:"reasoning_content"`
		Reasoning        json.RawMessage `json:"reasoning"`
		ReasoningText    json.RawMessage `json:"reasoning_text"`
		Thinking         json.RawMessage `json:"thinking"`
		Details          json.RawMessage `json:"reasoning_details"`
		Calls            []loosePart     `json:"tool_calls"`
		Call             *looseFunction  `json:"function_call"`
	}
	loosePart struct {
		Index, ID json.RawMessage
		Function  looseFunction
	}
	looseFunction struct{ Name, Arguments json.RawMessage }
)

// chunk converts l to a chunk. Fields that cannot be converted stay empty.
func (l looseChunk) chunk() chunk {
	c := chunk{Error: looseFailure(l.Error)}
	if present(l.Usage) {
		c.Usage = &usage{}
		_ = json.Unmarshal(l.Usage, c.Usage) // a count of another type is missing
	}
	for _, from := range l.Choices {
		message := from.Message.delta()
		to := choice{Delta: from.Delta.delta(), Message: &message, Error: looseFailure(from.Error)}
		if i := looseIndex(from.Index); i != nil {
			to.Index = *i
		}
		_ = json.Unmarshal(from.Finish, &to.Finish)
		c.Choices = append(c.Choices, to)
	}
	return c
}

func (l looseDelta) delta() delta {
	content := gather(l.Content)
	d := delta{Content: content.text, inContent: content.thinking, Details: l.Details,
		Refusal: content.refusal + gather(l.Refusal).text, ReasoningContent: gather(l.ReasoningContent).all(),
		Reasoning: gather(l.Reasoning).all(), ReasoningText: gather(l.ReasoningText).all(),
		Thinking: gather(l.Thinking).all()}
	for _, p := range l.Calls {
		part := callPart{Index: looseIndex(p.Index), Function: p.Function.function()}
		if json.Unmarshal(p.ID, &part.ID) != nil && present(p.ID) { // a number
			part.ID = string(p.ID)
		}
		d.Calls = append(d.Calls, part)
	}
	if l.Call != nil {
		f := l.Call.function()
		d.Call = &f
	}
	return d
}

func (l looseFunction) function() (f calledFunction) {
	_ = json.Unmarshal(l.Name, &f.Name)
	if json.Unmarshal(l.Arguments, &f.Arguments) != nil && present(l.Arguments) {
		f.object = bytes.Clone(l.Arguments)
	}
	return f
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// looseFailure returns an error that is an object or a text, or nil if there is none.
func looseFailure(raw json.RawMessage) *failure {
	if !present(raw) || string(raw) == "false" {
		return nil
	}
	f := &failure{}
	if json.Unmarshal(raw, &f.Message) != nil {
		_ = json.Unmarshal(raw, f) // a field of another type is missing
	}
	return f
}

// looseIndex returns an index that is a number, or a number in quotes. It returns nil for anything
// else.
func looseIndex(raw json.RawMessage) *int {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	if err != nil {
		return nil
	}
	return &n
}

// contentText holds the texts of a message's content, which may be a list of parts.
type contentText struct{ text, thinking, refusal string }

func (g contentText) all() string { return g.thinking + g.text }

// contentPart is one part of a content. Each field that usually holds a text may hold a list of
// parts.
type contentPart struct {
	Type                                        string
	Text, Thinking, Reasoning, Summary, Content json.RawMessage
	Refusal                                     string
}

// gather returns the texts in a content: a JSON string, a part, or a list of parts.
func gather(raw json.RawMessage) (g contentText) {
	const depth = 8 // of parts within parts
	g.add(raw, false, depth)
	return g
}

// add adds the texts in raw to g. thinking says that they are reasoning. depth limits the nesting
// of parts.
func (g *contentText) add(raw json.RawMessage, thinking bool, depth int) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth == 0 {
		return
	}
	switch raw[0] {
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil && thinking {
			g.thinking += text
		} else {
			g.text += text
		}
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list)
		for _, part := range list {
			g.add(part, thinking, depth-1)
		}
	case '{':
		var p contentPart
		_ = json.Unmarshal(raw, &p) // a field of another type is missing
		g.refusal += p.Refusal
		kind := strings.ToLower(p.Type)
		thinks := thinking || strings.Contains(kind, "think") || strings.Contains(kind, "reason") ||
			strings.Contains(kind, "summary")
		g.add(p.Thinking, true, depth-1)
		g.add(p.Reasoning, true, depth-1)
		g.add(p.Summary, true, depth-1)
		g.add(p.Text, thinks, depth-1)
		g.add(p.Content, thinks, depth-1)
	}
}

// thought returns the reasoning in d, and the name of the JSON field in which it is sent back. A
// server that fills two fields repeats the same text.
func (d *delta) thought() (text, name string) {
	switch {
	case d.ReasoningContent != "":
		return d.ReasoningContent, "reasoning_content"
	case d.Reasoning != "":
		return d.Reasoning, "reasoning"
	case d.ReasoningText != "":
		return d.ReasoningText, "reasoning_text"
	case d.Thinking != "":
		return d.Thinking, "thinking"
	case len(d.Details) > 0:
		return gather(d.Details).all(), "reasoning" // which takes the text of the details
	}
	return "", ""
}

// empty reports whether d contains no text, reasoning or tool call.
func (d *delta) empty() bool {
	text, _ := d.thought()
	return d.Content == "" && d.Refusal == "" && d.inContent == "" && text == "" && len(d.Calls) == 0 && d.Call == nil
}
