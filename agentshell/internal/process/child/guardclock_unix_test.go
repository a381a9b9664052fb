//go:build unix

package child

import (
	"os/exec"
	"testing"
	"testing/synctest"
	"time"
)

// A guard that goes on without anything to guard would stop the clock of a synctest bubble: a
// goroutine waits for it.
func TestTheGuardHoldsNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Family
		p, err := f.StartGuarded(exec.Command("/bin/true"))
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		<-time.After(time.Hour)
		f.Close(0)
	})
}
