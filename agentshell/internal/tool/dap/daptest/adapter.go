// Package daptest is a debug adapter for tests, which behaves as it is told. A test binary is one
// if its first argument says so.
package daptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

const processMarker = "scrollkeep-test-adapter"

// Command returns the command line that starts the test binary as an adapter with a scenario: a
// named behaviour. The test binary must call [Main].
func Command(scenario string) []string { return []string{os.Args[0], processMarker, scenario} }

// Version returns the arguments with which the test binary prints text, and adds a line to file for
// each such run. The test binary must call [Main].
func Version(text, file string) []string { return []string{processMarker, text, file} }

// printVersion does the work of [Version], and exits.
func printVersion(text, file string) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, "asked")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
	os.Exit(0)
}

// Main runs the adapter and exits, if this process was started by [Command], [Version] or [Shared].
// Otherwise it returns.
func Main() {
	if len(os.Args) == 4 && os.Args[1] == processMarker {
		printVersion(os.Args[2], os.Args[3])
	}
	if len(os.Args) == 3 && os.Args[1] == sharedMarker {
		listen(os.Args[2])
	}
	if len(os.Args) != 3 || os.Args[1] != processMarker {
		return
	}
	a := &adapter{scenario: os.Args[2], in: bufio.NewReader(os.Stdin), out: os.Stdout, can: `{
		"supportsConfigurationDoneRequest": true, "supportsFunctionBreakpoints": true,
		"supportsConditionalBreakpoints": true, "supportsInstructionBreakpoints": true,
		"supportsDataBreakpoints": true, "supportsModulesRequest": true, "supportsLoadedSourcesRequest": true,
		"supportsDisassembleRequest": true, "supportsReadMemoryRequest": true, "supportsWriteMemoryRequest": true,
		"supportsTerminateRequest": true, "supportsCancelRequest": true,
		"exceptionBreakpointFilters": [{"filter": "thrown", "label": "Thrown", "default": true}]}`}
	if a.is("offers nothing") {
		a.can = `{"supportsConfigurationDoneRequest": true}`
	}
	a.begin()
	for {
		data, err := helper.ReadFrame(a.in, 1<<20)
		var m request
		if err != nil || json.Unmarshal(data, &m) != nil {
			if strings.HasPrefix(a.scenario, "ignores") {
				select {}
			}
			os.Exit(0)
		}
		a.handle(m)
	}
}

type adapter struct {
	scenario string
	in       *bufio.Reader
	out      io.Writer
	parts    *parts // parts is the program with two parts that [Shared] plays; nil: it has none.
	can      string
	seq      int
	launch   int // launch is the number of the launch request that is not answered yet.
	heard    []request
	part     string // part is the part of the program that this connection is about.
}

// request is a message that the adapter receives. It answers the request "heard" with all of them.
type request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Success   bool            `json:"success"`
	Message   string          `json:"message"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

func (a *adapter) is(scenario string) bool { return a.scenario == scenario }

// number returns the sequence number for the next message. In some scenarios the numbers are
// invalid.
func (a *adapter) number() int {
	switch a.seq++; {
	case a.is("zero numbers"):
		return 0
	case a.is("odd numbers"):
		return -7 * a.seq
	}
	return a.seq
}

// write sends a message, text, which need not be valid.
func (a *adapter) write(text string) {
	if _, err := fmt.Fprintf(a.out, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		os.Exit(0)
	}
}

func (a *adapter) event(name, body string) {
	a.write(fmt.Sprintf(`{"seq": %d, "type": "event", "event": %q, "body": %s}`, a.number(), name, body))
}

func (a *adapter) answer(request int, command, body string) {
	a.write(fmt.Sprintf(`{"seq": %d, "type": "response", "request_seq": %d, "success": true, "command": %q,
		"body": %s}`, a.number(), request, command, body))
}

func (a *adapter) refuse(request int, command, message string) {
	text, _ := json.Marshal(message)
	a.write(fmt.Sprintf(`{"seq": %d, "type": "response", "request_seq": %d, "success": false, "command": %q,
		"message": %s}`, a.number(), request, command, text))
}

func (a *adapter) print(text string) {
	quoted, _ := json.Marshal(text)
	a.event("output", `{"category": "stdout", "output": `+string(quoted)+`}`)
}

func (a *adapter) stop(reason string) {
	if a.is("tells little") {
		a.event("stopped", `{"reason": "`+reason+`"}`)
		return
	}
	a.event("stopped", `{"reason": "`+reason+`", "threadId": 1, "allThreadsStopped": true}`)
}

func (a *adapter) end(code int) {
	a.event("exited", fmt.Sprintf(`{"exitCode": %d}`, code))
	a.event("terminated", `{}`)
}

// begin does what the scenario does before the first request.
func (a *adapter) begin() {
	switch a.scenario {
	case "crashes at once":
		fmt.Fprintln(os.Stderr, "error: no luck")
		os.Exit(3)
	case "hangs at once":
		select {}
	case "sends garbage":
		fmt.Print("hello\n")
	case "sends half a message":
		_, _ = helper.ReadFrame(a.in, 1<<20)
		fmt.Print("Content-Length: 100\r\n\r\n{")
		os.Exit(0)
	case "sends no JSON":
		a.write("{]")
	case "sends a huge message":
		fmt.Print("Content-Length: 99999999\r\n\r\n")
	}
}

// handle handles a request, or the answer to a request of this adapter.
func (a *adapter) handle(m request) {
	a.heard = append(a.heard, m)
	if a.parts != nil && a.parts.handle(a, m) {
		return
	}
	if m.Type == "response" {
		a.print(fmt.Sprintf("answer to %s: %v %s\n", m.Command, m.Success, m.Message))
		return
	}
	switch m.Command {
	case "initialize":
		a.answer(m.Seq, m.Command, a.can)
		if a.is("zero numbers") { // as lldb-dap: launch is answered first
			return
		}
		a.event("initialized", `{}`)
	case "launch", "attach":
		a.begun(m)
	case "configurationDone":
		if a.is("refuses its configuration") {
			a.refuse(m.Seq, m.Command, "Not configured")
			return
		}
		a.answer(m.Seq, m.Command, `{}`)
		if a.launch != 0 {
			a.answer(a.launch, "launch", `{}`)
		}
		a.stop("entry")
	case "continue", "next", "stepIn", "stepOut":
		a.move(m)
	case "pause":
		a.answer(m.Seq, m.Command, `{}`)
		a.stop("pause")
	case "disconnect", "terminate":
		if a.is("refuses to terminate") {
			a.refuse(m.Seq, m.Command, "Not yet implemented")
			return
		}
		a.answer(m.Seq, m.Command, `{}`)
		if m.Command == "terminate" {
			a.end(0)
		}
	default:
		a.tell(m)
	}
}

// begun answers a launch request as the scenario says.
func (a *adapter) begun(m request) {
	switch a.scenario {
	case "crashes at the launch":
		fmt.Fprintln(os.Stderr, "fatal error: out of luck")
		os.Exit(4)
	case "refuses the launch":
		a.print("main.x:1: no such thing\n")
		a.refuse(m.Seq, m.Command, "Failed to launch")
		return
	case "hangs at the launch":
		return
	case "zero numbers":
		a.answer(m.Seq, m.Command, `{}`)
		a.event("initialized", `{}`)
		return
	case "asks":
		for _, command := range []string{"runInTerminal", "startDebugging", "dance"} {
			a.write(fmt.Sprintf(`{"seq": %d, "type": "request", "command": %q, "arguments": {"args": ["rm", "x"]}}`,
				a.number(), command))
		}
	case "odd numbers":
		a.answer(9999, "launch", `{}`)
		a.answer(-1, "", `null`)
		a.event("nonesuch", `[1]`)
		a.write(`{"type": "dream"}`)
		a.write(`{"seq": 1.5e1, "type": "event", "event": "output", "body": "x"}`)
	case "forks":
		cmd := exec.Command(os.Args[0], processMarker, "hangs at once")
		if _, err := new(child.Family).Start(cmd); err != nil {
			os.Exit(6)
		}
	}
	a.launch = m.Seq
}

// move answers a request that makes the program run, such as continue or next.
func (a *adapter) move(m request) {
	switch a.scenario {
	case "crashes when asked":
		fmt.Fprintln(os.Stderr, "panic: no more luck")
		os.Exit(5)
	case "hangs when asked":
		return
	case "runs for ever":
		a.answer(m.Seq, m.Command, `{}`)
		return
	case "floods":
		a.answer(m.Seq, m.Command, `{}`)
		for i := range 20_000 {
			a.print(fmt.Sprintf("line %d %s\n", i, strings.Repeat("x", 100)))
		}
		a.end(0)
		return
	case "floods with requests":
		for {
			a.write(`{"seq": 1, "type": "request", "command": "runInTerminal", "arguments": {}}`)
		}
	case "sends garbage later":
		fmt.Print("\x00\xff garbage\n")
		select {}
	case "prints in each category":
		a.answer(m.Seq, m.Command, `{}`)
		for category, text := range []string{"out", "err", "console", "important", "secret"} {
			name := []string{"stdout", "stderr", "console", "important", "telemetry"}[category]
			a.event("output", `{"category": "`+name+`", "output": "`+text+` "}`)
		}
		a.event("output", `{"output": "none"}`)
		a.event("terminated", `{}`)
		return
	case "prints controls":
		a.print("one\x1b[31m\x1b]0;title\x07\r\n\x9btwo\x00\n")
	}
	if m.Command != "continue" {
		a.answer(m.Seq, m.Command, `{}`)
		a.event("continued", `{"threadId": 1}`)
		a.stop("step")
		return
	}
	if a.is("odd numbers") { // the stop is told before the answer, which comes twice
		a.stop("breakpoint")
		a.answer(m.Seq, m.Command, `{}`)
		a.answer(m.Seq, m.Command, `{}`)
		return
	}
	a.answer(m.Seq, m.Command, `{}`)
	a.end(3)
}
