package daptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

const sharedMarker = marker + "-shared"

// Shared returns the command line of an adapter that listens in its shared folder, as js-debug
// does. The first connection launches a program of two parts, and says nothing of them. Each part
// has a connection of its own, for which it asks: the first part when the program begins, and the
// second one when the first goes on. When the second one goes on the first stops once more, and the
// second one ends. The test binary has to call [Main].
func Shared() []string { return []string{os.Args[0], sharedMarker, helper.SharedName + "/adapter"} }

// parts are the parts of a program, by the adapter of the connection that asks for each.
type parts struct {
	mu   sync.Mutex
	root *adapter // of the first connection
	one  *adapter // of the first part
	two  bool     // the second part has ended
}

// listen serves connections, and never returns.
func listen(path string) {
	l, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(7)
	}
	fmt.Println("Debug server listening at " + path)
	p := &parts{}
	for {
		conn, err := l.Accept()
		if err != nil {
			os.Exit(0)
		}
		a := &adapter{scenario: "parts", in: bufio.NewReader(conn), out: conn, parts: p,
			can: `{"supportsConfigurationDoneRequest": true}`}
		go a.serve()
	}
}

// serve handles the messages of one connection.
func (a *adapter) serve() {
	for {
		data, err := helper.ReadFrame(a.in, 1<<20)
		var m request
		if err != nil || json.Unmarshal(data, &m) != nil {
			return
		}
		a.parts.mu.Lock()
		a.handle(m)
		a.parts.mu.Unlock()
	}
}

// handle handles what a program with parts does in another way. It returns false if that is not it.
func (p *parts) handle(a *adapter, m request) bool {
	var args struct {
		Part string `json:"part"`
	}
	_ = json.Unmarshal(m.Arguments, &args)
	switch m.Command {
	case "launch":
		if a.launch = m.Seq; args.Part == "" {
			p.root = a
		}
		if a.part = args.Part; a.part == "first" {
			p.one = a
		}
	case "configurationDone":
		a.answer(m.Seq, m.Command, `{}`)
		a.answer(a.launch, "launch", `{}`)
		if a == p.root {
			a.ask("first")
			return true
		}
		a.event("stopped", `{"reason": "entry", "threadId": 0}`)
	case "threads":
		a.answer(m.Seq, m.Command, `{"threads": [{"id": 0, "name": "the `+a.part+` part"}]}`)
	case "setBreakpoints":
		a.print(fmt.Sprintf("the %s part has %s\n", a.part, m.Arguments))
		return false
	case "continue":
		a.answer(m.Seq, m.Command, `{}`)
		switch {
		case a.part == "second":
			p.one.event("stopped", `{"reason": "entry", "threadId": 0}`)
			a.event("terminated", `{}`)
			p.two = true
		case p.two:
			a.event("terminated", `{}`)
			p.root.event("terminated", `{}`)
		default:
			a.ask("second")
		}
	default:
		return false
	}
	return true
}

// ask asks for a connection for a part.
func (a *adapter) ask(part string) {
	a.write(fmt.Sprintf(`{"seq": %d, "type": "request", "command": "startDebugging", "arguments": {"request": "launch",
		"configuration": {"part": %q}}}`, a.number(), part))
}
