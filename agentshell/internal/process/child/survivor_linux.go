package child

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// settling is the longest wait for descendants that have forked and have not yet started their
// program, so that they can be named.
const settling = 100 * time.Millisecond

// findSurvivors returns the descendants that still run when p has ended. It leaves out forks of the
// shell that have started a program: that program stands for them. Its caller has not killed the
// process group yet.
func (p *Process) findSurvivors() []Survivor {
	return settled(func() []int {
		p.family.mu.Lock()
		defer p.family.mu.Unlock()
		if !p.family.adopts {
			return ofSession(p.pid)
		}
		var pids []int
		for pid := range p.family.orphans() {
			if k, ok := status(pid); ok && p.hasLeft(k) {
				pids = append(pids, pid)
			}
		}
		return pids
	}, p.pid, p.cmd.Args)
}

// Survivors returns the processes that a command with these arguments has left to this process. The
// first process of a sandbox calls it. All of them end with the sandbox.
func Survivors(args []string) []Survivor {
	return settled(func() []int { return children(os.Getpid()) }, 0, args)
}

// settled returns the processes that look finds, as soon as all of them have started their
// programs, or after the time settling.
func settled(look func() []int, group int, args []string) (list []Survivor) {
	for late := time.Now().Add(settling); ; pause(2 * time.Millisecond) {
		pids := look()
		slices.Sort(pids)
		list = nil
		waits := false
		for _, pid := range pids {
			found, forked := named(pid, group, args)
			list = append(list, found...)
			waits = waits || forked
		}
		if !waits || time.Now().After(late) {
			return list[:min(len(list), maxSurvivors)]
		}
	}
}

// named describes process pid by its command line. If that is still args, the command line of the
// shell which forked it, named describes the programs that the process has started instead. forked
// reports whether the process is still a copy of the shell and has started nothing.
func named(pid, group int, args []string) (list []Survivor, forked bool) {
	k, ok := status(pid)
	if !ok || k.ended {
		return nil, false
	}
	goesOn := group != 0 && k.group != group
	line := commandLine(pid)
	if !slices.Equal(line, args) {
		if line == nil {
			return []Survivor{newSurvivor(pid, name(pid), goesOn)}, true
		}
		return []Survivor{newSurvivor(pid, line, goesOn)}, false
	}
	for _, c := range children(pid) {
		found, _ := named(c, group, args)
		list = append(list, found...)
	}
	if list == nil {
		return []Survivor{newSurvivor(pid, args[:1], goesOn)}, true
	}
	return list, false
}

// commandLine returns the arguments of a process, or nil if it shows none, as at the moment when it
// starts a program.
func commandLine(pid int) (args []string) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if len(text) == 0 {
		return nil
	}
	for arg := range bytes.SplitSeq(bytes.TrimRight(text, "\x00"), []byte{0}) {
		args = append(args, string(arg))
	}
	return args
}

// name returns the name of a process that shows no arguments, as a list of one element.
func name(pid int) []string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	return []string{string(bytes.TrimSpace(text))}
}

// ofSession returns the ids of the processes in a session, without its leader, and without those
// whose parent is among them.
func ofSession(leader int) (pids []int) {
	parents := map[int]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == leader {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session != leader {
			continue // to read the state of each process of the machine costs milliseconds
		}
		if f := statFields(pid); f != nil && int(parseNumber(f[3])) == leader {
			parents[pid] = int(parseNumber(f[1]))
		}
	}
	for pid, parent := range parents {
		if _, below := parents[parent]; !below {
			pids = append(pids, pid)
		}
	}
	return pids
}
