package app

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// runs reports whether a process with that command line is running.
func runs(command string) bool {
	return exec.Command("pgrep", "-xf", command).Run() == nil
}

// A build runs while the model goes on; a key ends it, its end is told, and nothing of it or of
// another one is left when the shell ends.
func TestAJobRunsBehindTheConversationAndEndsWithTheShell(t *testing.T) {
	t.Parallel()
	need.Program(t, "bash")
	need.Program(t, "pgrep")
	p := newPane(t, 80, 24)
	id := os.Getpid() // another run of this test may be under way
	build, server := fmt.Sprintf("sleep 60.1%d", id), fmt.Sprintf("sleep 60.2%d", id)
	late := fmt.Sprintf("sleep 60.3%d", id)
	async := func(id, command string) string {
		return `{"id":"` + id + `","name":"bash","input":{"async":true,"command":"` + command + `"}}`
	}
	p.start(`{"say":"I build.","delay_ms":0,"tool_calls":[`+async("b", "echo step 1; "+build)+`]}`,
		`{"say":"Meanwhile I look.","delay_ms":0,"tool_calls":[{"id":"l","name":"list_dir","input":{"path":"."}}]}`,
		`{"say":"I went on.","delay_ms":0}`,
		`{"expect":"The background job job-1 was cancelled by the user","say":"Then not.","delay_ms":0,"tool_calls":[`+
			async("c", "(setsid "+late+" &); "+server)+`]}`,
		`{"say":"It serves.","delay_ms":0}`)
	p.line("go")
	p.armed()
	p.keys("y")
	p.sees("I went on.")
	p.sees("1 job")
	p.wait("the build", func() bool { return runs(build) })
	p.line("/jobs")
	p.sees("x ends the job")
	p.sees("step 1")
	p.text("x")
	p.sees("end this job?")
	p.text("x")
	p.sees("cancelled after")
	p.text("q")
	p.sees("job-1 cancelled after")
	p.wait("the end of the build", func() bool { return !runs(build) })
	p.line("and now?")
	(&film{pane: p}).bright("press Y")
	p.keys("Y")
	p.sees("It serves.")
	p.wait("the server", func() bool { return runs(server) && runs(late) })
	p.line("/quit")
	p.sees("1 background job would end with the shell:")
	p.line("/quit")
	p.wait("the end of the shell", func() bool { return strings.HasSuffix(p.history(), "$") })
	p.wait("the end of all that it had started", func() bool { return !runs(server) && !runs(late) })
}
