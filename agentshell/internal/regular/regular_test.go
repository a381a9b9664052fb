//go:build unix

package regular

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNothingButAFileIsOpened(t *testing.T) {
	t.Chdir(t.TempDir()) // the name of a socket is short
	made := []error{
		os.WriteFile("file", []byte("text"), 0o600), os.Symlink("file", "link"), os.Symlink(os.DevNull, "null"),
		syscall.Mkfifo("pipe", 0o600), os.Symlink("pipe", "to-pipe"), os.Mkdir("dir", 0o700),
		os.Symlink("/dev/zero", "zero"),
	}
	l, err := net.Listen("unix", "socket")
	for _, err := range append(made, err) {
		if err != nil {
			t.Fatal(err)
		}
	}
	defer l.Close()
	for name, want := range map[string]string{"file": "text", "link": "text", "null": ""} { // the controls
		if b, err := ReadFile(name); string(b) != want || err != nil {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	for name, want := range map[string]string{"pipe": "a named pipe", "to-pipe": "a named pipe", "dir": "a directory",
		"socket": "a socket", "zero": "a device"} {
		for _, flag := range []int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR | os.O_CREATE} {
			f, err := OpenFile(name, flag, 0o600)
			if err == nil || f != nil {
				t.Errorf("%s was opened with %#x", name, flag)
			} else if !strings.Contains(err.Error(), want) && name != "to-pipe" {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		if _, err := ReadFile(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, err := ReadFile("none"); !os.IsNotExist(err) {
		t.Error(err)
	}
	if f, err := OpenFile(filepath.Join("dir", "new"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		t.Error(err)
	} else if info, err := f.Stat(); err != nil || info.Mode() != fs.FileMode(0o600) || f.Close() != nil {
		t.Error(info, err)
	}
}

func TestADirectoryIsOpened(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := d.Readdirnames(-1); len(names) != 1 || err != nil {
		t.Error(names, err)
	}
	d.Close()
	if d, err := OpenDir(filepath.Join(dir, "pipe")); err == nil {
		if _, err := d.Readdirnames(-1); err == nil {
			t.Error("a pipe was read as a directory")
		}
		d.Close()
	}
}
