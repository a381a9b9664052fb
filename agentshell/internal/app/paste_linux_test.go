package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A paste of 60 MB takes at most 64 MiB more memory and leaves the next key little work. All of it
// is in a file that is the person's alone, and that the model reads.
func TestAHugePasteIsBounded(t *testing.T) {
	need.Time(t)
	p := nastyPlace(t, "")
	s := p.screen("--script", p.script(
		`{"expect":"artifact://pasted-","say":"I look.","delay_ms":0}`, hi))
	s.sees("ask", 0)
	before := s.memory()
	line := []byte("all work and no play makes a dull boy, and a long paste\r")
	text := bytes.Repeat(line, 60_000_000/len(line))
	s.keys("\x1b[200~")
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 64<<10)
		s.keys(string(rest[:n]))
		rest = rest[n:]
	}
	at := len(s.shown())
	s.keys("\x1b[201~")
	s.sees("in a file", at)
	if more := s.memory() - before; more > 64<<10 {
		t.Errorf("%d MiB more were resident", more>>10)
	} else {
		t.Logf("%d MiB more were resident", more>>10)
	}
	work := worked(s.cmd.Process.Pid)
	at = len(s.shown())
	s.keys("Q") // nothing else that is shown has one
	at = s.sees("Q", at)
	if took := worked(s.cmd.Process.Pid) - work; took > 300*time.Millisecond {
		t.Errorf("the next key was heard after %v of work", took)
	} else {
		t.Logf("the next key was heard after %v of work", took)
	}
	files, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/pasted/*.txt"))
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	info, err := os.Stat(files[0])
	got, err2 := os.ReadFile(files[0])
	if err != nil || err2 != nil || info.Mode().Perm() != 0o600 ||
		!bytes.Equal(got, bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))) {
		t.Errorf("%v, %v: mode %v, %d bytes of %d", err, err2, info.Mode(), len(got), len(text))
	}
	s.keys("\r")
	s.sees("I look.", at)
	s.keys("\x03\x03")
	s.leaves(promptly)
}
