package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

func parse(t *testing.T, text string) *script.Model {
	t.Helper()
	m, err := script.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func conversation(texts ...string) []provider.Message {
	var list []provider.Message
	for _, s := range texts {
		list = append(list, provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: s}}})
	}
	return list
}

// play runs one attempt and writes its events down.
func play(ctx context.Context, m *script.Model, messages []provider.Message) (events []string, err error) {
	for e, err := range m.Stream(ctx, provider.Request{Messages: messages}) {
		if err != nil {
			return events, err
		}
		switch e := e.(type) {
		case provider.TextDelta:
			events = append(events, "text "+e.Text)
		case provider.ThinkingDelta:
			events = append(events, "thinking "+e.Text)
		case provider.ToolCallStart:
			events = append(events, "start "+e.ID+" "+e.Name)
		case provider.ToolCallDelta:
			events = append(events, "args "+e.JSON)
		case provider.ToolCall:
			events = append(events, "call "+e.ID+" "+e.Name+" "+string(e.Input))
		case provider.Usage:
			events = append(events, fmt.Sprint("usage ", e.Input, " ", e.Output))
		case provider.End:
			events = append(events, fmt.Sprintf("end %s %v", e.Stop, plain(e.Message.Parts)))
		}
	}
	return events, nil
}

// plain returns parts with a text as it reads.
func plain(parts []provider.Part) (list []any) {
	for _, p := range parts {
		if text, ok := p.(provider.Text); ok {
			list = append(list, "{"+text.Text+"}")
			continue
		}
		list = append(list, p)
	}
	return list
}

func TestALineStreamsThinkingThenTextThenArgumentsThenUsage(t *testing.T) {
	m := parse(t, `{"thinking":"hm","say":"grüße","chunk_runes":3,"delay_ms":0,"tool_chunk_bytes":8,`+
		`"usage":{"input":7,"output":9},`+
		`"tool_calls":[{"id":"t1","name":"read_file","input":{"path": `+
		`"a"}},{"id":"t2","name":"todo","raw":"{\"brok"},{"id":"t3","name":"list_dir"}]}`)
	got, err := play(t.Context(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"thinking hm", "text grü", "text ße",
		"start t1 read_file", `args {"path":`, `args  "a"}`, `call t1 read_file {"path": "a"}`,
		"start t2 todo", `args {"brok`, `call t2 todo {"brok`,
		"start t3 list_dir", "args {}", "call t3 list_dir {}",
		"usage 7 9",
	}
	if !slices.Equal(got[:len(got)-1], want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if end := got[len(got)-1]; !strings.HasPrefix(end, "end tool [{hm   } {grüße} {t1 read_file") {
		t.Errorf("the last event is %q", end)
	}
}

func TestStopIsEndWithoutCallsAndAsGivenOtherwise(t *testing.T) {
	for text, want := range map[string]string{
		`{"say":"x"}`:                  "end end [{x}]",
		`{"say":"x","stop":"length"}`:  "end length [{x}]",
		`{"say":"x","stop":"refusal"}`: "end refusal [{x}]",
		`{}`:                           "end end []",
	} {
		got, err := play(t.Context(), parse(t, text), nil)
		if err != nil || got[len(got)-1] != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestDelaysStandBetweenChunksOnly(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{"say":"12345678"}`:                            15 * time.Millisecond,
		`{"say":"12345678","delay_ms":100}`:             100 * time.Millisecond,
		`{"say":"123","delay_ms":100}`:                  0,
		`{"say":"123","delay_ms":5,"chunk_runes":1}`:    10 * time.Millisecond,
		`{"say":"12345678","delay_ms":0}`:               0,
		`{"thinking":"1","say":"2","delay_ms":7}`:       7 * time.Millisecond,
		`{"tool_calls":[{"id":"a","name":"b"}]}`:        15 * time.Millisecond, // between the start and its one piece
		`{"say":"x","hang":false,"error":{"status":1}}`: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, _ = play(t.Context(), parse(t, text), nil)
			if got := time.Since(began); got != want {
				t.Errorf("%s took %v, want %v", text, got, want)
			}
		})
	}
}

func TestEveryAttemptUsesUpOneLine(t *testing.T) {
	m := parse(t, "{\"error\":{\"status\":529}}\n\n{\"say\":\"never read\"}\n{\"hang\":true}\n{\"say\":\"last\"}\n")
	if n := m.UnusedLines(); n != 4 {
		t.Fatalf("%d lines, want 4: a blank line is none", n)
	}
	if _, err := play(t.Context(), m, nil); err == nil {
		t.Error("the failed attempt gave no error")
	}
	for range m.Stream(t.Context(), provider.Request{}) {
		break // a consumer that leaves
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := play(ctx, m, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("hang ended with %v", err)
		}
	})
	if got, err := play(t.Context(), m, nil); err != nil || !slices.Contains(got, "text last") {
		t.Errorf("the fourth attempt: %q, %v", got, err)
	}
	if n := m.UnusedLines(); n != 0 {
		t.Errorf("%d lines left over", n)
	}
	got, err := play(t.Context(), m, nil)
	if err != nil || got[len(got)-1] != "end end [{(end of script)}]" {
		t.Errorf("after the last line: %q, %v", got, err)
	}
}

func TestAnErrorTakesThePlaceOfTheEnd(t *testing.T) {
	tests := []struct {
		text string
		want []string // events before the error
	}{
		{`{"say":"abcdef","delay_ms":0,"error":{"status":529,"message":"busy","retry_after_ms":1500}}`,
			[]string{"text abcd", "text ef"}},
		{`{"say":"abcdef","delay_ms":0,"error":{"status":529,"message":"busy","retry_after_ms":1500,"after_runes":0}}`,
			nil},
		{`{"say":"abcdef","delay_ms":0,"error":{"status":529,"message":"busy","retry_after_ms":1500,"after_runes":5}}`,
			[]string{"text abcd", "text e"}},
		{`{"thinking":"abc","say":"def","delay_ms":0,"error":{"status":529,"message":"busy","retry_after_ms":1500,` +
			`"after_runes":5}}`, []string{"thinking abc", "text de"}},
		{`{"say":"ab","delay_ms":0,"error":{"status":529,"message":"busy","retry_after_ms":1500,"after_runes":99}}`,
			[]string{"text ab"}},
	}
	for _, test := range tests {
		got, err := play(t.Context(), parse(t, test.text), nil)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
		var e *provider.Error
		if !errors.As(err, &e) || e.Status != 529 || e.Message != "busy" || e.RetryAfter != 1500*time.Millisecond {
			t.Errorf("%s: error %v", test.text, err)
		}
	}
}

func TestExpectationsLookAtWhatWasAddedSinceTheLineBefore(t *testing.T) {
	results := provider.Message{Role: provider.User, Parts: []provider.Part{
		provider.ToolResult{ID: "1", Text: "user denied this tool call\nkeep it"},
		provider.ToolResult{ID: "2", Text: "41 lines"},
	}}
	answer := provider.Message{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: "assistant words"}}}
	tests := []struct {
		name, line string
		ok         bool
	}{
		{"a tool result", `{"expect":"user denied this tool call"}`, true},
		{"a list", `{"expect":["keep it","41"]}`, true},
		{"one of a list is missing", `{"expect":["keep it","42"]}`, false},
		{"the older user text does not count", `{"expect":"hello"}`, false},
		{"the assistant's text does not count", `{"expect":"assistant words"}`, false},
		{"not there, as wished", `{"expect_not":["hello","assistant"]}`, true},
		{"there against the wish", `{"expect_not":"denied"}`, false},
		{"texts are not joined", `{"expect":"keep it41"}`, false},
	}
	for _, test := range tests {
		m := parse(t, `{"expect":"hello","say":"1"}`+"\n"+test.line)
		messages := conversation("hello")
		if _, err := play(t.Context(), m, messages); err != nil {
			t.Fatal(err)
		}
		_, err := play(t.Context(), m, append(messages, answer, results))
		var mismatch *script.Mismatch
		switch {
		case test.ok && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case !test.ok && !errors.As(err, &mismatch):
			t.Errorf("%s: no mismatch, but %v", test.name, err)
		case !test.ok && (mismatch.Line != 2 || !strings.Contains(err.Error(), "line 2")):
			t.Errorf("%s: %q does not name line 2", test.name, err)
		}
	}
}

func TestANewConversationIsSeenFromItsStart(t *testing.T) {
	m := parse(t, "{}\n"+`{"expect":"fresh"}`)
	if _, err := play(t.Context(), m, conversation("a", "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := play(t.Context(), m, conversation("fresh")); err != nil {
		t.Error(err)
	}
}

func TestABrokenScriptNamesItsLine(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"says":"x"}`, `unknown field "says"`},
		{`{"SAY":"x"}`, `unknown field "SAY"`},
		{`{"say":"x","say":"y"}`, `given twice`},
		{`{"say":1}`, `say`},
		{`{"say":"x"} {}`, "more than one JSON value"},
		{`["say"]`, "not a JSON object"},
		{`{"say":"x"`, "EOF"},
		{`{"stop":"done"}`, `stop "done"`},
		{`{"chunk_runes":0}`, "chunk_runes"},
		{`{"tool_chunk_bytes":-1}`, "tool_chunk_bytes"},
		{`{"delay_ms":-1}`, "delay_ms"},
		{`{"usage":{"inputs":1}}`, `usage: unknown field "inputs"`},
		{`{"error":{"code":1}}`, `error: unknown field "code"`},
		{`{"error":{"after_runes":-1}}`, "after_runes"},
		{`{"tool_calls":[{"id":"a","name":"b","args":{}}]}`, `tool_calls[0]: unknown field "args"`},
		{`{"tool_calls":[{"name":"b"}]}`, "id and name"},
		{`{"tool_calls":[{"id":"a","name":"b"},{"id":"a","name":"b"}]}`, "used twice"},
		{`{"tool_calls":[{"id":"a","name":"b","input":{},"raw":"x"}]}`, "exclude each other"},
		{`{"expect":3}`, "a string or a list"},
		{"{\"say\":\"\xff\"}", "not UTF-8"},
	}
	for _, test := range tests {
		_, err := script.Parse("test", []byte("{\"say\":\"fine\"}\n\n"+test.line+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want line 3 and %q", test.line, err, test.want)
		}
	}
}

func FuzzParsedScriptsPlayToAnEnd(f *testing.F) {
	f.Add(`{"say":"a","tool_calls":[{"id":"t","name":"n","raw":"{"}],"usage":{"input":1,"output":2}}`)
	f.Add(`{"thinking":"a","error":{"status":500,"after_runes":1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := script.Parse("fuzz", []byte(text))
		if err != nil {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 1000*time.Hour)
			defer cancel()
			for n := m.UnusedLines(); n > 0; n-- {
				ended := false
				for e, err := range m.Stream(ctx, provider.Request{}) {
					_, end := e.(provider.End)
					if ended {
						t.Fatal("something came after the end")
					}
					ended = end || err != nil
				}
				if !ended {
					t.Fatal("no end and no error")
				}
				if m.UnusedLines() != n-1 {
					t.Fatal("an attempt did not use up one line")
				}
			}
		})
	})
}

func TestAnAnswerBeyondTheBoundsIsCutOff(t *testing.T) {
	providertest.Cuts(t, func(text, thinking string, calls []provider.ToolCall) provider.Model {
		line := map[string]any{"say": text, "thinking": thinking, "delay_ms": 0, "chunk_runes": 100,
			"tool_chunk_bytes": 100}
		var list []map[string]any
		for _, c := range calls {
			list = append(list, map[string]any{"id": c.ID, "name": c.Name, "input": c.Input})
		}
		if list != nil {
			line["tool_calls"] = list
		}
		raw, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, string(raw))
		m.Bounds = providertest.Small
		return m
	})
}

// The page on runs without a person has a script, and names each field.
func TestTheDocumentedScriptIsOne(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/headless.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Without a model\n")
	var lines []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "    {") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	m, err := script.Parse("s", []byte(strings.Join(lines, "\n")))
	if !found || err != nil || m.UnusedLines() != 4 {
		t.Errorf("%q: %v", lines, err)
	}
	_, err = script.Parse("s", []byte(`{"x":1}`))
	_, known, _ := strings.Cut(fmt.Sprint(err), "known are ")
	for _, field := range strings.Split(known, ", ") {
		if !strings.Contains(section, "`"+field+"`") {
			t.Errorf("the page does not name %q", field)
		}
	}
}
