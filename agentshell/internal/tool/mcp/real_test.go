package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// realServer returns the program of a server of the npm packages in servers, with node before it.
func realServer(t *testing.T, name string) []string {
	t.Helper()
	node := need.Program(t, "node")
	file := filepath.Join("servers/node_modules/@modelcontextprotocol", "server-"+name, "dist/index.js")
	if _, err := os.Stat(file); err != nil {
		need.Missing(t, "mcp", fmt.Errorf("real servers are not installed: %w", err))
	}
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	crypto, err := filepath.Abs("servers/webcrypto.cjs")
	if err != nil {
		t.Fatal(err)
	}
	return []string{node, "--require", crypto, file}
}

// The prompts of a real server come with its tools, and their text by their arguments.
func TestPromptsOfARealServer(t *testing.T) {
	t.Parallel()
	f := &Fleet{Version: "0"}
	defer f.Close()
	f.Add(Server{Name: "everything", Command: realServer(t, "everything"), Dir: t.TempDir(),
		Env: []string{"PATH=" + os.Getenv("PATH")}}, func(*Client, []Tool) error { return nil })
	f.Wait(t.Context())
	list := f.Prompts()
	names := map[string]Prompt{}
	for _, p := range list {
		names[p.Name] = p
	}
	args := names["args-prompt"]
	if len(list) < 3 || len(args.Args) != 2 || args.Args[0].Name != "city" || !args.Args[0].Required ||
		args.Server != "everything" {
		t.Fatalf("%+v", list)
	}
	text, err := f.Prompt(t.Context(), "everything", "args-prompt", map[string]string{"city": "Graz",
		"state": "Styria"})
	if err != nil || !strings.Contains(text, "Graz") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := f.Prompt(t.Context(), "everything", "args-prompt", nil); err == nil {
		t.Error("a prompt without what it needs")
	}
	if _, err := f.Prompt(t.Context(), "none", "x", nil); err == nil || !strings.Contains(err.Error(), "not there "+
		"now") {
		t.Error(err)
	}
	if s := f.List(); s[0].Prompts != len(list) {
		t.Errorf("%+v", s)
	}
}

func startReal(t *testing.T, dir, name string, args ...string) (*Client, []Tool) {
	t.Helper()
	var log bytes.Buffer
	c, tools, err := Start(t.Context(), Server{Name: name, Command: append(realServer(t, name), args...), Dir: dir,
		Env: []string{"PATH=" + os.Getenv("PATH")}, Log: &log, Timeout: 20 * time.Second}, "0")
	if err != nil {
		t.Fatalf("%s: %v, and it says\n%s", name, err, log.String())
	}
	t.Cleanup(c.Close)
	return c, tools
}

// everything sees that what the server for tests of clients has comes through.
func everything(t *testing.T, c *Client, tools []Tool) {
	t.Helper()
	if len(tools) < 10 || len(c.Skipped) > 0 {
		t.Errorf("%d tools, left out: %q", len(tools), c.Skipped)
	}
	told := 0
	for _, call := range []struct {
		tool, args, want string
		images           int
	}{
		{"echo", `{"message":"hi"}`, "Echo: hi", 0},
		{"get-sum", `{"a":1,"b":2}`, "The sum of 1 and 2 is 3.", 0},
		{"get-tiny-image", `{}`, "Here's the image you requested:", 1},
		{"get-structured-content", `{"location":"Chicago"}`, `"temperature"`, 0},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":1}`, "demo://resource/dynamic/text/1", 0},
		{"get-resource-links", `{"count":2}`, "[resource demo://resource/", 0},
		{"trigger-long-running-operation", `{"duration":1,"steps":3}`, "Long running operation completed", 0},
	} {
		a, err := c.Call(t.Context(), call.tool, json.RawMessage(call.args), func(text string) {
			if strings.HasPrefix(text, fmt.Sprint(told+1, " of 3")) {
				told++
			}
		})
		if err != nil || a.Failed || !strings.Contains(a.Text, call.want) || len(a.Images) != call.images {
			t.Errorf("%s: %q, %d images, %v", call.tool, a.Text, len(a.Images), err)
		}
	}
	if told == 0 {
		t.Error("nothing was told of the progress")
	}
	if a, err := c.Call(t.Context(), "echo", json.RawMessage(`{}`), nil); err == nil && !a.Failed {
		t.Errorf("a call without its argument: %+v", a)
	}
	if list, err := c.Resources(t.Context()); err != nil || !strings.Contains(list, "demo://resource/dynamic/text/{") ||
		!strings.Contains(list, "demo://resource/static/document/") {
		t.Errorf("%q, %v", list, err)
	}
	if text, err := c.Read(t.Context(), "demo://resource/dynamic/text/7"); err != nil ||
		!strings.HasPrefix(text, "Resource 7:") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTheServerForTestsOfClients(t *testing.T) {
	t.Parallel()
	c, tools := startReal(t, t.TempDir(), "everything")
	everything(t, c, tools)
	if a, err := c.Call(t.Context(), "get-env", json.RawMessage(`{}`), nil); err != nil ||
		strings.Count(a.Text, `":`) != 1 {
		t.Errorf("its environment: %q, %v", a.Text, err)
	}
}

// The same over both ways of HTTP.
func TestTheServerForTestsOfClientsOverHTTP(t *testing.T) {
	for how, path := range map[string]string{"streamableHttp": "/mcp", "sse": "/sse"} {
		t.Run(how, func(t *testing.T) {
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			_, port, _ := net.SplitHostPort(free.Addr().String())
			free.Close()
			command := realServer(t, "everything")
			cmd := exec.Command(command[0], append(command[1:], how)...)
			cmd.Env = append(os.Environ(), "PORT="+port)
			said, err := cmd.StderrPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			lines := bufio.NewScanner(said)
			for lines.Scan() && !strings.Contains(lines.Text(), port) {
			}
			go func() {
				for lines.Scan() {
				}
			}()
			c, tools, err := Start(t.Context(), Server{URL: "http://127.0.0.1:" + port + path,
				Timeout: 20 * time.Second}, "0")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			everything(t, c, tools)
			_ = cmd.Process.Kill()
			if _, err := c.Call(t.Context(), "echo", json.RawMessage(`{"message":"hi"}`), nil); err == nil {
				t.Error("a server that is gone answers")
			}
		})
	}
}

func TestTheServersOfFilesAndMemory(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, _ := startReal(t, dir, "filesystem") // it asks for our root
	path, _ := json.Marshal(filepath.Join(dir, "a.txt"))
	read := json.RawMessage(`{"path":` + string(path) + `}`)
	a, err := files.Call(t.Context(), "read_text_file", read, nil)
	for i := 0; i < 50 && err == nil && a.Failed; i++ { // it asks a moment after its start
		<-time.After(20 * time.Millisecond)
		a, err = files.Call(t.Context(), "read_text_file", read, nil)
	}
	if err != nil || a.Text != "text\n" {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = files.Call(t.Context(), "read_text_file", json.RawMessage(`{"path":"/etc/passwd"}`), nil); err != nil ||
		!a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	memory, _ := startReal(t, dir, "memory")
	if a, err = memory.Call(t.Context(), "read_graph", json.RawMessage(`{}`), nil); err != nil || a.Failed ||
		!strings.Contains(a.Text, "entities") {
		t.Errorf("%+v, %v", a, err)
	}
	if text, err := memory.Read(t.Context(), "memory://knowledge-graph"); err != nil ||
		!strings.Contains(text, "entities") {
		t.Errorf("%q, %v", text, err)
	}
}

// Most servers are started by npx, which takes its time and puts two programs between us and them:
// all of them are gone at the end.
func TestAServerThatNpxStartsIsEndedWithIt(t *testing.T) {
	t.Parallel()
	realServer(t, "memory")
	npx := need.Program(t, "npx")
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		need.Missing(t, "proc", err)
	}
	dir, err := filepath.Abs("servers")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	mark := "MEMORY_FILE_PATH=" + filepath.Join(home, "memory.json")
	left := func() (programs []string) {
		for pid, env := range nasty.Processes("environ") {
			if bytes.Contains(env, []byte(mark)) {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				programs = append(programs, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
			}
		}
		return programs
	}
	s := Server{Name: "memory", Command: []string{npx, "--no", "mcp-server-memory"}, Dir: dir,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, mark}}
	c, tools, err := Start(t.Context(), s, "0")
	if err != nil || len(tools) == 0 {
		t.Fatal(err)
	}
	if a, err := c.Call(t.Context(), "read_graph", json.RawMessage(`{}`), nil); err != nil || a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	if n := len(left()); n < 2 {
		t.Errorf("%d programs run, so npx does not stand between us and the server", n)
	}
	c.Close()
	for at := time.Now(); len(left()) > 0; <-time.After(20 * time.Millisecond) {
		if time.Since(at) > 5*time.Second {
			t.Fatalf("still there: %q", left())
		}
	}
}

// A real server asks the person and the model, and gets what they say.
func TestARealServerAsks(t *testing.T) {
	t.Parallel()
	var asked []Question
	var sampled []Sample
	c, tools, err := Start(t.Context(), Server{Name: "everything", Command: realServer(t, "everything"),
		Dir: t.TempDir(),
		Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: 20 * time.Second,
		Ask: func(_ context.Context, q Question) (Reply, error) {
			asked = append(asked, q)
			if len(asked) == 2 {
				return Reply{Decline: true}, nil
			}
			text := strings.Replace(form.Write(q.Fields), `name = ""`, `name = "Ada"`, 1)
			values, err := form.Read([]byte(text), q.Fields)
			return Reply{Accept: err == nil, Values: values}, err
		},
		Sample: func(_ context.Context, s Sample) (string, string, error) {
			sampled = append(sampled, s)
			return "the answer", "a model", nil
		}}, "0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	names := map[string]bool{}
	for _, tool := range tools {
		names[tool.Name] = true
	}
	const elicits, samples = "trigger-elicitation-request", "trigger-sampling-request"
	if !names[elicits] || !names[samples] {
		t.Fatalf("the tools are %v", names)
	}
	for _, want := range []string{"Ada", "declined"} {
		a, err := c.Call(t.Context(), elicits, json.RawMessage(`{}`), nil)
		if err != nil || !strings.Contains(a.Text, want) {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if len(asked) != 2 || asked[0].Server != "everything" || len(asked[0].Fields) < 5 || asked[0].Message == "" ||
		!asked[0].Fields[0].Required {
		t.Errorf("%+v", asked)
	}
	a, err := c.Call(t.Context(), samples, json.RawMessage(`{"prompt":"what is it?","maxTokens":50}`), nil)
	if err != nil || !strings.Contains(a.Text, "the answer") {
		t.Errorf("%+v, %v", a, err)
	}
	if len(sampled) != 1 || !strings.Contains(sampled[0].Messages[0].Text, "what is it?") ||
		sampled[0].MaxTokens != 50 {
		t.Errorf("%+v", sampled)
	}
}
