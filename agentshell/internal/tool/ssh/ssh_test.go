package ssh

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

func TestAHostIsNeverAnOption(t *testing.T) {
	for _, c := range []struct {
		host Host
		ok   bool
	}{
		{Host{Name: "build"}, true},
		{Host{Name: "b", Address: "build.example.org", User: "ci", Port: 22}, true},
		{Host{Name: "b", Address: "2001:db8::1"}, true},
		{Host{Name: "größe"}, true},
		{Host{Name: "-oProxyCommand=x"}, false},
		{Host{Name: "b", Address: "-F/tmp/x"}, false},
		{Host{Name: "b", Address: "a b"}, false},
		{Host{Name: "b", User: "-l"}, false},
		{Host{Name: "b", User: "a@b"}, false},
		{Host{Name: ""}, false},
		{Host{Name: "a\x1b[31m"}, false},
		{Host{Name: "b", Port: 70000}, false},
	} {
		if err := c.host.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.host, err)
		}
	}
}

func TestAliasesAreTheHostsWithoutPatterns(t *testing.T) {
	const text = "# Host no\nUser x\nHost build  db\n  HostName build.example.org\nhost=web\n" +
		"Host *.example.org !x \"quoted\"\nHostName not\nMatch host y\nHost build -o\nHost *\n"
	list, err := Aliases(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, h := range list {
		names = append(names, h.Name)
		if !h.Alias {
			t.Errorf("%s is no alias", h.Name)
		}
	}
	if got := strings.Join(names, " "); got != "build db web quoted" {
		t.Errorf("%s", got)
	}
	list, err = Aliases(strings.NewReader("Host " + strings.Repeat("x", 3) + strings.Repeat(" a", 300)))
	if err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

// What a login shell prints before a command is dropped; without a mark nothing is.
func TestWhatComesBeforeACommandIsDropped(t *testing.T) {
	const noise = "welcome MARK x\nMARK\n"
	for _, c := range []struct{ text, want, id string }{
		{noise + "MARK 123\nout", "out", "123"},
		{"MARK 123\r\nout", "out", "123"},
		{"no shell here\n", "no shell here\n", ""},
		{noise + "MARK 0\n", noise + "MARK 0\n", ""},
		{"MARK 12345678901\nx", "MARK 12345678901\nx", ""},
	} {
		for size := 1; size <= len(c.text); size++ {
			var out bytes.Buffer
			b := newBeginning("MARK", &out)
			for rest := c.text; rest != ""; {
				n := min(size, len(rest))
				if _, err := b.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if b.flush(); out.String() != c.want || b.group() != c.id {
				t.Errorf("%q by %d: %q, %q", c.text, size, out.String(), b.group())
			}
		}
	}
	var out bytes.Buffer
	b := newBeginning("MARK", &out)
	flood := strings.Repeat("x", maxNoiseBytes+1)
	if _, err := b.Write([]byte(flood)); err != nil || out.String() != flood {
		t.Errorf("a flood is held back: %d bytes, %v", out.Len(), err)
	}
}

func TestTheSocketOfAHostIsItsOwn(t *testing.T) {
	seen := map[string]Host{}
	for _, h := range []Host{{Name: "a"}, {Name: "b"}, {Name: "a", User: "x"}, {Name: "a", Port: 22},
		{Name: "a", Port: 23}, {Name: "a", Address: "c"}, {Name: "a", Key: "/k"}} {
		path := socketPath("/tmp/scrollkeep-ssh-1234567890/d", h)
		if other, ok := seen[path]; ok {
			t.Errorf("%+v and %+v share a socket", h, other)
		}
		if seen[path] = h; len(path) > 80 {
			t.Errorf("%s is too long for ssh", path)
		}
	}
}

func TestTheCallsOfSSHAskNothing(t *testing.T) {
	s := NewService(Config{File: "f"})
	line := " " + strings.Join(s.fixedOptions(), " ") + " "
	for _, want := range []string{" -F f ", " -T ", " BatchMode=yes ", " StrictHostKeyChecking=accept-new ",
		" ClearAllForwardings=yes ", " PermitLocalCommand=no ", " ForwardAgent=no "} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is without %s", line, want)
		}
	}
	if got := strings.Join(Host{Name: "b", Address: "a", User: "u", Port: 5, Key: "/k"}.arguments(), " "); got !=
		"-l u -p 5 -i /k -o IdentitiesOnly=yes -- a" {
		t.Error(got)
	}
}

func TestWithoutSSHItIsSaidHowToInstallIt(t *testing.T) {
	s := NewService(Config{Hosts: Hosts{"b": {Name: "b"}},
		Family: &child.Family{Programs: child.NewPrograms(t.TempDir())}})
	defer s.Close()
	want := "ssh is not installed. To install it: apt-get install openssh-client"
	if err := s.Find(); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if err := s.Run(t.Context(), Host{Name: "b"}, Command{Line: "true"}, io.Discard); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("a run: %v", err)
	}
}
