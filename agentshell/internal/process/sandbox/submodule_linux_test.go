package sandbox

import (
	"path/filepath"
	"testing"
)

// Git works in a submodule, in its own workspace and in that of the repository around it. A file of
// the workspace alone opens no other project.
func TestGitWorksInSubmodules(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		for _, c := range []struct {
			name, script string
			setup        func(s *site)
			ok           bool
		}{
			{"in a submodule of the workspace", `cd sub && echo b > f && git commit -qam two && git log | grep two`,
				superSite, true},
			{"where a submodule is the workspace", `echo b > f && git commit -qam two && git log | grep two`,
				submoduleSite, true},
			{"a file that names another's submodule", `git log`, func(s *site) {
				submoduleSite(s)
				s.outside(`git -C $OUT/super/.git/modules/deep/sub config core.worktree $OUT`)
			}, false},
			{"a file that names another project", `git log`, func(s *site) {
				submoduleSite(s)
				s.outside(`git init -q $OUT/other; echo "gitdir: $OUT/other/.git" > .git`)
			}, false},
		} {
			s := newSite(t)
			c.setup(s)
			if r := s.in(b, c.script); (r.Exit == 0) != c.ok {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	})
}

func TestTheWorkTreeThatAConfigurationNames(t *testing.T) {
	for text, want := range map[string]string{
		"[core]\n\tbare = false\n\tworktree = ../../../sub\n":         "../../../sub",
		"[core]\n\tworktree = \"/a b\"\n[other]\n\tworktree = /x\n":   "/a b",
		"[other]\n\tworktree = /x\n[core \"sub\"]\n\tworktree = /y\n": "",
	} {
		s := newSite(t)
		name := filepath.Join(s.dir, "config")
		s.write(name, text)
		if got := coreWorktree(name); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
