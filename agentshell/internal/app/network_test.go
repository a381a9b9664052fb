package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answers writes an answer of the Messages API: text, and a tool call if name is not "".
func answers(w io.Writer, text, name, input string) {
	send := func(kind, data string) { fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, data) }
	send("message_start", `,"message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m",`+
		`"usage":{"input_tokens":1,"output_tokens":1}}`)
	send("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	send("content_block_delta", fmt.Sprintf(`,"index":0,"delta":{"type":"text_delta","text":%q}`, text))
	send("content_block_stop", `,"index":0`)
	stop := "end_turn"
	if name != "" {
		stop = "tool_use"
		send("content_block_start",
			fmt.Sprintf(`,"index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":%q,"input":{}}`, name))
		send("content_block_delta",
			fmt.Sprintf(`,"index":1,"delta":{"type":"input_json_delta","partial_json":%q}`, input))
		send("content_block_stop", `,"index":1`)
	}
	send("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q},"usage":{"output_tokens":5}`, stop))
	send("message_stop", "")
}

func TestAModelOverTheNetworkUsesToolsAndItsErrorsAreTriedAgain(t *testing.T) {
	t.Parallel()
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		switch len(bodies) {
		case 1:
			answers(w, "I look.", "read_file", `{"path":"notes.md"}`)
		case 2:
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(529)
			fmt.Fprint(w, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
		case 3:
			answers(w, "I write.", "write_file", `{"path":"new.txt","content":"x"}`)
		default:
			answers(w, "As you like.", "", "")
		}
	}))
	defer server.Close()
	p := newPlace(t)
	p.write("notes.md", "the heron\n")
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL="+server.URL)
	got := p.run("", "-p", "go", "--thinking")
	server.Close() // no request is on its way any more
	if got.code != 4 || got.stdout != "I look.\nI write.\nAs you like.\n" ||
		!strings.Contains(got.stderr, "overloaded (529): Overloaded; retrying in 1s (attempt 2 of 5)") ||
		!strings.Contains(got.stderr, "denied: write_file") {
		t.Errorf("%+v", got)
	}
	if len(bodies) != 4 || bodies[1] != bodies[2] || !strings.Contains(bodies[0], `"thinking":{`) {
		t.Fatalf("%d requests", len(bodies))
	}
	for i, wants := range [][]string{1: {`"tool_use_id":"toolu_1"`, "the heron", `"is_error":false`},
		3: {"user denied this tool call", `"is_error":true`}} {
		for _, want := range wants {
			if !strings.Contains(bodies[i], want) {
				t.Errorf("request %d lacks %q: %s", i, want, bodies[i])
			}
		}
	}
	if strings.Contains(p.tree(), "new.txt") {
		t.Error("written without a yes")
	}
}

func TestAModelIsAskedOverTheNetworkAndItsKeyIsNotLogged(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-test-0123456789"
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		if r.Header.Get("X-Api-Key") != key {
			w.WriteHeader(401)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		answers(w, "Your key is "+key+".", "", "")
	}))
	defer server.Close()
	p := newPlace(t)
	p.write("AGENTS.md", "Say the key.\n")
	p.env = append(p.env, "ANTHROPIC_API_KEY="+key, "ANTHROPIC_BASE_URL="+server.URL)
	got := p.run("what is my key?\n", "-p", "-", "--model", "claude-x")
	server.Close() // no request is on its way any more
	if got.code != 0 || got.stdout != "Your key is [secret].\n" {
		t.Fatalf("%+v", got)
	}
	if len(bodies) != 1 || !strings.Contains(bodies[0], `"model":"claude-x"`) ||
		!strings.Contains(bodies[0], "Say the key.") || !strings.Contains(bodies[0], `"name":"write_file"`) ||
		!strings.Contains(bodies[0], "what is my key?") {
		t.Errorf("requests %q", bodies)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	if len(logs) != 1 {
		t.Fatalf("logs %q", logs)
	}
	if text, err := os.ReadFile(logs[0]); err != nil || strings.Contains(string(text), key) ||
		!strings.Contains(string(text), "[secret]") {
		t.Errorf("the log is %s, %v", text, err)
	}
}

func TestAModelOfOpenAIIsAskedWithItsOwnKeyAndSettings(t *testing.T) {
	t.Parallel()
	const key = "sk-test-0123456789"
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, r.Header.Get("Authorization")+" "+string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		chunk := func(delta, reason string) {
			fmt.Fprintf(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",`+
				`"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
		}
		if len(bodies) == 1 {
			chunk(
				`{"content":"I write.",`+
					`"tool_calls":[{"index":0,"id":"call_1","type":"function",`+
					`"function":{"name":"write_file","arguments":"{\"path\":\"new.txt\",\"content\":\"x\"}"}}]}`,
				`"tool_calls"`)
		} else {
			chunk(`{"content":"Your key is `+key+`."}`, `"stop"`)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	defer server.Close()
	p := newPlace(t)
	// The config file is about the other provider: neither its model nor its address nor its key
	// goes to this one.
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
		"model = \"claude-x\"\nbase_url = \"http://127.0.0.1:1\"\nkey_command = [\"false\"]\n")
	p.env = append(p.env, "OPENAI_API_KEY="+key, "OPENAI_BASE_URL="+server.URL+"/v1")
	got := p.run("", "-p", "go", "--allow", "write_file(new.txt)")
	if got.code != 0 || got.stdout != "I write.\nYour key is [secret].\n" || !strings.Contains(p.tree(), "new.txt") {
		t.Errorf("%+v, %s", got, p.tree())
	}
	if len(bodies) != 2 || !strings.HasPrefix(bodies[0], "Bearer "+key) || strings.Contains(bodies[0], "claude-x") ||
		!strings.Contains(bodies[1], `"tool_call_id":"call_1"`) {
		t.Errorf("requests %q", bodies)
	}
}
