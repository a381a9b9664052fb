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

// chunk is an event of Chat Completions, as far as we use it, or a whole answer.
type chunk struct {
	Error   *failure
	Usage   *usage
	Choices []choice
}

type (
	// choice has a Delta in an event, and a Message in a whole answer.
	choice struct {
		Index   int
		Delta   delta
		Message *delta
		Finish  string `json:"finish_reason"`
		Error   *failure
	}
	// delta is a piece of a message. What a model thinks is told by other servers than the
	// provider's own, by one of several names.
	delta struct {
		Content, Refusal string
		ReasoningContent string          `json:"reasoning_content"`
		Reasoning        string          `json:"reasoning"`
		ReasoningText    string          `json:"reasoning_text"`
		Thinking         string          `json:"thinking"`
		Details          json.RawMessage `json:"reasoning_details"`
		Calls            []callPart      `json:"tool_calls"`
		Call             *calledFunction `json:"function_call"` // of the API before it had tools

		inContent string // thinking that came as a part of the content
	}
	callPart struct {
		Index    *int // nil: it was left out
		ID       string
		Function calledFunction
	}
	calledFunction struct {
		Name, Arguments string

		object []byte // arguments that came as an object and not as its text
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

// chunkDecoder decodes chunks. It lends each the memory of the one before it, which is valid until
// the next call: nearly all have one choice, and at most one piece of a call.
type chunkDecoder struct {
	choices [1]choice
	calls   [1]callPart
}

// decode decodes an event. An event with fields of types that the API does not have is decoded
// again, loosely.
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

// decodeLoosely decodes an event with fields of other types. c and err are what decoding it by the
// types of the API has returned.
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

// bareFailure returns the error in an event that is an error itself, without a field "error" around
// it. It returns nil if the event is no error.
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

// The loose types are a chunk of a server that puts other types into its fields.
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

// looseFailure returns an error that is an object, or only its message; nil if there is none.
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

// looseIndex returns an index that is a number, or the text of one.
func looseIndex(raw json.RawMessage) *int {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	if err != nil {
		return nil
	}
	return &n
}

// contentText holds the texts of a content that is a list of parts.
type contentText struct{ text, thinking, refusal string }

func (g contentText) all() string { return g.thinking + g.text }

// contentPart is one part. A field with a text may have a list of parts in its place.
type contentPart struct {
	Type                                        string
	Text, Thinking, Reasoning, Summary, Content json.RawMessage
	Refusal                                     string
}

// gather returns the texts in a JSON string, in a part or in a list of parts.
func gather(raw json.RawMessage) (g contentText) {
	const depth = 8 // of parts within parts
	g.add(raw, false, depth)
	return g
}

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

// thought returns what the model thinks in d, and the name by which it goes back. Servers that use
// two names say the same by both.
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

// empty reports whether nothing is said in d.
func (d *delta) empty() bool {
	text, _ := d.thought()
	return d.Content == "" && d.Refusal == "" && d.inContent == "" && text == "" && len(d.Calls) == 0 && d.Call == nil
}
