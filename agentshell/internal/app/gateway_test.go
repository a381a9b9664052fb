package app_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// startGateway starts the gateway of the npm package in provider/gateway and returns its address.
func startGateway(t *testing.T) string {
	t.Helper()
	node := need.Program(t, "node")
	file, err := filepath.Abs("../provider/gateway/node_modules/@portkey-ai/gateway/build/start-server.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		need.Missing(t, "gateway", fmt.Errorf("the real gateway is not installed: %w", err))
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	cmd := exec.Command(node, file, fmt.Sprintf("--port=%d", port), "--headless")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Ready") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return fmt.Sprintf("http://127.0.0.1:%d/v1", port)
		}
	}
	t.Fatal("the gateway ended")
	return ""
}

// Streams of two servers behind a gateway: a call, and the answer to its result.
const (
	chatCall = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,` +
		`"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function",` +
		`"function":{"name":"read_file","arguments":"{\"path\":\"notes.md\"}"}}]},"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},` +
		`"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	chatText = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,` +
		`"delta":{"content":"They are short."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	messageStart = "event: message_start\n" + `data: {"type":"message_start","message":{"id":"msg_1",` +
		`"type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,` +
		`"output_tokens":1}}}` + "\n\n"
	messageEnd = `"stop_sequence":null},"usage":{"output_tokens":5}}` + "\n\n" +
		"event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n"
	messageCall = messageStart + "event: content_block_start\n" + `data: {"type":"content_block_start","index":0,` +
		`"content_block":{"type":"tool_use","id":"toolu_1","name":"read_file","input":{}}}` + "\n\n" +
		"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{` +
		`"type":"input_json_delta","partial_json":"{\"path\":\"notes.md\"}"}}` + "\n\n" +
		"event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n" +
		"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"tool_use",` + messageEnd
	messageText = messageStart + "event: content_block_start\n" + `data: {"type":"content_block_start","index":0,` +
		`"content_block":{"type":"text","text":""}}` + "\n\n" +
		"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{` +
		`"type":"text_delta","text":"They are short."}}` + "\n\n" +
		"event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n" +
		"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn",` + messageEnd
)

// A real gateway between the shell and a server passes Chat Completions on, or makes Messages of
// them and back: a conversation with a call of a tool goes through both.
func TestAConversationGoesThroughARealGateway(t *testing.T) {
	t.Parallel()
	url := startGateway(t)
	for name, path := range map[string]string{"openai": "/v1/chat/completions", "anthropic": "/v1/messages"} {
		var mu sync.Mutex
		var asked []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.URL.Path+" "+string(body))
			w.Header().Set("Content-Type", "text/event-stream")
			answers := map[string][2]string{"openai": {chatCall, chatText}, "anthropic": {messageCall, messageText}}
			_, _ = io.WriteString(w, answers[name][min(len(asked)-1, 1)])
		}))
		t.Cleanup(server.Close)
		p := newPlace(t)
		p.write("notes.md", "a few short notes\n")
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), fmt.Sprintf(`
[models."gateway"]
provider = "openai"
url = %q
key_env = "GATEWAY_KEY"
headers = { x-portkey-provider = %q, x-portkey-custom-host = "%s/v1" }
output = 1000
`, url, name, server.URL))
		p.env = append(p.env, "GATEWAY_KEY=a-key-of-the-gateway")
		got := p.run("", "-p", "How long are the notes?", "--model", "gateway")
		if got.code != 0 || got.stdout != "They are short.\n" || len(asked) != 2 {
			t.Fatalf("%s: %d requests, %+v", name, len(asked), got)
		}
		if !strings.HasPrefix(asked[0], path+" ") || !strings.Contains(asked[1], "a few short notes") {
			t.Errorf("%s was asked:\n%s", name, strings.Join(asked, "\n"))
		}
	}
}
