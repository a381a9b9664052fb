package terminal

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"
)

// fakeConsole is a Windows console: what is typed comes in the pieces that a channel holds.
type fakeConsole struct {
	input, output uint32
	deaf          bool // older than escape sequences: it refuses their modes
	typed         chan []uint16
	stop          chan struct{} // closed when it is set
	cols          atomic.Int32
	written       strings.Builder
	waiting       []uint16
}

func newFakeConsole() *fakeConsole {
	f := &fakeConsole{input: 0x1f7, output: 0x3, typed: make(chan []uint16, 10), stop: make(chan struct{})}
	f.cols.Store(80)
	return f
}

func (f *fakeConsole) mode(output bool) *uint32 {
	if output {
		return &f.output
	}
	return &f.input
}

func (f *fakeConsole) Mode(output bool) (uint32, error) { return *f.mode(output), nil }

func (f *fakeConsole) SetMode(output bool, mode uint32) error {
	if f.deaf && output && mode&consoleVTOutput != 0 {
		return errors.New("the parameter is incorrect")
	}
	*f.mode(output) = mode
	return nil
}

func (f *fakeConsole) Wait() (wakeReason, error) {
	select {
	case <-f.stop:
		return wokenByStop, nil
	case f.waiting = <-f.typed:
		return wokenByInput, nil
	case <-time.After(250 * time.Millisecond):
		return wokenByTimeout, nil
	}
}

func (f *fakeConsole) SetStop(yes bool) error {
	if yes {
		close(f.stop)
	} else {
		f.stop = make(chan struct{})
	}
	return nil
}

func (f *fakeConsole) Read(units []uint16) (int, error) {
	if f.waiting == nil {
		return 0, errors.New("the handle is invalid")
	}
	return copy(units, f.waiting), nil
}

func (f *fakeConsole) Write(p []byte) (int, error) { return f.written.Write(p) }

func (f *fakeConsole) Size() (cols, rows int, err error) { return int(f.cols.Load()), 24, nil }

func TestAWindowsConsoleIsRawWhileItIsOursAndThenAsItWas(t *testing.T) {
	f := newFakeConsole()
	c := &console{api: f}
	for range 2 {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// No line, no echo, no signal of Ctrl+C, and escape sequences both ways.
		if f.input != 0x3f0 || f.output != 0xf {
			t.Errorf("modes %#x and %#x", f.input, f.output)
		}
		if err := errors.Join(c.Start(), c.Stop(), c.Stop()); err != nil {
			t.Fatal(err)
		}
		if f.input != 0x1f7 || f.output != 0x3 {
			t.Errorf("modes %#x and %#x afterwards", f.input, f.output)
		}
	}
}

func TestAnOldWindowsConsoleIsLeftAsItWas(t *testing.T) {
	f := newFakeConsole()
	f.deaf = true
	if err := (&console{api: f}).Start(); err == nil || !strings.Contains(err.Error(), "1809") {
		t.Errorf("%v", err)
	}
	if f.input != 0x1f7 || f.output != 0x3 {
		t.Errorf("modes %#x and %#x", f.input, f.output)
	}
}

func TestWhatIsTypedOnAWindowsConsoleIsUTF8HoweverItComes(t *testing.T) {
	const typed = "a\x1b[A\u00e4\u20ac\U0001f600\U0001f468\u200d\U0001f680z"
	for size := 1; size < 12; size++ { // of a piece that the console gives, and of the caller's buffer
		f := newFakeConsole()
		f.typed = make(chan []uint16, 100)
		units := utf16.Encode([]rune(typed))
		for len(units) > 0 {
			n := min(size, len(units))
			f.typed <- units[:n]
			units = units[n:]
		}
		f.typed <- nil // then its handle is closed
		c := &console{api: f}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for p := make([]byte, size); ; {
			n, err := c.Read(p)
			if got = append(got, p[:n]...); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if string(got) != typed {
			t.Errorf("in pieces of %d: %q", size, got)
		}
	}
}

func TestHalvesOfACharacterWithoutTheOtherAreReplaced(t *testing.T) {
	for _, c := range []struct {
		units []uint16
		want  string
		rest  uint16
	}{
		{[]uint16{0xd83d, 'a'}, "\ufffda", 0},
		{[]uint16{0xde00, 'a'}, "\ufffda", 0},
		{[]uint16{0xd83d, 0xd83d, 0xde00}, "\ufffd\U0001f600", 0},
		{[]uint16{'a', 0xd83d}, "a", 0xd83d},
	} {
		if got, rest := appendUTF16(nil, 0, c.units); string(got) != c.want || rest != c.rest {
			t.Errorf("%x: %q, %x", c.units, got, rest)
		}
	}
}

func TestAStopEndsAReadOfAWindowsConsole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeConsole()
		c := &console{api: f}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			_, err := c.Read(make([]byte, 10))
			ended <- err
		}()
		synctest.Wait()
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, ErrClosed) {
			t.Errorf("%v", err)
		}
	})
}

func TestANewSizeOfAWindowsConsoleIsSeenWhileSomebodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeConsole()
		c := &console{api: f}
		var told atomic.Int32
		c.NotifyResize(func() { told.Add(1) })
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = c.Read(make([]byte, 10)) }()
		<-time.After(time.Second)
		if n := told.Load(); n != 0 {
			t.Errorf("%d new sizes without one", n)
		}
		f.cols.Store(100)
		<-time.After(300 * time.Millisecond)
		if n := told.Load(); n != 1 {
			t.Errorf("%d new sizes after one", n)
		}
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
}
