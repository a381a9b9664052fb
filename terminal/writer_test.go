package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWritesAreWholeCopiedAndInOrder(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.mu.Lock()
		s.f.block = make(chan struct{})
		s.f.mu.Unlock()
		p := []byte("aaaa")
		s.Write(p)
		copy(p, "XXXX")
		s.Write([]byte(strings.Repeat("b", 40000)))
		synctest.Wait()
		if n := s.Backlog(); n != 40004 {
			t.Errorf("backlog %d", n)
		}
		s.Write([]byte(strings.Repeat("c", 300<<10)))
		close(s.f.block)
		if got := names(s.all(time.Second)); got != "Drained{}" {
			t.Errorf("%s", got)
		}
		if got, want := s.f.written(), "aaaa"+strings.Repeat("b", 40000)+strings.Repeat("c", 300<<10); got != want {
			t.Errorf("%d bytes, want %d", len(got), len(want))
		}
		if n := s.Backlog(); n != 0 {
			t.Errorf("backlog %d", n)
		}
	})
}

// A slow line is behind with little in the backlog, and has room again when it has taken all of it.
func TestALateTerminalIsBehind(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.mu.Lock()
		s.f.block = make(chan struct{})
		s.f.mu.Unlock()
		s.Write([]byte("a frame"))
		s.Write([]byte("and one more"))
		<-time.After(lateAfter)
		if s.Behind() {
			t.Error("behind at once")
		}
		<-time.After(time.Millisecond)
		if !s.Behind() {
			t.Error("not behind although it has taken nothing for a while")
		}
		close(s.f.block)
		if got := names(s.all(time.Second)); got != "Drained{}" {
			t.Errorf("%s", got)
		}
		if s.Behind() {
			t.Error("behind with nothing left")
		}
		s.Write([]byte("quick"))
		if got := names(s.all(time.Second)); got != "" {
			t.Errorf("%s", got)
		}
	})
}

func TestATerminalThatTakesNothingIsGone(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.block = make(chan struct{})
		s.Write([]byte("x"))
		start := time.Now()
		_, err := s.Next(t.Context())
		if !errors.Is(err, io.EOF) || !errors.Is(err, errStalled) {
			t.Errorf("%v", err)
		}
		if d := time.Since(start); d != 15*time.Minute {
			t.Errorf("after %v", d)
		}
		if _, err := s.Write([]byte("y")); err == nil {
			t.Error("Write goes on")
		}
	})
}

func TestAHangUpIsACleanEnd(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.send("a")
		close(s.f.in)
		if got := names([]Event{s.next()}); got != "a" {
			t.Error(got)
		}
		if _, err := s.Next(t.Context()); err != io.EOF {
			t.Errorf("%v", err)
		}
	})
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.mu.Lock()
		s.f.writeErr = io.EOF
		s.f.mu.Unlock()
		s.Write([]byte("x"))
		if _, err := s.Next(t.Context()); err != io.EOF {
			t.Errorf("%v", err)
		}
	})
}

func TestWhatATerminalHasTakenIsKnownByItsTime(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		block := func() chan struct{} {
			s.f.mu.Lock()
			defer s.f.mu.Unlock()
			s.f.block = make(chan struct{})
			return s.f.block
		}
		want := func(what string, all, even time.Time) {
			t.Helper()
			synctest.Wait()
			if a, e := s.CaughtUp(); !a.Equal(all) || !e.Equal(even) {
				t.Errorf("%s: all since %v, even since %v; want %v and %v", what, a, e, all, even)
			}
		}
		_, begun := s.CaughtUp()
		<-time.After(time.Second)
		now := time.Now()
		s.Write([]byte("a frame"))
		want("taken at once", now, begun)
		soon := block()
		s.Write([]byte("another"))
		<-time.After(lateAfter)
		want("on its way", time.Time{}, begun)
		close(soon)
		want("taken soon", time.Now(), begun)
		slow := block()
		s.Write([]byte("one more"))
		<-time.After(lateAfter + time.Millisecond)
		s.Write([]byte("behind it"))
		want("late", time.Time{}, begun)
		close(slow)
		synctest.Wait()
		<-time.After(0)
		taken := time.Now()
		<-time.After(time.Second)
		want("taken late", taken, taken)
	})
}
