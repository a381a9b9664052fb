package terminal

import (
	"errors"
	"testing"
	"time"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// openConsole returns the console of this process, whatever its standard streams are. A process
// without one skips the test.
func openConsole(t *testing.T) windowsConsole {
	t.Helper()
	open := func(name string) windows.Handle {
		h, err := windows.CreateFile(windows.StringToUTF16Ptr(name), windows.GENERIC_READ|windows.GENERIC_WRITE,
			windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			need.Missing(t, "console", err)
		}
		t.Cleanup(func() { _ = windows.CloseHandle(h) })
		return h
	}
	stop, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = windows.CloseHandle(stop) })
	return windowsConsole{in: open("CONIN$"), out: open("CONOUT$"), stop: stop}
}

// inputRecord is an INPUT_RECORD with a key event.
type inputRecord struct {
	kind    uint16
	_       uint16
	down    int32
	repeat  uint16
	key     uint16
	scan    uint16
	unit    uint16
	control uint32
}

// typeUnits puts text into the console's input, as its window does for keys.
func typeUnits(t *testing.T, in windows.Handle, text string) {
	t.Helper()
	var records []inputRecord
	for _, u := range utf16.Encode([]rune(text)) {
		records = append(records, inputRecord{kind: 1, down: 1, repeat: 1, unit: u})
	}
	var n uint32
	write := windows.NewLazySystemDLL("kernel32.dll").NewProc("WriteConsoleInputW")
	ok, _, err := write.Call(uintptr(in), uintptr(unsafe.Pointer(&records[0])), uintptr(len(records)),
		uintptr(unsafe.Pointer(&n)))
	if ok == 0 || int(n) != len(records) {
		t.Fatalf("%d of %d keys: %v", n, len(records), err)
	}
}

func TestTheConsoleOfThisProcess(t *testing.T) {
	api := openConsole(t)
	modes := func() (input, output uint32) {
		t.Helper()
		input, err := api.Mode(false)
		output, err2 := api.Mode(true)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return input, output
	}
	inBefore, outBefore := modes()
	if err := windows.FlushConsoleInputBuffer(api.in); err != nil {
		t.Fatal(err)
	}
	c := &console{api: api}
	resized := make(chan struct{}, 10)
	c.NotifyResize(func() { resized <- struct{}{} })
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if in, out := modes(); in&(consoleProcessedInput|consoleLineInput|consoleEchoInput) != 0 ||
		in&consoleVTInput == 0 || out&(consoleVTOutput|consoleNoAutoReturn) != consoleVTOutput|consoleNoAutoReturn {
		t.Errorf("modes %#x and %#x", in, out)
	}

	const typed = "a\r\x03\u00e4\u20ac\U0001f600z"
	typeUnits(t, api.in, typed)
	got := ""
	for p := make([]byte, 3); len(got) < len(typed); {
		n, err := c.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		got += string(p[:n])
	}
	if got != typed {
		t.Errorf("typed %q, read %q", typed, got)
	}

	ended := make(chan error)
	go func() {
		_, err := c.Read(make([]byte, 10))
		ended <- err
	}()
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(api.out, &info); err != nil {
		t.Fatal(err)
	}
	setSize := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetConsoleScreenBufferSize")
	cols, rows := info.Size.X+7, info.Size.Y+3
	if ok, _, err := setSize.Call(uintptr(api.out), uintptr(uint16(cols))|uintptr(uint16(rows))<<16); ok == 0 {
		t.Fatal(err)
	}
	setWindow := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetConsoleWindowInfo")
	rect := windows.SmallRect{Right: cols - 1, Bottom: rows - 1}
	if ok, _, err := setWindow.Call(uintptr(api.out), 1, uintptr(unsafe.Pointer(&rect))); ok == 0 {
		t.Logf("the window keeps its size: %v", err) // it may be no larger than the screen
	} else {
		select {
		case <-resized:
		case <-time.After(5 * time.Second):
			t.Error("nobody heard of the new size")
		}
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("the read ended with %v", err)
	}
	if in, out := modes(); in != inBefore || out != outBefore {
		t.Errorf("modes %#x and %#x afterwards, %#x and %#x before", in, out, inBefore, outBefore)
	}
}
