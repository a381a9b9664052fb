//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// figures are what a process tree costs.
type figures struct {
	cpu, wall         time.Duration
	resident, private int64 // the most at one time, in bytes; private has no page of a file
	requests          int
	load              string // of the machine, when it began
}

// callID returns an id that no other call has.
func callID() string { return "toolu_" + rand.Text() }

// play plays a program once.
func play(p program) (figures, error) {
	m := &model{program: p, read: map[string]bool{}}
	server := httptest.NewServer(m)
	defer server.Close()
	if err := p.configure(p.home, server.URL); err != nil {
		return figures{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, p.file, p.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.workspace, &out, &out, time.Second
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "ANTHROPIC_API_KEY=none",
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}
	f, err := measure(cmd)
	if *show {
		fmt.Printf("%s\n", out.Bytes())
	}
	if fault := m.fault(); fault != "" {
		return f, fmt.Errorf("%s, and printed: %.2000s", fault, out.Bytes())
	}
	f.requests = m.requests
	return f, err
}

// measure runs a program, and all that it starts, to their ends.
func measure(cmd *exec.Cmd) (f figures, err error) {
	// A process whose parent has ended becomes a child of this one, and its CPU counts.
	const setChildSubreaper = 36
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); e != 0 {
		return f, e
	}
	load, _ := os.ReadFile("/proc/loadavg")
	f.load = strings.Join(strings.Fields(string(load))[:3], " ")
	before, start := spent(), time.Now()
	if err := cmd.Start(); err != nil {
		return f, err
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-end:
				tick.Stop()
				return
			case <-tick.C:
			}
			resident, private := memory(tree(os.Getpid()))
			f.resident, f.private = max(f.resident, resident), max(f.private, private)
		}
	}()
	err = cmd.Wait()
	close(end)
	<-ended
	f.wall = time.Since(start)
	reap()
	f.cpu = spent() - before
	return f, err
}

// reap ends what a program has left, and waits for it.
func reap() {
	for {
		left := tree(os.Getpid())
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); errors.Is(err, syscall.ECHILD) {
			return
		}
	}
}

// spent returns the CPU of all processes that were waited for, with their own.
func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tree returns all processes below one.
func tree(root int) (list []int) {
	children := map[int][]int{}
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, _ := os.ReadFile(name)
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after)
		if len(fields) < 2 {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
	}
	for open := children[root]; len(open) > 0; open = open[1:] {
		list = append(list, open[0])
		open = append(open, children[open[0]]...)
	}
	return list
}

// memory returns what processes have resident, and how much of that is no page of a file.
func memory(pids []int) (resident, private int64) {
	for _, pid := range pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		var size, all, file int64
		if n, _ := fmt.Sscan(string(text), &size, &all, &file); n == 3 {
			resident += all * int64(os.Getpagesize())
			private += (all - file) * int64(os.Getpagesize())
		}
	}
	return resident, private
}
