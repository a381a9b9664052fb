package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// patience is the longest time for a trial of a sandbox.
const patience = 5 * time.Second

// Find reports whether this machine can confine commands, by a trial that runs the program true in
// a sandbox. way is the only way to try, such as [Bubblewrap]. If way is "", Find tries [Direct]
// first, which is the faster one (see KeepSpare), and then Bubblewrap. tempDir holds the trial's
// workspace. family starts the programs.
func Find(ctx context.Context, family *child.Family, tempDir, way string) Report {
	return find(ctx, family, tempDir, way, false)
}

// Survey returns the same sandbox as Find, but also tries the other ways. It is for the user who
// wants to know what works on this machine.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return find(ctx, family, tempDir, "", true)
}

func find(ctx context.Context, family *child.Family, tempDir, way string, all bool) Report {
	var r Report
	var why []string
	program, lookErr := family.Programs.Path("bwrap")
	for _, b := range []*Box{{way: Direct, family: family}, {way: Bubblewrap, program: program, family: family}} {
		if way != "" && way != b.way || r.Box != nil && !all {
			continue
		}
		f := Fact{Name: b.way}
		var err error
		switch {
		case b.way == Bubblewrap && errors.Is(lookErr, child.ErrInside):
			err = lookErr
		case b.way == Bubblewrap && lookErr != nil:
			err = errors.New("not installed")
			f.Advice = "Install the package bubblewrap: some systems allow namespaces only to it."
		default:
			err = b.tryOut(ctx, tempDir)
		}
		switch {
		case err == nil && r.Box == nil:
			r.Box, f.Value = b, "works"
		case err == nil:
			f.Value = "works, not needed"
		default:
			f.Value = err.Error()
			why = append(why, b.way+": "+err.Error())
			if f.Advice == "" {
				f.Advice = namespaceAdvice()
			}
		}
		r.Facts = append(r.Facts, f)
	}
	if r.Box != nil { // one way is enough
		for i := range r.Facts {
			r.Facts[i].Advice = ""
		}
	} else {
		r.Reason = strings.Join(why, "; ")
	}
	l := Fact{Name: "Landlock", Value: fmt.Sprintf("version %d", landlockABI())}
	if landlockABI() == 0 {
		l.Value = "none"
		l.Advice = "The second wall has a gap: a kernel since 5.13 with landlock in its list of lsm= has it."
	}
	s := Fact{Name: "seccomp", Value: "yes"}
	if !hasSeccomp() {
		s.Value, s.Advice = "none", "The kernel needs CONFIG_SECCOMP_FILTER."
	}
	r.Facts = append(r.Facts, l, s)
	return r
}

// hasSeccomp reports whether the kernel supports filters for system calls.
func hasSeccomp() bool {
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0)
	return errno == unix.EFAULT // it tried to read a filter
}

// tryOut runs the program true in a sandbox, and returns the error if that does not work.
func (b *Box) tryOut(ctx context.Context, tempDir string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dir, err := os.MkdirTemp(tempDir, "scrollkeep-trial-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	program, err := b.family.Programs.Path("true")
	if err != nil {
		return err
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = dir, []string{}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	c, err := b.Cell(Policy{Workspace: dir}, cmd, nil)
	if err != nil {
		return err
	}
	runErr := c.run(ctx)
	ending, ok := c.End()
	switch {
	case ok && ending.Error != "":
		return errors.New(ending.Error)
	case ok && ending.Exit == 0:
		return nil
	case output.Len() > 0:
		return errors.New(strings.TrimSpace(output.String()))
	case runErr != nil:
		return runErr
	}
	return fmt.Errorf("it ends with code %d", ending.Exit)
}

// run starts the command and waits until it ends. When ctx ends first, the command is killed.
func (c *Cell) run(ctx context.Context) error {
	p, err := c.Begin()
	if err != nil {
		return err
	}
	return p.Within(ctx, 0)
}

// refusingSetting describes a setting of the system by which it refuses namespaces: the file, the
// value that refuses them, and advice for the user.
type refusingSetting struct{ file, refuses, advice string }

var refusingSettings = []refusingSetting{
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
		"AppArmor allows user namespaces only to some programs. Install the package bubblewrap, or set " +
			"kernel.apparmor_restrict_unprivileged_userns=0 with sysctl."},
	{"/proc/sys/kernel/unprivileged_userns_clone", "0", "Set kernel.unprivileged_userns_clone=1 with sysctl."},
	{"/proc/sys/user/max_user_namespaces", "0", "Set user.max_user_namespaces=10000 with sysctl."},
}

// namespaceAdvice returns advice for the user of a system that refuses namespaces.
func namespaceAdvice() string {
	if mounts, err := os.ReadFile("/proc/self/mountinfo"); err == nil && !mountedRoot(string(mounts)) {
		return "This is a chroot, and in a chroot the kernel makes no user namespaces. Outside of it, or in a " +
			"container, it does."
	}
	for _, k := range refusingSettings {
		if text, err := os.ReadFile(k.file); err == nil && strings.TrimSpace(string(text)) == k.refuses {
			return k.advice
		}
	}
	return "In a container, its runtime refuses namespaces: allow them there (docker run --security-opt " +
		"seccomp=unconfined --security-opt systempaths=unconfined), or let the container itself be the sandbox."
}

// mountedRoot reports whether "/" is a mount point. mounts is the text of /proc/self/mountinfo. In
// a chroot "/" is usually an ordinary directory, and the mount that holds it is not listed.
func mountedRoot(mounts string) bool {
	for line := range strings.Lines(mounts) {
		if f := strings.Fields(line); len(f) > 4 && f[4] == "/" {
			return true
		}
	}
	return false
}
