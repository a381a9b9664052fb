package dap_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// killVariable makes the test binary debug a program until it is killed: adapter, its program, and
// what is debugged, with colons between them.
const killVariable = "DAP_TEST_KILL"

// debugAndWait debugs a program until this process is killed, if it was started for that.
func debugAndWait() {
	words := strings.Split(os.Getenv(killVariable), ":")
	if len(words) != 3 {
		return
	}
	table, err := dap.Builtin()
	a := table[words[0]]
	a.Command[0] = words[1]
	dir := filepath.Dir(words[2])
	s := dap.NewService(dap.Config{Dir: dir, Env: os.Environ(), Family: new(child.Family), StopTime: time.Minute})
	if err == nil {
		_, err = s.Begin(context.Background(), dap.Start{Adapter: a, Program: words[2], Dir: dir, RunIn: dir,
			Arguments: func(temp string) map[string]any {
				return a.LaunchArguments(dap.Program{Path: words[2], Binary: words[0] == "dlv"}, nil, dir, temp)
			}})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("stands")
	select {}
}

// A program that is debugged ends also when the shell is killed, without a sandbox.
func TestADebuggedProgramEndsWhenTheShellIsKilled(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n",
		"main.go": "package main\n\nfunc main() {}\n", "a.py": "import time\n\ntime.sleep(3600)\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, debugged := range map[string]string{"dlv": "main", "debugpy": "a.py"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := ""
			if name == "debugpy" {
				program = pythonWith(t, name)
			} else {
				program = need.Program(t, name)
				build := exec.Command(need.Program(t, "go"), "build", "-o", debugged, ".")
				build.Dir = dir
				if text, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
			}
			mark := "DAP_TEST=" + t.TempDir()
			shell := exec.Command(os.Args[0])
			shell.Env = append(os.Environ(), mark, "TMPDIR="+t.TempDir(),
				killVariable+"="+name+":"+program+":"+filepath.Join(dir, debugged))
			out, err := shell.StdoutPipe()
			if err == nil {
				err = shell.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || line != "stands\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if len(nasty.ProcessesWith(mark)) < 3 { // the shell, the adapter and its program
				need.Missing(t, "proc", "the processes of this system cannot be listed")
			}
			if err := shell.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = shell.Wait()
			if name == "debugpy" {
				awaitAdapterGone(t, mark, debugged)
			} else {
				awaitNothingLeft(t, mark)
			}
		})
	}
}

// awaitAdapterGone waits until no process has a variable in its environment but one that runs the
// debugged program, and ends that: debugpy lets a program go on whose adapter has gone, now and
// then (docs/servers/debugpy.md). In a sandbox it ends, too.
func awaitAdapterGone(t *testing.T, mark, debugged string) {
	t.Helper()
	runsIt := func(process string) bool { return strings.Contains(process, "/"+debugged) }
	awaitGone(t, func() []string { return slices.DeleteFunc(nasty.ProcessesWith(mark), runsIt) })
	for _, process := range nasty.ProcessesWith(mark) {
		dir, _, _ := strings.Cut(process, " ")
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// awaitNothingLeft waits until no process has a variable in its environment.
func awaitNothingLeft(t *testing.T, mark string) {
	t.Helper()
	awaitGone(t, func() []string { return nasty.ProcessesWith(mark) })
}

// awaitGone waits until there is no process of a list.
func awaitGone(t *testing.T, list func() []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for len(list()) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("it leaves %v", list())
		}
	}
}

// pythonWith returns a Python that has a module.
func pythonWith(t *testing.T, module string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	need.Missing(t, module, "no python3 has the module")
	return ""
}
