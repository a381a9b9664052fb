package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// written returns a script in which the model writes a file and then says a word.
func written(t *testing.T, name, content string) []string {
	t.Helper()
	call, err := json.Marshal(map[string]any{"delay_ms": 0, "tool_chunk_bytes": 4096, "tool_calls": []any{
		map[string]any{"id": "t1", "name": "write_file", "input": map[string]any{"path": name, "content": content}}}})
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(call), hi}
}

// One call takes no more than mostMemory, whatever it writes: what is beyond the bounds is refused
// with a sentence before it is held several times.
func TestALargeCallTakesLittleMemory(t *testing.T) {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i*7%n)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, old, content string
		code               int
		says               string
	}{
		{"50 MB", "", strings.Repeat(strings.Repeat("x", 99)+"\n", 500_000), 2,
			"line 1: it is longer than 40 MiB; a model writes long files in several calls"},
		{"30 MB", "", strings.Repeat(strings.Repeat("x", 99)+"\n", 300_000), 3, "script lines left over"},
		{"20 MB", "", strings.Repeat(strings.Repeat("x", 99)+"\n", 200_000), 0, ""}, // the call fails, the turn goes on
		{"10 MB, new", "", lines(500_000, "%018d\n"), 4, ""},                        // must be asked
		{"8 MB, all lines other", lines(590_000, "%012d\n"), lines(590_000, "%012d x\n"), 4, ""},
		{"escaped", "", strings.Repeat("\x01", 3_900_000), 4, ""},
	} {
		p := newPlace(t)
		if c.old != "" {
			p.write("f", c.old)
		}
		least := 1 << 30
		// On a machine that is busy for others the collector comes late: the least of three counts.
		for try := 0; try < 3 && least > mostMemory; try++ {
			code, n, out := played(t, p, written(t, "f", c.content))
			least = min(least, n)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Fatalf("%s: code %d, %.300s", c.name, code, out)
			}
		}
		if least > mostMemory {
			t.Errorf("%s: %d MiB", c.name, least)
		}
		t.Logf("%s: %d MiB", c.name, least)
	}
}

// played answers one prompt with a script. It returns the exit code, the largest amount of memory
// that was used, in MiB, and the output.
func played(t *testing.T, p place, lines []string) (code, most int, printed string) {
	t.Helper()
	cmd := p.command("-p", "go", "--mode", "edits", "--script", p.script(lines...))
	detach(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	memory := watch(cmd.Process.Pid, ended)
	_ = cmd.Wait()
	close(ended)
	return cmd.ProcessState.ExitCode(), <-memory, out.String()
}
