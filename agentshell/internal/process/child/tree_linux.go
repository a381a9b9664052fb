package child

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of its descendants whose own parent has ended
// (PR_SET_CHILD_SUBREAPER). It reaps them until ctx ends. Only main may call it: afterwards all
// programs must be started by f.
func (f *Family) AdoptOrphans(ctx context.Context) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("inheriting orphans: %w", err)
	}
	f.mu.Lock()
	f.adopts = true
	f.mu.Unlock()
	died := make(chan os.Signal, 1)
	signal.Notify(died, unix.SIGCHLD)
	go func() {
		defer signal.Stop(died)
		for {
			select {
			case <-ctx.Done():
				return
			case <-died:
			}
			f.mu.Lock()
			f.orphans()
			f.mu.Unlock()
			pause(50 * time.Millisecond) // a fork bomb must not keep us busy
		}
	}()
	return nil
}

// orphans returns the start times, by process id, of the child processes that f has not started. It
// reaps those that have ended, each by its own id, because os/exec waits for the others. The caller
// holds f.mu.
func (f *Family) orphans() map[int]uint64 {
	if !f.adopts {
		return nil
	}
	list := make(map[int]uint64)
	for _, pid := range children(os.Getpid()) {
		if f.members[pid] != nil {
			continue
		}
		if k, ok := status(pid); ok && !k.ended {
			list[pid] = k.start
		} else if ok {
			reap(pid)
			f.reaped++
		}
	}
	for pid, c := range f.claims {
		if list[pid] != c.start {
			delete(f.claims, pid)
			if c.group != 0 {
				f.guard.ends(c.group)
			}
		}
	}
	return list
}

func reap(pid int) {
	var ws unix.WaitStatus
	_, _ = unix.Wait4(pid, &ws, unix.WNOHANG, nil)
}

// claim records that the orphans which p leaves behind belong to owner. The caller holds the mutex
// of the Family.
func (p *Process) claim(owner *Process) {
	f := p.family
	for pid := range f.orphans() {
		if k, ok := status(pid); ok && p.hasLeft(k) {
			if f.claims == nil {
				f.claims = make(map[int]claim)
			}
			if c, ok := f.claims[pid]; ok && c.start == k.start {
				continue
			}
			c := claim{start: k.start, owner: owner}
			if owner != nil && owner.guarded && k.group > 1 {
				c.group = k.group
				f.guard.begins(k.group)
			}
			f.claims[pid] = c
		}
	}
}

// hasLeft reports whether orphan k may be a descendant of p: it is in p's session, or it appeared
// while p ran and belongs to no other program. (If two programs leave orphans in sessions of their
// own at the same time, both count all of them.) The caller holds the mutex of the Family.
func (p *Process) hasLeft(k relative) bool {
	if c, ok := p.family.claims[k.pid]; ok && c.start == k.start {
		return c.owner == p
	}
	if p.ownSession && k.session == p.pid {
		return true
	}
	if k.start < p.startTime || p.orphansBefore[k.pid] == k.start {
		return false
	}
	for pid, other := range p.family.members {
		if other != p && k.session == pid {
			return false
		}
	}
	for pid := range p.orphansBefore {
		if k.session == pid {
			return false
		}
	}
	return true
}

// visit performs the action on each process of the search that has not ended, and returns their
// number. A process that has ended since the last visit counts once more, and so does each orphan
// that was reaped since then: they may have left a child.
func (s *search) visit(do action) int {
	f := s.family
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.found == nil {
		s.found = make(map[int]uint64)
	}
	s.foundNew = false
	n := 0
	seen := map[int]bool{}
	var walk func(pid int, start uint64, ours bool)
	walk = func(pid int, start uint64, ours bool) {
		if seen[pid] {
			return
		}
		k, ok := status(pid)
		if start != 0 && k.start != start {
			return // another process has got its number
		}
		seen[pid] = true
		found := ok && s.found[pid] != k.start
		if found {
			s.found[pid], s.foundNew = k.start, true
		}
		if !ok || !k.ended || found {
			n++
		}
		if ok && !k.ended {
			k.ownChild = ours
			k.act(do)
		}
		for _, c := range children(pid) {
			walk(c, 0, false)
		}
	}
	for pid, start := range f.orphans() {
		if c, ok := f.claims[pid]; ok && c.start == start && c.owner == nil {
			continue
		}
		if s.root == nil {
			walk(pid, start, true)
		} else if k, ok := status(pid); ok && s.root.hasLeft(k) {
			walk(pid, start, true)
		}
	}
	for pid, p := range f.members {
		if (s.root == nil || s.root == p) && !p.hasExited() {
			walk(pid, 0, true)
		}
	}
	for pid, start := range s.found { // its parent may have ended since
		if k, ok := status(pid); ok && k.start == start {
			walk(pid, start, false)
		} else {
			delete(s.found, pid)
		}
	}
	n += f.reaped - s.reapedBefore
	s.reapedBefore = f.reaped
	return n
}

// waitUnreaped waits until the program of cmd has ended, without reaping it, so that no other
// process can get its id. It returns the function that reaps it.
func waitUnreaped(cmd *exec.Cmd) (reap func() error) {
	for {
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return cmd.Wait
		}
	}
}

// signal sends a signal to the process that was looked at, and never to another one that has got
// its id since. A child of this process keeps its id until it is reaped. For other processes a
// pidfd is used.
func (r relative) signal(sig syscall.Signal) {
	if r.ownChild {
		_ = unix.Kill(r.pid, sig)
		return
	}
	fd, err := unix.PidfdOpen(r.pid, 0)
	if err != nil {
		if err == unix.ENOSYS { // before Linux 5.3
			_ = unix.Kill(r.pid, sig)
		}
		return
	}
	defer unix.Close(fd)
	if now, ok := status(r.pid); ok && now.start == r.start {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}

// children returns the ids of the children of a process, with the children of all its threads.
func children(pid int) []int {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	tasks, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var list []int
	for _, t := range tasks {
		text, err := os.ReadFile(dir + "/" + t.Name() + "/children")
		if err != nil {
			if os.IsNotExist(err) && !exists(dir+"/"+t.Name()+"/children") && exists(dir+"/"+t.Name()) {
				return childrenByParent(pid) // a kernel without that file
			}
			continue
		}
		for _, word := range bytes.Fields(text) {
			if n, err := strconv.Atoi(string(word)); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// childrenByParent returns the same as children, by reading the parent of every process. Some
// kernels need it.
func childrenByParent(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var list []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if f := statFields(pid); f != nil && parseNumber(f[1]) == uint64(parent) {
			list = append(list, pid)
		}
	}
	return list
}

// statFields returns the fields of /proc/PID/stat from the third one on: state, parent, group,
// session. Its 18th element is the number of threads, the 20th the start time. It returns nil if
// the process does not exist.
func statFields(pid int) [][]byte {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	f := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // a name may hold anything
	if len(f) < 20 {
		return nil
	}
	return f
}

func parseNumber(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 10, 64)
	return n
}

func status(pid int) (k relative, ok bool) {
	f := statFields(pid)
	if f == nil {
		return relative{}, false
	}
	return relative{
		pid: pid, group: int(parseNumber(f[2])), session: int(parseNumber(f[3])), start: parseNumber(f[19]),
		// Its first thread may have ended before the others.
		ended: (f[0][0] == 'Z' || f[0][0] == 'X') && parseNumber(f[17]) < 2,
	}, true
}

// residentBytes returns the number of bytes that a process uses in memory, or 0.
func residentBytes(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	f := bytes.Fields(text)
	if err != nil || len(f) < 2 {
		return 0
	}
	return int64(parseNumber(f[1])) * int64(os.Getpagesize())
}

// startTimeOf returns the start time of a process, in clock ticks since the boot, or 0.
func startTimeOf(pid int) uint64 {
	k, _ := status(pid)
	return k.start
}
