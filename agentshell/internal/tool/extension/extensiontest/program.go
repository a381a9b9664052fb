// Package extensiontest is an extension for tests, which behaves as it is told: well, or not.
package extensiontest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// Variable is the environment variable that makes a test binary run as an extension. Its value is
// the behaviour.
const Variable = "EXTENSION_TEST"

// Manifest is the extension's manifest.
const Manifest = `protocol = 1
about = "a test"
command = ["/proc/self/exe"]
status = true
footer = true
events = ["turn_begin", "call", "result", "session_end"]
[[commands]]
name = "do"
args = "[WHAT]"
about = "does WHAT"
complete = true
[[tools]]
name = "count"
about = "counts letters"
schema = '{"type": "object", "properties": {"text": {"type": "string"}}}'
[[renderers]]
tool = "bash"
call = true
result = true
`

// Bad returns the names of the faulty behaviours.
func Bad() []string {
	return []string{"silent", "slow", "crash", "crash at once", "flood", "flood bytes", "wide", "controls",
		"beyond", "unread", "huge", "garbage", "prints", "stuck", "many rows", "endless header", "unasked"}
}

// Write writes the extension into a folder. Its program is the running test binary with the
// behaviour how. The path of the folder is an argument of the program, by which tests find its
// process.
func Write(dir, how string) error {
	command := fmt.Sprintf(`["/bin/sh", "-c", '%s="%s" exec "$0" "$1"', %q, "${dir}"]`, Variable, how, os.Args[0])
	text := strings.Replace(Manifest, `["/proc/self/exe"]`, command, 1)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "extension.toml"), []byte(text), 0o600)
}

// program is one running extension.
type program struct {
	how string
	in  *bufio.Reader

	mu      sync.Mutex
	out     io.Writer
	last    int
	answers map[int]chan json.RawMessage
	heard   []string
	keys    []string
	old     string   // token of an earlier command
	done    []string // tokens that were given up
}

type message struct {
	ID     *int            `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// Main runs the extension with the behaviour how. It returns when the standard input ends.
func Main(how string) {
	p := &program{how: how, in: bufio.NewReader(os.Stdin), out: os.Stdout, answers: map[int]chan json.RawMessage{}}
	switch how {
	case "crash at once":
		fmt.Fprintln(os.Stderr, "error: no luck")
		os.Exit(3)
	case "flood bytes":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	case "garbage":
		fmt.Print("Content-Length: 9\r\n\r\n{\"a\":[[[[")
	case "prints":
		fmt.Println("info: starting up")
	case "endless header":
		for {
			if _, err := os.Stdout.WriteString("X-Y: z\r\n"); err != nil {
				return
			}
		}
	case "unread", "silent":
		select {}
	}
	for {
		data, err := helper.ReadFrame(p.in, 64<<20)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(data, &m) != nil {
			return
		}
		p.take(m)
	}
}

func (p *program) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	data, _ := json.Marshal(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "Content-Length: %d\r\n\r\n%s", len(data), data)
}

func (p *program) take(m message) {
	switch {
	case m.Method == "" && m.ID != nil:
		p.mu.Lock()
		answer := p.answers[*m.ID]
		p.mu.Unlock()
		if m.Error != nil {
			m.Result = m.Error
		}
		answer <- m.Result
	case m.ID == nil:
		p.note(m)
	case p.how == "slow" && m.Method != "initialize" && m.Method != "shutdown":
	case p.how == "stuck" && m.Method != "initialize":
		select {}
	case p.how == "crash" && m.Method != "initialize":
		fmt.Fprintln(os.Stderr, "error: it fell")
		os.Exit(4)
	case p.how == "huge" && m.Method != "initialize":
		p.send(map[string]any{"id": *m.ID, "result": strings.Repeat("x", 2<<20)})
	default:
		go p.answer(m)
	}
}

func (p *program) note(m message) {
	var params struct{ Event, Key, Token string }
	_ = json.Unmarshal(m.Params, &params)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Method {
	case "event":
		p.heard = append(p.heard, params.Event)
	case "key":
		p.keys = append(p.keys, params.Key)
	case "cancel":
		p.done = append(p.done, params.Token)
	}
	if m.Method == "key" {
		go p.keyed(params.Key)
	}
}

func (p *program) keyed(key string) {
	if key == "enter" {
		p.send(map[string]any{"method": "close", "params": map[string]any{"view": "v", "value": p.text(&p.keys)}})
		return
	}
	p.send(map[string]any{"method": "changed", "params": map[string]any{"part": "view", "view": "v"}})
}

func (p *program) text(list *[]string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(*list, " ")
}

// ask sends a request to the shell and returns the answer.
func (p *program) ask(method string, params any) json.RawMessage {
	p.mu.Lock()
	p.last++
	id, answer := p.last, make(chan json.RawMessage, 1)
	p.answers[id] = answer
	p.mu.Unlock()
	p.send(map[string]any{"id": id, "method": method, "params": params})
	return <-answer
}

func (p *program) answer(m message) {
	var params struct {
		Part, Token, Name, Args, Text string
		Width, Height                 int
		Input                         struct{ Text string }
	}
	_ = json.Unmarshal(m.Params, &params)
	var result any = struct{}{}
	switch m.Method {
	case "initialize":
		result = p.hello()
	case "complete":
		result = map[string]any{"items": []any{map[string]string{"text": params.Args + "x", "note": "a note"}}}
	case "render":
		result = map[string]any{"rows": p.rows(params.Part, params.Width, params.Height, params.Text)}
	case "tool":
		p.send(map[string]any{"method": "progress", "params": map[string]any{"token": params.Token, "text": "half"}})
		result = map[string]any{"text": fmt.Sprintf("%d letters", len(params.Input.Text))}
		if params.Input.Text == "ask" {
			result = map[string]any{"text": string(p.ask("show", picker(params.Token)))}
		}
	case "command":
		result = p.command(params.Args, params.Token)
	}
	p.send(map[string]any{"id": *m.ID, "result": result})
	if m.Method == "initialize" {
		p.misbehave()
	}
}

func (p *program) hello() any {
	served := map[string]any{"protocol": 1, "commands": []string{"do"}, "tools": []string{"count"},
		"renderers": []string{"bash"}, "status": true, "footer": true,
		"events": []string{"turn_begin", "call", "result", "session_end"}}
	if p.how == "beyond" {
		served["commands"] = []string{"do", "more"}
	}
	return served
}

// misbehave does what the behaviour does without being asked.
func (p *program) misbehave() {
	switch p.how {
	case "flood":
		for {
			p.send(map[string]any{"method": "changed", "params": map[string]any{"part": "status"}})
			p.send(map[string]any{"method": "changed", "params": map[string]any{"part": "footer"}})
		}
	case "unasked":
		for {
			p.ask("show", picker("c1"))
			p.ask("nonsense", nil)
		}
	}
}

func picker(token string) any {
	return map[string]any{"token": token, "kind": "picker", "title": "Switch to", "items": []any{
		map[string]string{"value": "main", "text": "main", "note": "2 days ago"},
		map[string]string{"value": "topic", "text": "topic"}}}
}

func (p *program) rows(part string, columns, rows int, text string) any {
	switch p.how {
	case "wide":
		return []any{strings.Repeat("宽", 3000), strings.Repeat("w\u0301\u200d", 500)}
	case "controls":
		return []any{"\x1b[H\x1b[Jgone\x07\x00\r\nnext\u202etxet\u2028x\u009b31m", []any{map[string]any{"text": "link",
			"link": "https://a\x1b]8;;x", "style": "no-such"}}}
	case "many rows":
		list := make([]any, 20_000)
		for i := range list {
			list[i] = "row"
		}
		return list
	}
	if part == "result" {
		return []any{[]any{map[string]any{"text": "shown: ", "style": "strong"}, map[string]any{"text": text}}}
	}
	if part == "view" {
		return []any{fmt.Sprintf("view %d×%d keys: %s", columns, rows, p.text(&p.keys))}
	}
	if p.how == "full status" {
		return []any{strings.Repeat("s", columns)}
	}
	return []any{fmt.Sprintf("%s of %d", part, columns)}
}

func (p *program) command(args, token string) any {
	what, _, _ := strings.Cut(args, " ")
	switch what {
	case "pick":
		return map[string]any{"rows": []any{string(p.ask("show", picker(token)))}}
	case "alike": // two items that look alike
		q := picker(token).(map[string]any)
		q["items"] = []any{map[string]string{"value": "1", "text": "same"},
			map[string]string{"value": "2", "text": "same"}}
		return map[string]any{"rows": []any{string(p.ask("show", q))}}
	case "overlay":
		q := picker(token).(map[string]any)
		q["place"] = "overlay"
		return map[string]any{"rows": []any{string(p.ask("show", q))}}
	case "form":
		return map[string]any{"rows": []any{string(p.ask("show", map[string]any{"token": token, "kind": "form",
			"title": "About it", "fields": []any{
				map[string]any{"name": "name", "kind": "text", "label": "Name", "value": "x"},
				map[string]any{"name": "size", "kind": "choice", "label": "Size",
					"choices": []string{"small", "large"}},
				map[string]any{"name": "sure", "kind": "confirm", "label": "Sure?", "value": true}}}))}}
	case "view":
		return map[string]any{"rows": []any{string(p.ask("show", map[string]any{"token": token, "kind": "view",
			"title": "Look", "view": "v", "height": 4}))}}
	case "draft":
		return map[string]any{"draft": "a draft"}
	case "send":
		return map[string]any{"send": "say this"}
	case "events":
		return map[string]any{"rows": []any{"heard: " + p.text(&p.heard)}}
	case "given-up":
		return map[string]any{"rows": []any{"given up: " + p.text(&p.done)}}
	case "wait":
		p.send(map[string]any{"method": "progress", "params": map[string]any{"token": token, "text": "it waits"}})
		select {}
	case "remember":
		p.old = token
	case "stale":
		return map[string]any{"rows": []any{string(p.ask("show", picker(p.old)))}}
	}
	return map[string]any{"rows": []any{"did " + args}}
}
