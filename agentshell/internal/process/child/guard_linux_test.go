package child

import (
	"errors"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A guard that went on would be a program more for each family, and no bubble of a test could end.
func TestTheGuardEndsWithWhatItGuards(t *testing.T) {
	f := new(Family)
	for range 2 { // the next program gets one, too
		cmd := exec.Command("cat")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.StartGuarded(cmd)
		if err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		guard := f.guard.program
		f.mu.Unlock()
		if guard == nil {
			t.Fatal("a program runs without a guard")
		}
		if guard.hasExited() {
			t.Error("the guard ends before what it guards")
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if err := p.Within(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		// The family of an earlier test may reap it, since the guard is no program of that one.
		if err := guard.Within(t.Context(), 0); err != nil && !errors.Is(err, unix.ECHILD) {
			t.Errorf("the guard: %v", err)
		}
	}
	if _, err := f.StartGuarded(exec.Command("/nowhere")); err == nil || f.guard.started {
		t.Errorf("%v, with a guard: %v", err, f.guard.started)
	}
}
