package sandbox

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// attempt is one way out of a sandbox: a script that ends well if it got out, or, where harm is
// set, whatever has done harm outside.
type attempt struct {
	name, script string
	setup        func(s *site)
	harm         func(s *site) bool
	// control: it does get out where there is no sandbox. Nothing is proven by an attempt that
	// would fail anyway; those that would harm the machine have no control.
	control control
}

type control uint8

const (
	always control = iota
	asRoot         // only root can do it outside, with all that root may do
	userns         // outside it needs a user namespace, which some machines refuse
	kernel         // it depends on the kernel, its version and settings
	never          // it would do harm, or outside there is nothing to get out of
)

// repo makes the workspace a repository with one commit.
func repo(s *site) {
	if r := s.outside("git init -q . && printf '[user]\\n\\temail = a@b\\n\\tname = n\\n' >> .git/config && " +
		"echo a > f && git add f && git commit -qm one"); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// both returns two setups.
func both(list ...func(s *site)) func(s *site) {
	return func(s *site) {
		for _, f := range list {
			f(s)
		}
	}
}

// file puts a file there.
func file(name, text string) func(s *site) {
	return func(s *site) { s.write(s.at(name), text) }
}

// at returns a path of the site: "out/x" lies beside the home directory, "~/x" in it, others in the
// workspace.
func (s *site) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(s.home, rest)
	}
	if strings.HasPrefix(name, "out/") {
		return filepath.Join(s.dir, name)
	}
	return filepath.Join(s.workspace, name)
}

// made reports whether something came into being, changed whether a file no longer says what it
// said.
func made(name string) func(s *site) bool {
	return func(s *site) bool {
		_, err := os.Lstat(s.at(name))
		return err == nil
	}
}

func changed(name, text string) func(s *site) bool {
	return func(s *site) bool { return s.read(s.at(name)) != text }
}

// holds reports whether a file has that text in it.
func holds(name, text string) func(s *site) bool {
	return func(s *site) bool { return strings.Contains(s.read(s.at(name)), text) }
}

func (s *site) set(name, value string) {
	s.environ = append(s.environ, name+"="+value)
	s.policy.Environ = s.environ
}

// victim is a process outside.
func victim(s *site) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	s.set("VICTIM", strconv.Itoa(cmd.Process.Pid))
}

// listen returns a server outside; address "" is a port of the loopback device.
func listen(network, address string) func(s *site) {
	return func(s *site) {
		var at string
		switch {
		case address == "":
			at = "127.0.0.1:0"
		case strings.HasPrefix(address, "@"):
			at = address + filepath.Base(filepath.Dir(s.dir))
		default:
			at = s.at(address)
		}
		l, err := net.Listen(network, at)
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { l.Close() })
		s.set("ADDRESS", l.Addr().String())
	}
}

// udp is a receiver outside; heard reports whether it heard anything.
func udp(s *site) {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	s.set("ADDRESS", c.LocalAddr().String())
	s.packets = c
}

func heard(s *site) bool {
	_ = s.packets.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	n, _, _ := s.packets.ReadFrom(make([]byte, 10))
	return n > 0
}

// leak gives the sandbox a descriptor that the shell itself has inherited.
func leak(name string) func(s *site) {
	return func(s *site) {
		s.prepare = func(cmd *exec.Cmd) {
			f, err := os.Open(s.at(name))
			if err != nil {
				s.t.Fatal(err)
			}
			s.t.Cleanup(func() { f.Close() })
			cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		}
		s.leaked = 3 // without a sandbox
	}
}

func shared(s *site) {
	id, err := unix.SysvShmGet(int(time.Now().UnixNano()&0xffffff)|1<<24, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	var d unix.SysvShmDesc
	if _, err := unix.SysvShmCtl(id, unix.IPC_STAT, &d); err != nil {
		s.t.Fatal(err)
	}
	s.set("KEY", strconv.Itoa(int(d.Perm.Key)))
}

// play runs an attempt in a fresh site and reports whether it got out.
func (a attempt) play(t *testing.T, b *Box, without omissions) (out bool, r said) {
	t.Helper()
	s := newSite(t)
	s.without = without
	if a.setup != nil {
		a.setup(s)
	}
	if b == nil {
		r = s.outside(a.script)
	} else if r = s.in(b, a.script); !r.ok {
		return false, r
	}
	if a.harm != nil {
		return a.harm(s), r
	}
	return r.Exit == 0, r
}

// In a box of our own every attempt is played, in one of bubblewrap's a sixth of them, others in
// each run; all with SCROLLKEEP_ATTEMPTS set (`make stress`).
func TestNoAttemptGetsOut(t *testing.T) {
	first, all := rand.IntN(6), os.Getenv("SCROLLKEEP_ATTEMPTS") != ""
	boxes(t, func(t *testing.T, b *Box) {
		b.KeepSpare()
		defer b.family.Close(0)
		for i, a := range attempts() {
			if b.way == Bubblewrap && i%6 != first && !all {
				continue
			}
			t.Run(a.name, func(t *testing.T) {
				b.spares.wait()
				if b.way == Direct { // as it ships
					a = a.proxied(t)
				}
				out, r := a.play(t, b, omissions{})
				if !r.ok || r.Error != "" {
					t.Fatalf("it did not run: %+v", r)
				}
				if out {
					t.Errorf("it got out: %s", r.out)
				}
			})
		}
	})
}

// mayAll reports whether this process is root with the rights of root, which root of a container
// need not have.
func mayAll() bool {
	var caps [2]unix.CapUserData
	err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &caps[0])
	return err == nil && os.Getuid() == 0 && caps[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// unmade returns why this machine makes no user namespace for a process of ours, nil if it makes
// one.
func unmade() error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
	return cmd.Run()
}

// Each attempt does get out where there is no sandbox, or it would prove nothing. A third of them
// is played, others in each run; all with SCROLLKEEP_ATTEMPTS set (`make stress`).
func TestEachAttemptWouldGetOut(t *testing.T) {
	need.Program(t, "git")
	n, some, first := 0, 3, rand.IntN(3)
	if os.Getenv("SCROLLKEEP_ATTEMPTS") != "" {
		some, first = 1, 0
	}
	for i, a := range attempts() {
		switch {
		case i%some != first, a.control == never, a.control == asRoot && !mayAll():
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			if err := unmade(); a.control == userns && err != nil {
				n++ // what is missing is named
				need.Missing(t, "userns", fmt.Errorf("no user namespace is made here: %w", err))
			}
			out, r := a.play(t, nil, omissions{})
			if !out && a.control == kernel {
				t.Logf("this kernel refuses it anyway: %s", r.out)
				return
			}
			if !out {
				t.Errorf("it does not get out: %+v", r)
			}
			n++
		})
	}
	if n < 48/some {
		t.Errorf("only %d attempts have a control", n)
	}
	if all := len(attempts()); all < 60 {
		t.Errorf("only %d attempts", all)
	}
}
