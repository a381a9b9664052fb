package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestMain(m *testing.M) {
	Stage(os.Args)
	if len(os.Args) > 2 && os.Args[1] == "probe" {
		err := error(nil)
		if os.Args[2] == "push" {
			err = pushed(os.Args[3])
		} else {
			err = probe(os.Args[2], os.Args[3:])
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "probe:", err)
			syscall.Exit(1)
		}
		syscall.Exit(0) // at once: with the race detector, os.Exit waits for a second
	}
	os.Exit(m.Run())
}

// boxes are the two ways to make a sandbox.
func boxes(t *testing.T, each func(t *testing.T, b *Box)) {
	for _, way := range []string{Bubblewrap, Direct} {
		t.Run(way, func(t *testing.T) {
			r := Find(t.Context(), new(child.Family), t.TempDir(), way)
			if r.Box == nil {
				need.Missing(t, "sandbox", r.Reason)
			}
			each(t, r.Box)
		})
	}
}

// site is a workspace, a home directory and what lies beside them.
type site struct {
	t         *testing.T
	dir       string // of all
	workspace string
	home      string
	policy    Policy
	without   omissions
	more      []string
	environ   []string
	prepare   func(*exec.Cmd)
	packets   net.PacketConn
	leaked    int // number of a descriptor
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, dir: dir, home: filepath.Join(dir, "home")}
	s.workspace = filepath.Join(s.home, "work")
	template := filepath.Join(dir, "template") // git's own has a dozen files for each repository
	for _, d := range []string{s.workspace, filepath.Join(s.home, ".ssh"), filepath.Join(s.home, ".cache/go-build"),
		filepath.Join(dir, "out"), filepath.Join(template, "hooks"), filepath.Join(template, "info")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(filepath.Join(s.home, ".ssh/id"), "the key\n")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "OUT=" + filepath.Join(dir, "out"),
		"PROBE=" + self + " probe", "GIT_TEMPLATE_DIR=" + template}
	s.policy = Policy{Workspace: s.workspace, Home: s.home, Environ: s.environ, Readable: []string{self}}
	return s
}

func (s *site) write(name, text string) {
	s.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.workspace, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) read(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.workspace, name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(b)
}

// said is what came of a command.
type said struct {
	Ending
	ok  bool
	out string
}

// command returns bash in the workspace.
func (s *site) command(script string) *exec.Cmd {
	cmd := exec.Command("/bin/bash", "--noprofile", "--norc", "-c", script)
	cmd.Dir = s.workspace
	cmd.Env = append(s.environ[:len(s.environ):len(s.environ)], fmt.Sprintf("LEAKED=%d", s.leaked))
	return cmd
}

// in runs a script in a sandbox; outside runs it without.
func (s *site) in(b *Box, script string) said {
	s.t.Helper()
	var out bytes.Buffer
	if s.prepare != nil {
		s.leaked = leashFD + 1 // what follows the descriptors of the stage
		if b.way == Bubblewrap {
			s.leaked++
		}
	}
	cmd := s.command(script)
	cmd.Stdout, cmd.Stderr = &out, &out
	c, err := b.cell(s.policy, cmd, s.more, s.without)
	if err != nil {
		return said{Ending: Ending{Exit: -1, Error: err.Error()}}
	}
	if s.prepare != nil {
		s.prepare(c.end.stage.cmd)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	runErr := c.run(ctx)
	end, ok := c.End()
	if !ok {
		end = Ending{Exit: -1, Error: out.String()}
		if runErr != nil {
			end.Error += runErr.Error()
		}
	}
	return said{end, ok, out.String()}
}

func (s *site) outside(script string) said {
	s.t.Helper()
	var out bytes.Buffer
	cmd := s.command(script)
	cmd.Stdout, cmd.Stderr = &out, &out
	if s.prepare != nil {
		s.prepare(cmd)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	err := new(child.Family).Run(ctx, cmd)
	e := said{ok: true, out: out.String()}
	if err != nil {
		e.Exit = cmd.ProcessState.ExitCode()
	}
	return e
}

func TestACommandRunsInTheWorkspace(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		s := newSite(t)
		s.write("f", "one\n")
		r := s.in(b, "cat f; pwd; echo two >> f; mkdir -p d/e; mv f d/e/g; echo x > ~/.cache/go-build/x; id -u; exit 3")
		if r.Exit != 3 || r.Error != "" || !r.ok {
			t.Fatalf("%+v", r)
		}
		if got := s.read("d/e/g"); got != "one\ntwo\n" {
			t.Errorf("%q", got)
		}
		if got := s.read(filepath.Join(s.home, ".cache/go-build/x")); got != "x\n" {
			t.Errorf("%q", got)
		}
		if entries, _ := os.ReadDir(s.workspace); len(entries) != 1 {
			t.Errorf("left in the workspace: %v", entries)
		}
		r = s.in(b, "kill -KILL $$")
		if r.Signal != 9 {
			t.Errorf("%+v", r)
		}
	})
}

// A folder made for one command is all that it reaches of the temporary files outside, and its
// sockets there can be reached from outside.
func TestACommandSharesOneFolderWithUs(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		s := newSite(t)
		shared, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		beside := filepath.Join(s.dir, "out")
		if r := s.in(b, "echo x > "+shared+"/f"); r.Exit == 0 {
			t.Fatalf("a folder that is not shared can be written: %+v", r)
		}
		s.policy.Shared = shared
		ended := make(chan said, 1)
		go func() {
			ended <- s.in(b, "ls "+beside+" && echo BESIDE; touch "+shared+"/../x && echo UP; echo x > "+shared+
				"/f; exec $PROBE serve "+shared+"/s")
		}()
		text := make([]byte, 8)
		for range 3000 {
			var c net.Conn
			if c, err = net.Dial("unix", filepath.Join(shared, "s")); err == nil {
				n, _ := c.Read(text)
				text = text[:n]
				_ = c.Close()
				break
			}
			select {
			case r := <-ended:
				t.Fatalf("%+v", r)
			case <-time.After(10 * time.Millisecond):
			}
		}
		r := <-ended
		if string(text) != "in" || s.read(filepath.Join(shared, "f")) != "x\n" || r.Exit != 0 {
			t.Errorf("%q, %v, %+v", text, err, r)
		}
		_, err = os.Lstat(filepath.Join(filepath.Dir(shared), "x"))
		if strings.Contains(r.out, "BESIDE") || err == nil {
			t.Errorf("more than the folder is shared: %+v", r)
		}
	})
}
