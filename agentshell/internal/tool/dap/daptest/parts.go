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

const sharedMarker = processMarker + "-shared"

// Shared returns the command line of an adapter that listens in its shared folder, as js-debug
// does. It plays a program with two parts. The first connection only launches the program; each
// part gets a connection of its own, which the adapter asks for. The second part begins when the
// first one continues. When the second part continues, the first one stops again, and the second
// one ends. The test binary must call [Main].
func Shared() []string { return []string{os.Args[0], sharedMarker, helper.SharedName + "/adapter"} }

// parts holds the connections of a program with two parts.
type parts struct {
	mu   sync.Mutex
	root *adapter // root is the adapter of the first connection.
	one  *adapter // one is the adapter of the first part's connection.
	two  bool     // two says that the second part has ended.
}

// listen accepts connections at a socket, and never returns.
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

// handle handles the requests that differ for a program with parts. It returns false for all
// others.
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

// ask sends the request startDebugging for a part.
func (a *adapter) ask(part string) {
	a.write(fmt.Sprintf(`{"seq": %d, "type": "request", "command": "startDebugging", "arguments": {"request": "launch",
		"configuration": {"part": %q}}}`, a.number(), part))
}
