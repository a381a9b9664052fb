package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// mutation takes one part of the walls away. seen is an attempt that gets out then.
type mutation struct {
	name string
	cut  omissions
	way  string // "" both
	seen string
}

// drop leaves out the ops whose path ends in end.
func drop(end string) omissions {
	return omissions{ops: func(ops []op) []op {
		return slices.DeleteFunc(ops, func(o op) bool { return strings.HasSuffix(o.Path, end) })
	}}
}

// as makes those of a path another kind.
func as(end string, k kind) omissions {
	return omissions{ops: func(ops []op) []op {
		for i := range ops {
			if strings.HasSuffix(ops[i].Path, end) {
				ops[i].Kind = k
			}
		}
		return ops
	}}
}

// written makes those writable whose path has that in it.
func written(part string) omissions {
	return omissions{ops: func(ops []op) []op {
		for i := range ops {
			if strings.Contains(ops[i].Path, part) {
				ops[i].Kind = write
			}
		}
		return ops
	}}
}

// without leaves arguments of bubblewrap out.
func without(words ...string) omissions {
	return omissions{bwrap: func(args []string) []string {
		i := strings.Index(strings.Join(args, "\n")+"\n", strings.Join(words, "\n")+"\n")
		if i < 0 {
			return nil
		}
		at := strings.Count(strings.Join(args, "\n")[:i], "\n")
		return slices.Delete(args, at, at+len(words))
	}}
}

func stagePart(name string) omissions { return omissions{stage: []string{name}} }

func and(a, b omissions) omissions {
	c := omissions{ops: a.ops, bwrap: a.bwrap, flags: a.flags | b.flags, stage: slices.Concat(a.stage, b.stage)}
	if c.ops == nil {
		c.ops = b.ops
	}
	if c.bwrap == nil {
		c.bwrap = b.bwrap
	}
	return c
}

var mutations = []mutation{
	{name: "no seccomp", cut: stagePart("seccomp"), seen: "memory by a call"},
	{name: "no seccomp, namespaces", cut: stagePart("seccomp"), seen: "a user namespace"},
	{name: "no seccomp, ciphers", cut: stagePart("seccomp"), seen: "events of devices"},
	{name: "no seccomp, console", cut: stagePart("seccomp"), seen: "the console"},
	{name: "no seccomp, modes", cut: stagePart("seccomp"), seen: "a file that sets its user"},
	{name: "no Landlock", cut: stagePart("landlock"), seen: "be spared when memory is short"},
	{name: "open descriptors", cut: stagePart("descriptors"), seen: "a descriptor that was left open"},
	{name: "open directories", cut: and(stagePart("descriptors"), stagePart("landlock")),
		seen: "a directory that was left open"},
	{name: "capabilities", way: Direct, cut: stagePart("capabilities"), seen: "capabilities"},
	{name: "the network", way: Direct, cut: and(omissions{flags: unix.CLONE_NEWNET}, stagePart("loopback")),
		seen: "TCP"},
	{name: "the network, UDP", way: Direct, cut: and(omissions{flags: unix.CLONE_NEWNET}, stagePart("loopback")),
		seen: "UDP"},
	{name: "the network", way: Bubblewrap, cut: without("--unshare-net"), seen: "TCP"},
	{name: "abstract sockets", way: Bubblewrap, cut: and(without("--unshare-net"), stagePart("landlock")),
		seen: "an abstract socket"},
	{name: "IPC", way: Direct, cut: omissions{flags: unix.CLONE_NEWIPC}, seen: "memory of others by its key"},
	{name: "IPC", way: Bubblewrap, cut: without("--unshare-ipc"), seen: "memory of others by its key"},
	{name: "the home directory is there", cut: as("/home", read), seen: "read a key"},
	{name: "the temporary directory is there", cut: as("/tmp", read), seen: "the temporary files of others"},
	{name: ".git is no mount", cut: drop("/.git"), seen: "move .git away and make it anew"},
	{name: "hooks", cut: drop("/.git/hooks"), seen: "make a hook"},
	{name: "the configuration", cut: drop("/.git/config"), seen: "configure git"},
	{name: "the second configuration", cut: drop("/config.worktree"), seen: "a second configuration"},
	{name: "commondir", cut: drop("/commondir"), seen: "the configuration of another directory"},
	{name: "attributes", cut: drop("/attributes"), seen: "attributes"},
	{name: "info", cut: drop("/info"), seen: "exchange the attributes"},
	{name: "modules", cut: drop("/modules"), seen: "a module's configuration"},
	{name: "no repository", cut: drop("/.git"), seen: "a repository where there is none"},
	{name: ".envrc", cut: drop("/.envrc"), seen: "what is run when a directory is entered"},
	{name: ".vscode", cut: drop("/.vscode"), seen: "exchange the tasks of the editor"},
	{name: ".github", cut: drop("/.github"), seen: "what CI runs"},
	{name: "below", cut: drop("/Jenkinsfile"), seen: "what CI runs below"},
	{name: "a repository below", cut: drop("/sub/.git"), seen: "a repository below"},
	{name: "what git names", cut: drop("/my"), seen: "the hooks that the configuration names"},
	{name: "the main repository", cut: drop("/main/.git/config"), seen: "the configuration of the main repository"},
	{name: "our configuration", cut: drop("/conf"), seen: "our configuration in the workspace"},
	{name: "our configuration, missing", cut: drop("/a"), seen: "our configuration where there is none"},
	{name: "our log", cut: drop("/state"), seen: "our log"},
	{name: "what is read", cut: drop("/keep"), seen: "what must only be read"},
	{name: "keys of the system", cut: drop("/etc/shadow"), seen: "passwords of the system"},
	{name: "what is listed", cut: and(written("/listed-"), stagePart("landlock")),
		seen: "what the person lets be read"},
	{name: "packages", cut: and(as("/pkg/mod", write), stagePart("landlock")), seen: "packages of other projects"},
}

// Each part of the walls is missed by an attempt: without it, that one gets out. Without
// SCROLLKEEP_REQUIRE=mutants (`make stress`) one in five is taken away.
func TestEachPartIsMissed(t *testing.T) {
	each := need.Required("mutants")
	all := map[string]attempt{}
	for _, a := range attempts() {
		all[a.name] = a
	}
	boxes(t, func(t *testing.T, b *Box) {
		for i, m := range mutations {
			if m.way != "" && m.way != b.way || !each && i%5 != 0 {
				continue
			}
			t.Run(m.name, func(t *testing.T) {
				a, ok := all[m.seen]
				if !ok {
					t.Fatalf("there is no attempt %q", m.seen)
				}
				if out, r := a.play(t, b, m.cut); !out {
					t.Errorf("it is not missed: %+v", r)
				}
			})
		}
	})
}

// Landlock is a wall of its own: what the mounts leave open by mistake is closed by it.
func TestLandlockHoldsWhereTheMountsDoNot(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		for _, a := range attempts() {
			if a.name != "what the person lets be read" {
				continue
			}
			if out, r := a.play(t, b, written("/listed-")); out {
				t.Errorf("it got out: %+v", r)
			}
		}
	})
}

// Where a part of the setup fails, the command does not run.
func TestNothingRunsWithoutItsWalls(t *testing.T) {
	broken := func(ops []op) []op { return append(ops, op{Kind: read, Path: "/nonesuch"}) }
	cases := []struct {
		name, way string
		cut       omissions
		setup     func(s *site)
	}{
		{name: "a mount", cut: omissions{ops: broken}},
		{name: "no new privileges", way: Direct, cut: stagePart("privileges")},
		{name: "the process namespace", way: Direct, cut: omissions{flags: unix.CLONE_NEWPID}},
		{name: "the user namespace", way: Direct, cut: omissions{flags: unix.CLONE_NEWUSER}},
		{name: "the mount namespace", way: Direct, cut: omissions{flags: unix.CLONE_NEWNS | unix.CLONE_NEWUSER}},
		{name: "arguments of bubblewrap", way: Bubblewrap, cut: omissions{bwrap: func([]string) []string {
			return []string{"--nonesuch"}
		}}},
		{name: "a link for .git", setup: func(s *site) { _ = os.Symlink("elsewhere", s.at(".git")) }},
		{name: "a link for the hooks", setup: func(s *site) {
			s.write(".git/config", "")
			_ = os.Symlink("../hooks", s.at(".git/hooks"))
		}},
		{name: "a workspace that holds the home directory", setup: func(s *site) { s.policy.Workspace = s.dir }},
		{name: "a workspace that is the home directory", setup: func(s *site) { s.policy.Workspace = s.home }},
		{name: "a workspace of the system", setup: func(s *site) { s.policy.Workspace = "/usr" }},
		{name: "a workspace that is all", setup: func(s *site) { s.policy.Workspace = "/" }},
		{name: "all temporary files", setup: func(s *site) { s.policy.Workspace = "/tmp" }},
		{name: "a workspace that is not there", setup: func(s *site) { s.policy.Workspace = "/nonesuch" }},
	}
	boxes(t, func(t *testing.T, b *Box) {
		for _, c := range cases {
			if c.way != "" && c.way != b.way {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				s := newSite(t)
				s.without = c.cut
				if c.setup != nil {
					c.setup(s)
				}
				r := s.in(b, "echo it runs; touch "+filepath.Join(s.workspace, "ran"))
				if strings.Contains(r.out, "it runs") || made("ran")(s) {
					t.Errorf("it runs: %+v", r)
				}
				if r.Error == "" {
					t.Errorf("nothing says why: %+v", r)
				}
				t.Log(r.Error)
			})
		}
	})
}
