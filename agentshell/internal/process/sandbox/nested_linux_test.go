package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// nestedSite makes the workspace a repository with a linked work tree and another repository in it.
func nestedSite(s *site) {
	if r := s.outside(`git init -q -b main ~/work && cd ~/work && git config user.email a@b && git config user.name n &&
		echo a > f && git add f && git commit -qm one && git worktree add -q -b feat .trees/feat &&
		mkdir tools && cp -r ~/work/.git tools && rm -r tools/.git/worktrees && git -C tools reset -q --hard`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// bareSite makes a workspace with a bare repository and a work tree of it.
func bareSite(s *site) {
	if r := s.outside(`git init -q --bare -b main .store && echo "gitdir: ./.store" > .git &&
		git config user.email a@b && git config user.name n && t=$(git commit-tree -m one $(git mktree < /dev/null)) &&
		git update-ref refs/heads/main $t && git worktree add -q tree main && cd tree && echo a > f && git add f &&
		git commit -qm one`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// storeSite makes a workspace whose repository lies in another directory of it.
func storeSite(s *site) {
	if r := s.outside(`git init -q -b main --separate-git-dir=store . && git config user.email a@b &&
		git config user.name n && echo a > f && git add f && git commit -qm one`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// keptSite makes a nestedSite in which the repository tools must only be read.
func keptSite(s *site) {
	nestedSite(s)
	s.policy.ReadOnly = []string{s.at("tools")}
}

// otherTree puts a work tree of a repository that lies elsewhere into the workspace.
func otherTree(s *site) {
	repo(s)
	if r := s.outside(`git clone -q . $OUT/o && git -C $OUT/o worktree add -q ~/work/tree`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// Git works in each repository and work tree that lies in the workspace, as in the workspace's own.
func TestGitWorksBelowTheWorkspace(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		for _, c := range []struct {
			name    string
			setup   func(s *site)
			ok      bool
			scripts []string
		}{
			{"below", nestedSite, true, []string{`cd .trees/feat`, `cd tools`, `true`}},
			{"in a bare repository's work tree", bareSite, true, []string{`cd tree`}},
			{"where a file names the repository", storeSite, true, []string{`true`}},
			{"in a repository that must only be read", keptSite, false, []string{`cd tools`}},
			{"in a work tree of another project", otherTree, false, []string{`cd tree`}},
		} {
			s := newSite(t)
			c.setup(s)
			for _, at := range c.scripts {
				r := s.in(b, at+` && echo b > f && git commit -qam two && git log | grep two`)
				if (r.Exit == 0) != c.ok {
					t.Errorf("%s, %s: %+v", c.name, at, r)
				}
			}
		}
	})
}

// Nothing can be put over a link: a repository with one where a guard stands is only read.
func TestARepositoryBelowWithALinkIsOnlyRead(t *testing.T) {
	for _, link := range []string{"", "tools/.git/hooks", ".git/worktrees/feat/config.worktree"} {
		s := newSite(t)
		nestedSite(s)
		if link != "" {
			_ = os.RemoveAll(s.at(link))
			if err := os.Symlink("/dev/null", s.at(link)); err != nil {
				t.Fatal(err)
			}
		}
		list, err := workspaceGuards(s.policy, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"tools/.git", ".git/worktrees/feat"} {
			open := slices.ContainsFunc(list, func(g guard) bool { return g.path == s.at(dir) && g.writable })
			if open != !within(link, dir) {
				t.Errorf("with the link %q, %s can be written: %v", link, dir, open)
			}
		}
	}
}

// Where a .git file of the workspace names a directory, that opens nothing which was closed.
func TestAGitFileOpensNothingThatIsClosed(t *testing.T) {
	for name, to := range map[string]string{
		"what only is read":                 "keep",
		"what is hidden":                    "hidden",
		"what the configuration names":      "named",
		"the folder of an editor":           ".vscode/r",
		"what lies in git's own":            ".git/r",
		"the workspace":                     ".",
		"a directory that is no repository": "plain",
		"a directory outside":               "../../out/r",
	} {
		s := newSite(t)
		s.policy.ReadOnly, s.policy.Hidden = []string{s.at("keep")}, []string{s.at("hidden")}
		dir := filepath.Join(s.workspace, to)
		s.write(".git/HEAD", "x")
		s.write("d/.git", "gitdir: "+dir+"\n")
		for _, part := range []string{"HEAD", "objects/x", "refs/x"} {
			if to != "plain" || part == "HEAD" {
				s.write(filepath.Join(dir, part), "x")
			}
		}
		open := func() bool {
			list, err := workspaceGuards(s.policy, []string{s.at("named")})
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(list, func(g guard) bool { return g.path == dir && g.writable })
		}
		if open() {
			t.Errorf("%s can be written", name)
		}
		s.write("d/.git", "gitdir: ../free\n") // a control
		dir = s.at("free")
		if err := os.CopyFS(dir, os.DirFS(s.at("keep"))); err != nil && to == "keep" || to == "keep" && !open() {
			t.Errorf("a repository that is not closed cannot be written: %v", err)
		}
	}
}
