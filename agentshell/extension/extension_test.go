package extension_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

const hello = `{"protocol": 1, "shell": {"name": "agentshell", "version": "0.9.0"}, "name": "x", "workspace": "/w",
	"screen": false, "width": 0, "height": 0}`

func TestTheZeroValueAddsNothingAndEndsWithItsInput(t *testing.T) {
	t.Parallel()
	p, ended := serve(t, extension.Extension{})
	same(t, "initialize", p.call("initialize", hello), `{"protocol": 1, "commands": [], "tools": [], "renderers": [],
		"status": false, "footer": false, "events": []}`)
	for _, part := range []string{"status", "footer", "call", "result", "view"} {
		same(t, part, p.call("render", `{"part": "`+part+`", "width": 80, "height": 1}`), `{"rows": null}`)
	}
	p.notify("event", `{"event": "session_end"}`)
	p.notify("key", `{"view": "v", "key": "a"}`)
	p.notify("cancel", `{"token": "t"}`)
	p.notify("later", `{}`)
	if _, failure := p.answer(p.ask("command", `{"name": "no", "token": "c"}`)); !strings.Contains(failure, "no") {
		t.Errorf("a command that is not there: %s", failure)
	}
	if _, failure := p.answer(p.ask("command", `{"name": 7}`)); !strings.Contains(failure, "-32602") {
		t.Errorf("params that cannot be read: %s", failure)
	}
	_ = p.in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestInputThatIsNoMessageEndsTheProgram(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"hello\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999\r\n\r\n",
		"Content-Length: 2\r\n\r\nno", "Content-Length: 20\r\n\r\n{}"} {
		err := extension.Extension{}.Serve(t.Context(), strings.NewReader(text), io.Discard)
		if err == nil && !strings.HasSuffix(text, "20\r\n\r\n{}") {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestAnAnswerThatIsTooLargeBecomesAnError(t *testing.T) {
	t.Parallel()
	p, _ := serve(t, extension.Extension{Tools: []extension.Tool{{Name: "big",
		Run: func(context.Context, *extension.Call, json.RawMessage) (string, error) {
			return strings.Repeat("x", 1<<20), nil
		}}}})
	p.call("initialize", hello)
	_, failure := p.answer(p.ask("tool", `{"name": "big", "token": "t"}`))
	if !strings.Contains(failure, "takes 1048576") {
		t.Errorf("%.100s", failure)
	}
}

func TestAToolIsToldOfInputThatItCannotRead(t *testing.T) {
	t.Parallel()
	p, _ := serve(t, played())
	result := p.call("tool", `{"name": "list", "token": "t", "input": {"all": "yes"}}`)
	if !strings.Contains(result, "the input cannot be read") || !strings.Contains(result, `"failed":true`) {
		t.Error(result)
	}
}

// Events that do not fit are counted, with those that the shell has left out.
func TestEventsThatDoNotFitAreCounted(t *testing.T) {
	t.Parallel()
	began, wait, told := make(chan bool), make(chan bool), make(chan int, 300)
	p, _ := serve(t, extension.Extension{Events: []string{"turn_begin"}, Event: func(e extension.Event) {
		if e.Text == "first" {
			began <- true
			<-wait
		}
		told <- e.Missed
	}})
	p.call("initialize", hello)
	p.notify("event", `{"event": "turn_begin", "text": "first"}`)
	<-began
	for range 256 {
		p.notify("event", `{"event": "turn_begin"}`)
	}
	for range 3 {
		p.notify("event", `{"event": "turn_begin", "missed": 2}`)
	}
	p.call("render", `{"part": "status"}`) // it has read them all
	close(wait)
	for n := range 257 {
		if missed := <-told; missed != 0 {
			t.Errorf("event %d: %d were missed before it", n, missed)
		}
	}
	p.notify("event", `{"event": "turn_begin", "missed": 1}`)
	if missed := <-told; missed != 3*(1+2)+1 {
		t.Errorf("%d were missed", missed)
	}
}

func TestErrorsOfTheShellAreToldApart(t *testing.T) {
	t.Parallel()
	err := error(&extension.Error{Code: 3, Message: "busy: the form is open"})
	if !errors.Is(err, extension.ErrBusy) || errors.Is(err, extension.ErrNoScreen) {
		t.Error(err)
	}
}

func TestASchemaHasAllTypesOfFields(t *testing.T) {
	t.Parallel()
	type inner struct {
		X float64 `json:"x"`
	}
	type input struct {
		inner
		Names   []string        `json:"names"`
		Many    map[string]int  `json:"many,omitempty"`
		Maybe   *bool           `json:"maybe"`
		Raw     json.RawMessage `json:"raw,omitzero"`
		Any     any
		Skipped string `json:"-"`
		hidden  string
	}
	_ = input{}.hidden
	same(t, "the schema", extension.SchemaOf[input](), `{"type": "object", "required": ["x", "names", "Any"], "properties": {
		"x": {"type": "number"}, "names": {"type": "array", "items": {"type": "string"}},
		"many": {"type": "object", "additionalProperties": {"type": "integer"}},
		"maybe": {"type": "boolean"}, "raw": {}, "Any": {}}}`)
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "the field Bad has a type without") {
			t.Error(text)
		}
	}()
	extension.SchemaOf[struct{ Bad chan int }]()
}

// The two languages write the same manifest for the extension that both play.
func TestBothLanguagesWriteTheSameManifest(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(need.Program(t, "node"), "js/testdata/played.mjs", "manifest").Output()
	if err != nil {
		t.Fatal(err)
	}
	e := played()
	e.Program = []string{"node", "${dir}/main.mjs"}
	e.Tools[0].Schema = `{"type":"object"}`
	if want := e.Manifest(); string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
}

func TestWidthsAreCountedByCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "🙂": 2, "…": 1} {
		if got := extension.Width(text); got != want {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
		for columns := range 6 {
			if got := extension.Width(extension.Fit(text, columns)); got != columns {
				t.Errorf("%q in %d columns takes %d", text, columns, got)
			}
		}
	}
}
