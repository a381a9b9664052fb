package app_test

import (
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

// Who reads our output may go away: then we end, as every program does, and what we have started
// with us, also while a command runs and nothing is written. The session has all of it.
func TestABrokenPipeEndsEverything(t *testing.T) {
	for name, c := range map[string]struct {
		form, line, log string
		read            int // bytes, before the reader goes
	}{
		"while text comes": {"stream-json",
			`{"say":"` + strings.Repeat("words ", 2000) + `","delay_ms":1,"hang":true}`, "words words", 300},
		"while a command runs": {"text", `{"say":"I wait for it.\n","delay_ms":0,"tool_calls":[{"id":"c",` +
			`"name":"bash","input":{"command":"echo > early; sleep 600; echo > late"}}]}`, "the user stopped this", 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := nastyPlace(t, "ignore,serve:well")
			cmd := p.command("-p", "x", "--allow", "bash", "--output", c.form, "--script", p.script(c.line))
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(out, make([]byte, c.read)); err != nil {
				t.Fatal(err)
			}
			if c.form == "text" {
				p.until(func() bool { return slices.Contains(p.names(), "early") })
			}
			out.Close()
			defer time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() }).Stop()
			_ = cmd.Wait()
			if got := code(cmd); got != 128+int(syscall.SIGPIPE) {
				t.Errorf("code %d", got)
			}
			nasty.Gone(t, t.Name())
			if got := p.run("", "export"); !strings.Contains(got.stdout, c.log) {
				t.Errorf("the session lacks %q: %+v", c.log, got)
			}
		})
	}
}
