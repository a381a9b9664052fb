//go:build unix

package ptyexec

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// slow is our side of a terminal, on a machine that does other things before its first read and
// after it.
type slow struct {
	net.Conn
	before, after time.Duration // 0: at once
}

func (s *slow) Read(p []byte) (int, error) {
	if s.before > 0 {
		<-time.After(s.before)
	}
	n, err := s.Conn.Read(p)
	if s.after > 0 {
		<-time.After(s.after)
	}
	s.before, s.after = 0, 0
	return n, err
}

// A program that writes a word and ends at once leaves its terminal to a descendant.
func TestTheTerminalOfAProgramThatHasEndedIsReadToItsEnd(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after time.Duration
		silent        bool          // the descendant; else it writes until nobody reads
		most          time.Duration // from the end of the program until nothing more is read
	}{
		{name: "a silent descendant", silent: true, most: 2 * drainTime},
		{name: "a busy machine before the read", before: 2 * drainTime, silent: true, most: 3 * drainTime},
		{name: "a busy machine after the read", after: 2 * drainTime, silent: true, most: 3 * drainTime},
		{name: "a descendant without an end", most: (maxFinalReads + 1) * drainTime / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{Footer: tui.NewText("footer")}
				screen := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
				ours, theirs := net.Pipe()
				o := &output{from: &slow{ours, c.before, c.after}}
				s := newScreen(40, 4)
				block := app.Transcript().Append(s)
				read := make(chan struct{})
				go func() {
					defer close(read)
					o.copyTo(context.Background(), app, block, s, make(chan struct{}))
				}()
				wrote := make(chan struct{})
				go func() { // what was written before the end, and is in the terminal
					defer close(wrote)
					_, _ = theirs.Write([]byte("first "))
					_, _ = theirs.Write([]byte("last "))
					for err := error(nil); !c.silent && err == nil; {
						<-time.After(drainTime / 2)
						_, err = theirs.Write([]byte("."))
					}
				}()
				synctest.Wait() // the first read has begun
				begin := time.Now()
				o.markEnded()
				select {
				case <-read:
				case <-time.After(2 * c.most):
					t.Error("it is read without an end")
				}
				if took := time.Since(begin); took > c.most {
					t.Errorf("it was read for %v, want %v at most", took, c.most)
				}
				ours.Close()
				theirs.Close()
				<-read
				<-wrote
				block.Update(s.end)
				block.Done()
				screen.Settle()
				if got := screen.Visible(); !strings.HasPrefix(got, "first last") {
					t.Errorf("shown is\n%s", got)
				}
				app.Quit(nil)
				if err := screen.Wait(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
