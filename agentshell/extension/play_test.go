package extension_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// listInput is the input of the tool list.
type listInput struct {
	All bool `json:"all" doc:"also remote ones"`
}

// played returns the extension that is played. js/testdata/played.mjs is the same in JavaScript.
func played() extension.Extension {
	heard := make(chan extension.Event, 10)
	started := make(chan *extension.Session, 1)
	return extension.Extension{
		About: "is played by a test",
		Commands: []extension.Command{{Name: "branches", About: "switch", Run: func(ctx context.Context,
			c *extension.Call) (extension.Reply, error) {
			return command(ctx, c, heard)
		}, Complete: func(_ context.Context, args string) []extension.Item {
			return []extension.Item{{Text: args + "in", Note: "2 days ago"}}
		}}},
		Tools: []extension.Tool{extension.NewTool("list", "lists branches",
			func(ctx context.Context, c *extension.Call, in listInput) (string, error) {
				c.Progress("3 of 9")
				if !in.All {
					<-ctx.Done()
					return "", fmt.Errorf("stopped: %w", ctx.Err())
				}
				return "...", nil
			})},
		Renderers: []extension.Renderer{{Tool: "*", Result: func(_ context.Context, s extension.Shown) []extension.Row {
			if !s.OK {
				return nil
			}
			return []extension.Row{extension.Styled(extension.Dim, s.Tool+": "+s.Text)}
		}}},
		Status: func(_ context.Context, width int) extension.Row {
			(<-started).Changed("status")
			return extension.Plain(fmt.Sprintf("%d columns", width))
		},
		Events: []string{extension.TurnBegin, extension.CallAsked, extension.CallResult, extension.SessionEnd},
		Event:  func(e extension.Event) { heard <- e },
		Start:  func(_ context.Context, s *extension.Session) { started <- s },
	}
}

// command runs the command branches.
func command(ctx context.Context, c *extension.Call, heard chan extension.Event) (extension.Reply, error) {
	switch c.Args {
	case "main":
		value, err := c.Pick(ctx, extension.Picker{Title: "Switch to", Place: extension.Prompt,
			Items: []extension.Item{{Text: "main", Note: "2 days ago"}}})
		return extension.Reply{Draft: value}, err
	case "form":
		var answer struct {
			Name  string `json:"name"`
			Force bool   `json:"force"`
		}
		err := c.Fill(ctx, extension.Form{Title: "New", Fields: []extension.Field{{Name: "size", Label: "Size",
			Kind: extension.Choice, Choices: []string{"small", "large"}, Value: "small"}}}, &answer)
		return extension.Reply{Send: fmt.Sprint(answer)}, err
	case "view":
		keys := ""
		err := c.View(ctx, extension.View{Title: "Keys", Height: 3,
			Rows: func(int, int) []extension.Row { return []extension.Row{extension.Plain(keys)} },
			Key: func(k extension.Key) bool {
				keys += k.Name + "(" + k.Text + ")"
				return k.Name == "paste"
			}})
		return extension.Reply{Rows: []extension.Row{extension.Plain(keys), nil}}, err
	case "rows":
		return extension.Reply{Rows: []extension.Row{extension.Plain("plain"),
			extension.Join(extension.Styled(extension.Strong, "main"), extension.Styled(extension.Dim, " 2 days ago")),
			{{Text: "run 17", Link: "https://ci.example.com/17"}}}}, nil
	case "events":
		var all []string
		for range 3 {
			e := <-heard
			all = append(all, fmt.Sprintf("%s %s %s %v %s %d", e.Name, e.Call, e.Tool, e.OK, e.Text, e.Missed))
		}
		return extension.Reply{Draft: strings.Join(all, "\n")}, nil
	case "panic":
		panic("on purpose")
	}
	return extension.Reply{}, nil
}

// play plays each message of the page.
func play(t *testing.T, p *peer, on page) {
	p.raw(on.take("Messages", "ping"))
	if _, failure := p.answer("1"); !strings.Contains(failure, "-32601") {
		t.Errorf("an unknown request: %s", failure)
	}
	greeting := p.call("initialize", on.take("The start", `"workspace"`))
	sameKeys(t, "initialize", greeting, on.take("The start", `"commands"`))
	var reply struct {
		Commands, Tools, Renderers, Events []string
		Status, Footer                     bool
	}
	if err := json.Unmarshal([]byte(greeting), &reply); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(reply) != "{[branches] [list] [*] [turn_begin call result session_end] true false}" {
		t.Errorf("it serves %v", reply)
	}
	playCommands(t, p, on)
	playTool(t, p, on)
	playRows(t, p, on)
	playView(t, p, on)
	on.none()
	p.call("shutdown", "{}")
}

func playCommands(t *testing.T, p *peer, on page) {
	params := on.take("Commands", `"token"`)
	id := p.ask("command", params)
	ask, question := p.sends("show")
	same(t, "the picker", question, on.take("Questions", `"picker"`))
	p.replies(ask, on.take("Questions", `{"value": "main"}`))
	result, _ := p.answer(id)
	same(t, "a command", result, `{"draft": "main"}`)

	same(t, "completion", p.call("complete", on.take("Commands", `"ma"`)), on.take("Commands", `"items"`))

	id = p.ask("command", strings.Replace(params, "main", "form", 1))
	ask, question = p.sends("show")
	same(t, "the form", question, `{"token": "c1", "kind": "form", "title": "New", "fields": [`+
		on.take("Questions", `"choices"`)+`]}`)
	p.replies(ask, on.take("Questions", `"force"`))
	result, _ = p.answer(id)
	same(t, "a form", result, `{"send": "{x true}"}`)

	id = p.ask("command", params)
	ask, _ = p.sends("show")
	p.replies(ask, on.take("Questions", `"cancelled"`))
	result, _ = p.answer(id)
	same(t, "a command whose question was left", result, `{}`)

	id = p.ask("command", params)
	ask, _ = p.sends("show")
	p.raw(`{"jsonrpc":"2.0","id":` + ask + `,"error":{"code":1,"message":"no screen"}}`)
	if _, failure := p.answer(id); !strings.Contains(failure, "no screen") {
		t.Errorf("without a screen: %s", failure)
	}

	same(t, "rows", p.call("command", strings.Replace(params, "main", "rows", 1)),
		`{"rows": `+on.take("Rows", `"plain"`)+`}`)
	_, failure := p.answer(p.ask("command", strings.Replace(params, "main", "panic", 1)))
	if !strings.Contains(failure, "on purpose") {
		t.Errorf("a panic: %s", failure)
	}
}

func playTool(t *testing.T, p *peer, on page) {
	params := on.take("Tools", `"input"`)
	result := p.call("tool", params)
	same(t, "a tool", result, on.take("Tools", `"failed"`))
	_, progress := p.sends("progress")
	same(t, "progress", progress, on.take("What goes on", `"token"`))

	id := p.ask("tool", strings.Replace(params, "true", "false", 1))
	p.sends("progress")
	p.notify("cancel", on.take("Giving up", `"token"`))
	if result, _ = p.answer(id); !strings.Contains(result, `"failed":true`) || !strings.Contains(result, "stopped") {
		t.Errorf("a tool that is stopped: %s", result)
	}

	var last string
	for _, event := range []string{"turn_begin", `"event": "call"`, `"ok"`} {
		p.notify("event", on.take("What happens", event))
	}
	last = p.call("command", `{"name":"branches","args":"events","token":"c2"}`)
	same(t, "events", last, `{"draft": "turn_begin   false the person's message 0\ncall id bash false  0\n`+
		`result id bash true what the model is told 0"}`)
	p.notify("event", on.take("What happens", "session_end"))
}

func playRows(t *testing.T, p *peer, on page) {
	status := p.call("render", on.take("Rows to show", `"width"`))
	same(t, "status", status, `{"rows": ["38 columns"]}`)
	sameKeys(t, "rows", status, on.take("Rows to show", `{"rows": []}`))
	_, changed := p.sends("changed")
	same(t, "changed", changed, on.take("Rows to show", `{"part": "status"}`))
	result := `{"part": "result", "tool": "bash", "call": "id", "input": {}, "ok": true, "text": "x", "width": 80, ` +
		`"height": 200}`
	same(t, "a result", p.call("render", result), `{"rows": [[{"text": "bash: x", "style": "dim"}]]}`)
	same(t, "as usual", p.call("render", strings.Replace(result, "true", "false", 1)),
		on.take("Rows to show", `{"rows": null}`))
	on.take("Rows to show", `{}`) // both say the same
}

func playView(t *testing.T, p *peer, on page) {
	id := p.ask("command", `{"name":"branches","args":"view","token":"c3"}`)
	ask, question := p.sends("show")
	var view struct{ View string }
	if err := json.Unmarshal([]byte(question), &view); err != nil || view.View == "" {
		t.Fatal(question, err)
	}
	same(t, "the view", question,
		`{"token": "c3", "kind": "view", "title": "Keys", "height": 3, "view": "`+view.View+`"}`)
	own := func(message string) string { return strings.Replace(message, `"v1"`, `"`+view.View+`"`, 1) }
	p.notify("key", own(on.take("Questions", `"down"`)))
	p.notify("key", own(on.take("Questions", `"A"`)))
	for range 2 {
		_, changed := p.sends("changed")
		same(t, "changed", changed, own(`{"part": "view", "view": "v1"}`))
	}
	same(t, "the rows of a view", p.call("render", own(`{"part": "view", "view": "v1", "width": 80, "height": 3}`)),
		`{"rows": ["down()A(A)"]}`)
	p.notify("key", own(on.take("Questions", `"paste"`)))
	_, closed := p.sends("close")
	sameKeys(t, "close", closed, on.take("Questions", `"value": "main"`))
	p.replies(ask, on.take("Questions", `{"value": null}`))
	result, _ := p.answer(id)
	same(t, "a view", result, `{"rows": ["down()A(A)paste(what was pasted)", []]}`)
}

func TestGoPlaysThePage(t *testing.T) {
	t.Parallel()
	p, ended := serve(t, played())
	play(t, p, readPage(t))
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// serve starts an extension on pipes.
func serve(t *testing.T, e extension.Extension) (p *peer, ended chan error) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		err := e.Serve(t.Context(), inR, outW)
		_ = outW.Close()
		ended <- err
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close() })
	return connect(t, inW, outR), ended
}

func TestJavaScriptPlaysThePage(t *testing.T) {
	t.Parallel()
	node := need.Program(t, "node")
	p, wait := run(t, "", node, "js/testdata/played.mjs")
	play(t, p, readPage(t))
	if err := wait(); err != nil {
		t.Error(err)
	}
}

// run starts a program in a directory.
func run(t *testing.T, dir, program string, args ...string) (p *peer, wait func() error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return connect(t, in, out), cmd.Wait
}
