//go:build linux

// Package nasty provides programs for tests that do not end properly, such as processes that ignore
// signals. A test binary plays such a program by starting itself.
package nasty

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Environment variables of a nasty process. NASTY_DO says what it does, and NASTY_MARK is the mark
// by which tests find it.
const (
	how  = "NASTY_DO"
	mark = "NASTY_MARK"
)

// Main must be called first in a TestMain. If the process was started with the environment of
// [Env], it plays the nasty program and does not return.
func Main() {
	if do, ok := os.LookupEnv(how); ok {
		play(strings.Split(do, ","))
		os.Exit(0)
	}
}

// Env returns the environment that makes a process of this test binary a nasty program. m is a
// mark, by which [Left] finds the process. do lists what it does, one word after another, separated
// by commas:
//
//	ignore   ignores signals that ask it to end, from here on
//	child    starts a child in a session of its own for the remaining words, and waits for it
//	orphan   the same, but it exits at once
//	group    the same as orphan, but in a process group instead of a session
//	again    for each SIGTERM it starts a child for the remaining words; it goes on itself
//	hear     exits with code 7 on SIGTERM
//	ready    prints "ready" on its standard output
//	stop     stops itself (SIGSTOP)
//	chain    forks and exits, and so does its child, and its child, and so on
//	chainsid the same, each in a session of its own
//	out, err writes to the standard output or the standard error without end
//	wait     does nothing
//	serve:X  is a misbehaving MCP server; see serve
func Env(do, m string) []string { return []string{how + "=" + do, mark + "=" + processMark(m)} }

// processMark returns the mark m with the id of this test process, since the same test may run in
// another checkout.
func processMark(m string) string { return m + " of " + strconv.Itoa(os.Getpid()) }

// play does what the words of [Env] say.
func play(words []string) {
	for i, word := range words {
		rest := words[i+1:]
		switch word {
		case "ignore":
			signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		case "child":
			_ = startNext(rest, &syscall.SysProcAttr{Setsid: true}).Wait()
			os.Exit(0)
		case "orphan":
			startNext(rest, &syscall.SysProcAttr{Setsid: true})
			os.Exit(0)
		case "group":
			startNext(rest, &syscall.SysProcAttr{Setpgid: true})
			os.Exit(0)
		case "again":
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, syscall.SIGTERM)
			go func() {
				for range asked {
					startNext(rest, &syscall.SysProcAttr{Setsid: true})
				}
			}()
		case "hear":
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, syscall.SIGTERM)
			go func() {
				<-asked
				os.Exit(7)
			}()
		case "ready":
			fmt.Println("ready")
		case "stop":
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		case "chain", "chainsid":
			chain(word == "chainsid")
		case "out":
			flood(os.Stdout)
		case "err":
			flood(os.Stderr)
		case "wait":
			forever()
		default:
			if what, ok := strings.CutPrefix(word, "serve:"); ok {
				serve(what)
			} else {
				panic("nasty: " + word)
			}
		}
	}
}

// startNext starts a child process that does the remaining words. It inherits the standard streams.
func startNext(remaining []string, attr *syscall.SysProcAttr) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{how + "=" + strings.Join(remaining, ","), mark + "=" + os.Getenv(mark)}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdin, os.Stdout, os.Stderr, attr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// chain forks and exits, again and again. It uses only system calls, because a forked Go program
// has only one thread.
func chain(session bool) {
	for {
		pid, _, _ := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		if pid != 0 {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		if session {
			syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		}
	}
}

// flood writes lines to w without end.
func flood(w io.Writer) {
	line := bytes.Repeat([]byte("all work and no play makes a dull log\n"), 1000)
	for {
		if _, err := w.Write(line); err != nil {
			forever()
		}
	}
}

// serve runs an MCP server with one tool, "go". The name of the server, what, says what it does
// when the tool is called. Only "well" answers the call:
//
//	lines       floods the standard output with lines that are no messages
//	notes       floods it with notifications
//	progress    sends progress notifications, which keep the call alive
//	asks        floods it with requests, and does not read the answers
//	line        floods it with one line that never ends
//	big         floods it with large results that nobody asked for
//	err         floods the standard error
//	deaf        stops reading
//	silent      does nothing
//	hold        leaves a grandchild that keeps the streams open and ignores signals, and exits
//
// If the name begins with "start-", the server does that instead of answering the initialize
// request. Other servers ask the user a question after their initialization, see questions.
func serve(what string) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	early, atStart := strings.CutPrefix(what, "start-")
	for {
		text, err := in.ReadBytes('\n')
		if err != nil {
			forever()
		}
		var m struct {
			ID     int
			Method string
		}
		_ = json.Unmarshal(text, &m)
		reply := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", m.ID, result) }
		switch m.Method {
		case "initialize":
			if atStart {
				misbehave(early, m.ID)
			}
			reply(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"nasty",` +
				`"version":"1"}}`)
		case "notifications/initialized", "": // "": an answer to what was asked
			askQuestion(what, m.Method == "")
		case "tools/list":
			if strings.Contains(what, "mute-") {
				continue
			}
			reply(`{"tools":[{"name":"go","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			fmt.Fprintln(os.Stderr, "called")
			if what == "well" {
				reply(`{"content":[{"type":"text","text":"went"}]}`)
				continue
			}
			misbehave(what, m.ID)
		}
	}
}

// questions maps names of servers to the requests that they send. A name that begins with "again-"
// asks again after each answer; with "again-slowly-" it waits before that. A server with "mute-" in
// its name does not list its tools.
var questions = map[string]string{
	"form": `"elicitation/create","params":{"mode":"form","message":"Who are you?","requestedSchema":` +
		`{"type":"object","properties":{"name":{"type":"string"}}}}`,
	"page": `"elicitation/create","params":{"mode":"url","message":"Log in","url":"https://example.com/x",` +
		`"elicitationId":"e"}`,
	"sample": `"sampling/createMessage","params":{"maxTokens":9,"messages":[{"role":"user","content":` +
		`{"type":"text","text":"Who are you?"}}]}`,
}

// askQuestion sends the request of the server with the name what. anew says that an answer has
// arrived before.
func askQuestion(what string, anew bool) {
	what, again := strings.CutPrefix(what, "again-")
	what, slowly := strings.CutPrefix(what, "slowly-")
	what = strings.TrimPrefix(what, "mute-")
	question, is := questions[what]
	if !is || anew && !again {
		return
	}
	if anew && slowly {
		time.Sleep(700 * time.Millisecond)
	}
	fmt.Fprintln(os.Stderr, "asked")
	fmt.Printf(`{"jsonrpc":"2.0","id":"ask","method":%s}`+"\n", question)
}

// misbehave does what the name of the server, what, says. id is the id of the request that it
// should answer.
func misbehave(what string, id int) {
	repeat := func(line string) { floodStdout(bytes.Repeat([]byte(line+"\n"), max(1, (64<<10)/len(line)))) }
	switch what {
	case "lines":
		flood(os.Stdout)
	case "notes":
		repeat(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`)
	case "progress":
		for range time.Tick(20 * time.Millisecond) {
			fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}`+
				"\n", id)
		}
	case "asks":
		repeat(`{"jsonrpc":"2.0","id":"x","method":"ping"}`)
	case "line":
		floodStdout(bytes.Repeat([]byte("x"), 64<<10))
	case "big":
		repeat(`{"jsonrpc":"2.0","id":77,"result":{"content":[{"type":"text","text":"` +
			strings.Repeat("x", 15<<20) + `"}]}}`)
	case "mine":
		fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n", id,
			strings.Repeat("x", 15<<20))
	case "err":
		flood(os.Stderr)
	case "deaf", "silent":
		forever()
	case "hold":
		play([]string{"orphan", "ignore", "wait"})
	default:
		panic("nasty: " + what)
	}
}

// floodStdout writes p to the standard output without end.
func floodStdout(p []byte) {
	for {
		if _, err := os.Stdout.Write(p); err != nil {
			forever()
		}
	}
}

// Left returns the running processes with the mark m of this test process: their ids and
// environments. It omits zombies. A process whose memory cannot be read, such as a set-id program,
// is found only by root.
func Left(m string) []string {
	var list []string
	for pid, env := range Processes("environ") {
		if pid != os.Getpid() && bytes.Contains(env, []byte(mark+"="+processMark(m)+"\x00")) {
			list = append(list, fmt.Sprintf("%d: %q", pid, env))
		}
	}
	return list
}

// Gone fails the test if processes with the mark m still run, and kills them.
func Gone(tb testing.TB, m string) {
	tb.Helper()
	left := Left(m)
	if len(left) == 0 {
		return
	}
	tb.Errorf("still there: %q", left)
	for _, one := range left {
		var pid int
		if _, err := fmt.Sscanf(one, "%d:", &pid); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// forever sleeps and never returns.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}
