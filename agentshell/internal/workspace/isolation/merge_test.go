//go:build unix

package isolation_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// branched is a site with commits on main, a hook of each kind that would show, and a copy in which
// an agent has changed a file, made one and removed one.
func branched(t *testing.T) (s site, c *isolation.Copy, hooked string) {
	s = newSite(t)
	s.git(s.dir, "init", "-q", "-b", "main")
	s.write(s.dir, "a.txt", "1\n2\n3\n4\n5\n")
	s.write(s.dir, "b.txt", "b\n")
	s.write(s.dir, "gone.txt", "gone\n")
	s.git(s.dir, "add", ".")
	s.git(s.dir, "commit", "-qm", "first")
	hooked = filepath.Join(t.TempDir(), "hooked")
	for _, name := range []string{"reference-transaction", "post-index-change", "post-merge", "pre-merge-commit",
		"commit-msg", "prepare-commit-msg"} {
		file := filepath.Join(s.dir, ".git", "hooks", name)
		s.write(s.dir, ".git/hooks/"+name, "#!/bin/sh\necho "+name+" >>"+hooked+"\n")
		if err := os.Chmod(file, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(s.dir, "b.txt", "b, not committed\n")
	c = s.prepare()
	s.write(c.Dir(), "a.txt", "one\n2\n3\n4\n5\n")
	s.write(c.Dir(), "dir/new.txt", "new\n")
	if err := os.Remove(filepath.Join(c.Dir(), "gone.txt")); err != nil {
		t.Fatal(err)
	}
	return s, c, hooked
}

// merge prepares the merge of what was changed in a copy.
func (s site) merge(c *isolation.Copy) (*isolation.Merge, error) {
	s.t.Helper()
	changes, err := c.Changes(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return c.PrepareMerge(s.t.Context(), changes)
}

// apply makes the files those of the merge.
func (s site) apply(m *isolation.Merge) {
	s.t.Helper()
	for _, change := range m.Changes {
		if change.After != nil {
			s.write(s.dir, change.Path, string(change.After.Data))
		} else if err := os.Remove(filepath.Join(s.dir, change.Path)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func TestABranchIsMergedAsItWasShownAndWhatIsNotCommittedStays(t *testing.T) {
	for name, moved := range map[string]bool{"as it was": false, "moved since": true} {
		s, c, hooked := branched(t)
		if moved {
			s.write(s.dir, "a.txt", "1\n2\n3\n4\nfive\n")
			s.git(s.dir, "commit", "-qm", "second", "a.txt")
			_ = os.Remove(hooked)
		}
		before := s.tree(s.dir)
		m, err := s.merge(c)
		if err != nil {
			t.Fatal(name, err)
		}
		if m.Branch != "agent/Lexer" || m.Into != "main" || len(m.Changes) != 3 ||
			!strings.Contains(string(m.Patch), "-1\n+one\n") {
			t.Errorf("%s: %+v\n%s", name, m, m.Patch)
		}
		if s.tree(s.dir) != before {
			t.Errorf("%s: the repository was written before", name)
		}
		s.apply(m)
		id, err := m.Commit(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := os.Lstat(hooked); err == nil {
			text, _ := os.ReadFile(hooked)
			t.Errorf("%s: hooks ran: %s", name, text)
		}
		want := " M b.txt\n"
		if got := s.git(s.dir, "status", "--porcelain"); got != want {
			t.Errorf("%s: git says %q", name, got)
		}
		const subject = "Merge branch 'agent/Lexer' into main\n"
		if got := s.git(s.dir, "log", "--format=%s", "--first-parent", "-1"); got != subject {
			t.Errorf("%s: the last commit is %q", name, got)
		}
		if got := s.git(s.dir, "log", "--format=%an %s", id+"^2", "-1"); got != "Lexer What Lexer changed\n" {
			t.Errorf("%s: the commit of the agent is %q", name, got)
		}
		if got := s.git(s.dir, "show", "HEAD:b.txt") + s.git(s.dir, "show", "HEAD:dir/new.txt"); got != "b\nnew\n" {
			t.Errorf("%s: committed is %q", name, got)
		}
		if moved && s.git(s.dir, "show", "HEAD:a.txt") != "one\n2\n3\n4\nfive\n" {
			t.Errorf("%s: a.txt is %q", name, s.git(s.dir, "show", "HEAD:a.txt"))
		}
		s.git(s.dir, "fsck", "--strict")
		if refs := s.git(s.dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main\n" {
			t.Errorf("%s: left are %q", name, refs)
		}
	}
}

func TestWhatCannotBeMergedIsNamedAndNothingIsWritten(t *testing.T) {
	for want, spoil := range map[string]func(s site, c *isolation.Copy){
		"agent/Lexer conflicts with main in a.txt": func(s site, _ *isolation.Copy) {
			s.write(s.dir, "a.txt", "I\n2\n3\n4\n5\n")
			s.git(s.dir, "commit", "-qm", "second", "a.txt")
		},
		"a.txt has changes that are not committed": func(s site, _ *isolation.Copy) {
			s.write(s.dir, "a.txt", "1\n2\n3\n4\nfive\n")
		},
		"gone.txt has changes that are not committed": func(s site, _ *isolation.Copy) {
			s.git(s.dir, "rm", "-q", "--cached", "gone.txt")
		},
		"dir/new.txt has changes that are not committed": func(s site, _ *isolation.Copy) {
			s.write(s.dir, "dir/new.txt", "mine\n")
		},
		"b.txt was not committed as it was when the copy was made": func(s site, c *isolation.Copy) {
			s.write(c.Dir(), "b.txt", "agent\n")
		},
		"link is a link": func(s site, c *isolation.Copy) {
			if err := os.Symlink("a.txt", filepath.Join(c.Dir(), "link")); err != nil {
				s.t.Fatal(err)
			}
		},
		"the mode of b.txt is another one": func(s site, c *isolation.Copy) {
			if err := os.Chmod(filepath.Join(c.Dir(), "b.txt"), 0o755); err != nil {
				s.t.Fatal(err)
			}
		},
		"dir/new.txt lies in a repository of its own": func(s site, _ *isolation.Copy) {
			s.git(s.dir, "init", "-q", "dir")
		},
		"no branch of the workspace is checked out as a whole": func(s site, _ *isolation.Copy) {
			s.git(s.dir, "checkout", "-q", "--detach")
		},
		"the repository is in the middle of a merge or a rebase": func(s site, _ *isolation.Copy) {
			s.write(s.dir, ".git/MERGE_HEAD", s.git(s.dir, "rev-parse", "HEAD"))
		},
	} {
		s, c, _ := branched(t)
		spoil(s, c)
		before := s.tree(s.dir)
		m, err := s.merge(c)
		if e := (isolation.CannotMerge{}); m != nil || !errors.As(err, &e) || e.Why != want {
			t.Errorf("%v, want %s", err, want)
		}
		if s.tree(s.dir) != before {
			t.Errorf("%s: the repository was written", want)
		}
	}
}

// A branch that moves between the question and the answer is not overwritten.
func TestABranchThatMovesMeanwhileIsLeft(t *testing.T) {
	s, c, _ := branched(t)
	m, err := s.merge(c)
	if err != nil {
		t.Fatal(err)
	}
	s.git(s.dir, "commit", "-q", "--allow-empty", "-m", "second")
	head := s.git(s.dir, "rev-parse", "HEAD")
	if _, err := m.Commit(t.Context()); err == nil || err.Error() != "main has moved since" {
		t.Errorf("%v", err)
	}
	if got := s.git(s.dir, "rev-parse", "HEAD"); got != head {
		t.Errorf("main is %s", got)
	}
}
