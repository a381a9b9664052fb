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

// Adopt makes this process the parent of those descendants whose own parent has ended, until the
// process ends, and reaps them until ctx ends. It is for main: from then on nobody may start a
// program but f.
func (f *Family) Adopt(ctx context.Context) error {
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
			nap(50 * time.Millisecond) // a fork bomb must not keep us busy
		}
	}()
	return nil
}

// orphans returns our children that we have not started. Those that have ended are reaped: by their
// numbers, never anybody, because os/exec waits for the others. The caller holds f.mu.
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
		}
	}
	return list
}

func reap(pid int) {
	var ws unix.WaitStatus
	_, _ = unix.Wait4(pid, &ws, unix.WNOHANG, nil)
}

// claim notes that the orphans that p leaves are owner's. The caller holds the lock of the family.
func (p *Process) claim(owner *Process) {
	f := p.family
	for pid := range f.orphans() {
		if k, ok := status(pid); ok && p.left(k) {
			if f.claims == nil {
				f.claims = make(map[int]claim)
			}
			f.claims[pid] = claim{k.start, owner}
		}
	}
}

// left reports whether an orphan can have been left by p: it is of p's session, or it appeared
// while p ran and is of nobody else's. (What two programs leave at the same time in sessions of
// their own cannot be told apart: it counts as the one's that asks.) The caller holds the lock of
// the family.
func (p *Process) left(k kin) bool {
	if c, ok := p.family.claims[k.pid]; ok && c.start == k.start {
		return c.owner == p
	}
	if p.own && k.session == p.pid {
		return true
	}
	if k.start < p.born || p.before[k.pid] == k.start {
		return false
	}
	for pid, other := range p.family.members {
		if other != p && k.session == pid {
			return false
		}
	}
	for pid := range p.before {
		if k.session == pid {
			return false
		}
	}
	return true
}

// meet does something to the processes of the hunt that have not ended, as it finds them, and
// counts them. Those that have ended since the last look count too, once, and so does each orphan
// that was reaped since: they may have left somebody.
func (h *hunt) meet(do deed) int {
	f := h.family
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.known == nil {
		h.known = make(map[int]uint64)
	}
	h.fresh = false
	n := 0
	seen := map[int]bool{}
	var walk func(pid int, start uint64, ours bool)
	walk = func(pid int, start uint64, ours bool) {
		if seen[pid] {
			return
		}
		k, ok := status(pid)
		if start != 0 && k.start != start {
			return // another one has its number
		}
		seen[pid] = true
		found := ok && h.known[pid] != k.start
		if found {
			h.known[pid], h.fresh = k.start, true
		}
		if !ok || !k.ended || found {
			n++
		}
		if ok && !k.ended {
			k.ours = ours
			k.do(do)
		}
		for _, c := range children(pid) {
			walk(c, 0, false)
		}
	}
	for pid, start := range f.orphans() {
		if c, ok := f.claims[pid]; ok && c.start == start && c.owner == nil {
			continue
		}
		if h.root == nil {
			walk(pid, start, true)
		} else if k, ok := status(pid); ok && h.root.left(k) {
			walk(pid, start, true)
		}
	}
	for pid, p := range f.members {
		if (h.root == nil || h.root == p) && !p.hasExited() {
			walk(pid, 0, true)
		}
	}
	for pid, start := range h.known { // its parent may have ended since
		if k, ok := status(pid); ok && k.start == start {
			walk(pid, start, false)
		} else {
			delete(h.known, pid)
		}
	}
	n += f.reaped - h.reaped
	h.reaped = f.reaped
	return n
}

// await waits until a program has ended and leaves it unreaped, so that its number still names its
// group; reap ends it.
func await(cmd *exec.Cmd) (reap func() error) {
	for {
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return cmd.Wait
		}
	}
}

// signal sends a signal to the process that was seen, not to one that has got its number since.
// Nobody gets the number of a child of ours: it is not reaped meanwhile.
func (k kin) signal(sig syscall.Signal) {
	if k.ours {
		_ = unix.Kill(k.pid, sig)
		return
	}
	fd, err := unix.PidfdOpen(k.pid, 0)
	if err != nil {
		if err == unix.ENOSYS { // before Linux 5.3
			_ = unix.Kill(k.pid, sig)
		}
		return
	}
	defer unix.Close(fd)
	if now, ok := status(k.pid); ok && now.start == k.start {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}

// children returns the numbers of the children of a process, of all its threads.
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

// childrenByParent is children by a look at every process.
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
		if f := fields(pid); f != nil && number(f[1]) == uint64(parent) {
			list = append(list, pid)
		}
	}
	return list
}

// fields returns the fields of /proc/PID/stat from the third one on: state, parent, group, session;
// the eighteenth is the number of threads, the twentieth the time of the start.
func fields(pid int) [][]byte {
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

func number(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 10, 64)
	return n
}

func status(pid int) (k kin, ok bool) {
	f := fields(pid)
	if f == nil {
		return kin{}, false
	}
	return kin{
		pid: pid, group: int(number(f[2])), session: int(number(f[3])), start: number(f[19]),
		// Its first thread may have ended before the others.
		ended: (f[0][0] == 'Z' || f[0][0] == 'X') && number(f[17]) < 2,
	}, true
}

// started returns the time of the start of a process.
func started(pid int) uint64 {
	k, _ := status(pid)
	return k.start
}
