package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestWhatIsLeftOutOfAnOutputCanBeRead(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, nil)
	b.env.Outputs = new(Outputs)
	b.env.Secrets = secret.Set{}.With("s3cr3t-s3cr3t")
	b.env.Addresses = Addresses{"artifact": func(_ context.Context, id string) (string, error) {
		return b.env.Outputs.Text(id)
	}}
	b.reg = Builtin(b.env)
	r := b.run("bash", args{"command": "seq 1 20000; echo s3cr3t-s3cr3t; seq 20001 40000"})
	if !strings.Contains(r.Text, " bytes left out; read_file artifact://output-1 has all of it]\n") ||
		strings.Contains(r.Text, "\n20000\n") {
		t.Errorf("%d bytes: %.200q", len(r.Text), r.Text[keepHead-100:])
	}
	if got := b.run("read_file", args{"path": "artifact://output-1:20000-20002"}).Text; strings.Contains(got,
		"s3cr3t") ||
		!strings.HasPrefix(got, "20000\t20000\n20001\t") || !strings.HasSuffix(got, "20002\t20001\n") {
		t.Errorf("%q", got)
	}
	r = b.run("bash", args{"command": "head -c 5000000 /dev/zero | tr '\\0' y"})
	if !strings.Contains(r.Text, "artifact://output-2 has the first 4 MiB of it]") {
		t.Errorf("%.300q", r.Text[keepHead-100:])
	}
	if r = b.run("bash", args{"command": "seq 1 10"}); strings.Contains(r.Text, "artifact") {
		t.Errorf("%q", r.Text)
	}
	b.fails("read_file", args{"path": "artifact://output-3"}, "tool_failed")
}

func TestTheNewestOutputsAreKept(t *testing.T) {
	var o Outputs
	long := strings.Repeat("x", keepOutput)
	for i := range 20 {
		if got := o.Keep(long); got != fmt.Sprint("output-", i+1) {
			t.Errorf("%s, want output-%d", got, i+1)
		}
	}
	for n, kept := range map[int]bool{0: false, 1: false, 12: false, 13: true, 20: true, 21: false} {
		if text, err := o.Text(fmt.Sprint("output-", n)); (err == nil) != kept || kept && text != long {
			t.Errorf("output-%d: %d bytes, %v", n, len(text), err)
		}
	}
	for _, name := range []string{"output-", "output-13x", "output-013", "13", ""} {
		if _, err := o.Text(name); err == nil {
			t.Errorf("%q is an output", name)
		}
	}
}

// store is a session that takes outputs, or none.
type store struct {
	last  int
	full  bool
	texts map[int]string
}

func (s *store) LastOutput() int { return s.last }

func (s *store) KeepOutput(n int, text string) error {
	if s.full {
		return errors.New("no room")
	}
	s.texts[n] = text
	return nil
}

func (s *store) Output(n int) (string, error) {
	text, kept := s.texts[n]
	if !kept {
		return "", errors.New("not kept")
	}
	return text, nil
}

// Outputs belong to the session. What it does not take stays in memory, and another session has its
// own.
func TestOutputsBelongToTheSession(t *testing.T) {
	first := &store{last: 7, texts: map[int]string{7: "earlier"}}
	var o Outputs
	o.SetStore(first)
	names := []string{o.Keep("eight")}
	first.full = true
	names = append(names, o.Keep("nine"))
	first.full = false
	names = append(names, o.Keep("ten"))
	if got := strings.Join(names, " "); got != "output-8 output-9 output-10" {
		t.Errorf("the names are %s", got)
	}
	if len(first.texts) != 3 || len(o.texts) != 1 {
		t.Errorf("%d in the session, %d in memory", len(first.texts), len(o.texts))
	}
	for name, want := range map[string]string{"output-7": "earlier", "output-8": "eight", "output-9": "nine",
		"output-10": "ten", "output-6": "", "output-11": ""} {
		if got, err := o.Text(name); got != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	o.SetStore(&store{last: 20, texts: map[int]string{}})
	for _, name := range []string{"output-8", "output-9"} {
		if got, err := o.Text(name); err == nil {
			t.Errorf("another session has %s: %q", name, got)
		}
	}
	if name := o.Keep("one"); name != "output-21" {
		t.Errorf("its next one is %s", name)
	}
}
