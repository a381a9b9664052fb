package app

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// What the end does to programs and to us, and when, if everything else hangs.
func TestTheEndKillsEverythingAndThenLeaves(t *testing.T) {
	for _, c := range []struct {
		name   string
		screen bool
		do     func(e *ending, signals chan<- os.Signal)
		want   []string
	}{
		{"a signal", false, func(_ *ending, signals chan<- os.Signal) { signals <- syscall.SIGTERM },
			[]string{"cancel 0s", "kill 1.2s", "exit 130 2.6s"}},
		{"a signal with a screen", true, func(_ *ending, signals chan<- os.Signal) { signals <- syscall.SIGHUP },
			[]string{"cancel 0s", "kill 1.2s", "exit 130 2.6s"}},
		{"two signals", false, func(_ *ending, signals chan<- os.Signal) {
			signals <- syscall.SIGTERM
			<-time.After(100 * time.Millisecond)
			signals <- os.Interrupt
		}, []string{"cancel 0s", "kill 100ms", "exit 130 100ms", "kill 1.2s", "exit 130 2.6s"}},
		{"two signals with a screen, which leaves by itself", true, func(_ *ending, signals chan<- os.Signal) {
			signals <- syscall.SIGTERM
			signals <- syscall.SIGTERM
		}, []string{"cancel 0s", "kill 0s", "kill 1.2s", "exit 130 2.6s"}},
		{"Ctrl+C, which is the screen's", true, func(_ *ending, signals chan<- os.Signal) {
			signals <- os.Interrupt
		}, nil},
		{"Ctrl+C in plain mode, which stops a turn first", false, func(e *ending, signals chan<- os.Signal) {
			handled := 0
			e.setInterrupt(func() bool { handled++; return handled == 1 })
			signals <- os.Interrupt
			<-time.After(100 * time.Millisecond)
			signals <- os.Interrupt
		}, []string{"cancel 100ms", "kill 1.3s", "exit 130 2.7s"}},
		{"a person who has waited for the screen", false, func(e *ending, _ chan<- os.Signal) {
			e.begin(0, quitElapsed)
			e.begin(1, 0)
		}, []string{"kill 750ms", "exit 0 1.7s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				began, did := time.Now(), []string(nil)
				note := func(what string) {
					mu.Lock()
					defer mu.Unlock()
					did = append(did, fmt.Sprint(what, " ", time.Since(began)))
				}
				signals := make(chan os.Signal)
				e := &ending{
					kill: func() { note("kill") }, cancel: func() { note("cancel") },
					exit: func(code int) { note(fmt.Sprint("exit ", code)) },
				}
				e.setScreen(c.screen)
				go e.watch(signals)
				c.do(e, signals)
				<-time.After(time.Minute)
				close(signals)
				mu.Lock()
				defer mu.Unlock()
				if !slices.Equal(did, c.want) {
					t.Errorf("%q, want %q", did, c.want)
				}
			})
		})
	}
}
