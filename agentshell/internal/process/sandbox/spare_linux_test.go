package sandbox

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// wait waits until a spare stage was started, at most two seconds.
func (s *spareStages) wait() {
	for late := time.Now().Add(2 * time.Second); s != nil && time.Now().Before(late); {
		s.mu.Lock()
		busy := s.busy
		s.mu.Unlock()
		if !busy {
			return
		}
		<-time.After(time.Millisecond)
	}
}

// pid returns the id of the process that waits; 0: none does.
func (s *spareStages) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stage == nil {
		return 0
	}
	return s.stage.cmd.Process.Pid
}

// spareBox returns a box that keeps a spare stage.
func spareBox(t *testing.T) *Box {
	t.Helper()
	r := Find(t.Context(), new(child.Family), t.TempDir(), Direct)
	if r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	r.Box.KeepSpare()
	t.Cleanup(func() { r.Box.family.Close(0) })
	r.Box.spares.wait()
	return r.Box
}

// Each stage that was started ahead is for one command, which finds nothing of the one before; the
// next one is there when it has ended.
func TestASpareStageIsForOneCommand(t *testing.T) {
	b, s := spareBox(t), newSite(t)
	seen := map[int]bool{}
	for i := range 3 {
		b.spares.wait()
		pid := b.spares.pid()
		if pid == 0 || seen[pid] {
			t.Fatalf("command %d: the stage that waits is %d, before were %v", i, pid, seen)
		}
		seen[pid] = true
		r := s.in(b, "cat /tmp/x 2>/dev/null; echo x > /tmp/x; (setsid sleep 100 &); exit 7")
		if !r.ok || r.Exit != 7 || r.out != "" {
			t.Errorf("command %d: %+v", i, r)
		}
		if unix.Kill(pid, 0) == nil {
			t.Errorf("command %d: its stage %d is still there", i, pid)
		}
	}
}

// What the workspace became while a stage waited is what its command finds: nothing is mounted
// before.
func TestASpareStageMountsWhatIsThereWhenItsCommandComes(t *testing.T) {
	b, s := spareBox(t), newSite(t)
	s.outside("rm -rf .git && git init -q . && echo changed > .git/marker")
	r := s.in(b, "cat .git/marker; echo x > .git/hooks/pre-commit; echo x > .git/config; mv .git g; ls -d .git")
	if !r.ok || !strings.HasPrefix(r.out, "changed\n") || !strings.HasSuffix(r.out, ".git\n") {
		t.Errorf("%+v", r)
	}
	if got := s.read(".git/hooks/pre-commit"); !strings.HasPrefix(got, "error") {
		t.Errorf("a hook was made: %q", got)
	}
	if strings.Contains(s.read(".git/config"), "x\n") {
		t.Error("git was configured")
	}
}

// A spare stage that somebody has ended costs nothing but its advantage.
func TestASpareStageThatEndedIsNotUsed(t *testing.T) {
	b, s := spareBox(t), newSite(t)
	if err := unix.Kill(b.spares.pid(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-b.spares.stage.process.Done()
	if r := s.in(b, "echo well"); !r.ok || r.out != "well\n" {
		t.Errorf("%+v", r)
	}
}

// The family ends a stage that waits when it is asked to, without a grace that runs out.
func TestAWaitingStageEndsWhenItIsAskedTo(t *testing.T) {
	b := spareBox(t)
	p := b.spares.stage.process
	<-time.After(think) // it listens
	from := time.Now()
	b.family.Close(20 * time.Second)
	select {
	case <-p.Done():
	default:
		t.Fatal("it has not ended")
	}
	if took := time.Since(from); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Streams that are two, or an input, need a stage of their own.
func TestASpareStageIsForCommandsWithOneStream(t *testing.T) {
	b := spareBox(t)
	var one, two bytes.Buffer
	for _, cmd := range []*exec.Cmd{{Stdout: &one, Stderr: &two}, {Stdout: &one, Stderr: &one, Stdin: &two}, {},
		{Stdout: &one, Stderr: &one, WaitDelay: 1}} {
		if b.spares.take(cmd) != nil {
			t.Errorf("%+v has got it", cmd)
		}
	}
	got := b.spares.take(&exec.Cmd{Stdout: &one, Stderr: &one})
	if got == nil {
		t.Fatal("the command of the tool has not got it")
	}
	got.close()
}
