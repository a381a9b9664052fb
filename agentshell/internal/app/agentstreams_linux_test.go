package app

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var streamRounds = flag.Int("streamrounds", 1, "rounds in which 1 and 16 agents stream, to compare their work")

// chorus is a model whose main agent starts agents. All of them stream at the same time, a few
// words every 20 ms.
type chorus struct {
	agents, pieces int
	pid            func() int

	arrived sync.WaitGroup // agents, until all stream
	once    sync.Once
	work    [2]time.Duration // of the program, when all stream, and when Main has their results
}

var startedAgent = regexp.MustCompile(`You are A\d+, one of several`)

// ServeHTTP implements http.Handler for the Messages API.
func (c *chorus) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	send := func(kind, format string, args ...any) {
		fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, fmt.Sprintf(format, args...))
	}
	call := func(index int, name, input string) {
		send("content_block_start", `,"index":%d,"content_block":{"type":"tool_use","id":"t1","name":%q,"input":{}}`,
			index, name)
		send("content_block_delta", `,"index":%d,"delta":{"type":"input_json_delta","partial_json":%q}`, index, input)
		send("content_block_stop", `,"index":%d`, index)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send("message_start", `,"message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m",`+
		`"usage":{"input_tokens":1,"output_tokens":1}}`)
	stop := "tool_use"
	switch {
	case startedAgent.Match(body):
		c.stream(w, send)
		call(1, "yield", `{"result":"done"}`)
	case bytes.Contains(body, []byte(`"tool_result"`)):
		c.work[1] = workOf(c.pid())
		stop = "end_turn"
		send("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
		send("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"All is done."}`)
		send("content_block_stop", `,"index":0`)
	default:
		call(0, "task", tasksFor("task", c.agents))
	}
	send("message_delta", `,"delta":{"stop_reason":%q},"usage":{"output_tokens":5}`, stop)
	send("message_stop", "")
}

// stream writes the text of an agent once all agents have begun to stream.
func (c *chorus) stream(w http.ResponseWriter, send func(kind, format string, args ...any)) {
	send("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	_ = http.NewResponseController(w).Flush()
	c.arrived.Done()
	c.arrived.Wait()
	c.once.Do(func() { c.work[0] = workOf(c.pid()) })
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := range c.pieces {
		<-tick.C
		send("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"some words of piece %d, "}`, i)
		_ = http.NewResponseController(w).Flush()
	}
	send("content_block_stop", `,"index":0`)
}

// workOf returns the processor time of a process, in user and system mode.
func workOf(pid int) time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &at); err != nil { // see clock_getcpuclockid(3)
		return 0
	}
	return time.Duration(at.Nano())
}

// streaming returns the processor time of agentshell, in a real tmux, while that many agents
// stream.
func streaming(t *testing.T, agents int) time.Duration {
	t.Helper()
	const pieces = 100 // 2 s
	p := newPane(t, 100, 30)
	c := &chorus{agents: agents, pieces: pieces}
	c.arrived.Add(agents)
	c.pid = sync.OnceValue(func() int {
		text, _ := os.ReadFile(p.path("pid"))
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return pid
	})
	server := httptest.NewServer(c)
	defer server.Close()
	config := p.path("config/agentshell/config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("[agents]\nmax = 16\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.line("export ANTHROPIC_API_KEY=sk-ant-test-0123456789 ANTHROPIC_BASE_URL=" + server.URL)
	p.line("echo $$ > pid; exec ./agentshell --workspace w")
	p.sees("Type a message")
	p.line("go")
	p.wait("the end of the agents", func() bool { return strings.Contains(p.screen(), "All is done.") })
	if c.work[0] == 0 || c.work[1] <= c.work[0] {
		t.Fatalf("the work of process %d is not known: %v", c.pid(), c.work)
	}
	return c.work[1] - c.work[0]
}

// Sixteen agents that stream at once cost at most 12 times the work of one. Work is counted, not
// time, and it is two to three times as much.
func TestSixteenStreamsCostLittleMoreThanOne(t *testing.T) {
	t.Parallel()
	var one, many, ratios []float64
	for range *streamRounds {
		a, b := streaming(t, 1).Seconds(), streaming(t, 16).Seconds()
		one, many, ratios = append(one, a), append(many, b), append(ratios, b/a)
		t.Logf("work for 2 s of text of 1 agent %.3f s, of 16 agents %.3f s: %.1f times", a, b, b/a)
	}
	slices.Sort(one)
	slices.Sort(many)
	slices.Sort(ratios)
	middle := *streamRounds / 2
	t.Logf("medians: %.3f s, %.3f s, %.1f times", one[middle], many[middle], ratios[middle])
	if ratios[middle] > 12 {
		t.Errorf("16 agents cost %.1f times the work of one", ratios[middle])
	}
}
