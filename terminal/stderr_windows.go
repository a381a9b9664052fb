package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// stderr keeps what libraries write to standard error off the screen while we have the terminal; children get their own.
type stderr struct {
	saved  windows.Handle
	stderr *os.File
	w      *os.File
}

func captureStderr(w io.Writer) (*stderr, error) {
	saved, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE)
	if err != nil {
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	r, pw, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	if err := windows.SetStdHandle(windows.STD_ERROR_HANDLE, windows.Handle(pw.Fd())); err != nil {
		r.Close()
		pw.Close()
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	s := &stderr{saved: saved, stderr: os.Stderr, w: pw}
	os.Stderr = pw
	go func() {
		defer r.Close()
		_, _ = io.Copy(w, r)
	}()
	return s, nil
}

func (s *stderr) release() {
	_ = windows.SetStdHandle(windows.STD_ERROR_HANDLE, s.saved)
	os.Stderr = s.stderr
	s.w.Close()
}
