package isolation

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Merge is a prepared merge of an agent's changes, as commits, into the checked out branch of the
// user's repository. Nothing is written to that repository before [Merge.Commit].
type Merge struct {
	Branch string // Branch is the name of the agent's branch.
	Into   string // Into is the name of the user's branch.
	// Changes lists the files that the merge changes in the work tree.
	Changes []Change
	Patch   []byte // Patch shows the same changes for the user.

	sourceCopy  *Copy
	userCommit  string // userCommit is the present commit of the user's branch.
	mergeCommit string // mergeCommit is the merge commit.
}

// CannotMerge is an error that says why changes cannot be merged as a branch. They can still be
// applied file by file.
type CannotMerge struct{ Why string }

// Error implements error.
func (e CannotMerge) Error() string { return e.Why }

func cannotMergeError(format string, a ...any) error { return CannotMerge{fmt.Sprintf(format, a...)} }

// PrepareMerge makes two commits in the copy's repository: the agent's changes on the commit from
// which the copy was made, and a merge of that with the user's branch. The error is a [CannotMerge]
// if the merge has conflicts, or a file that it changes has uncommitted changes.
func (c *Copy) PrepareMerge(ctx context.Context, changes []Change) (*Merge, error) {
	o, into, err := c.checkedOutBranch(ctx)
	if err != nil {
		return nil, err
	}
	fork, err := c.runGitInBase(ctx, nil, "rev-parse", "--verify", "--quiet", c.baseCommit+"^")
	if err != nil {
		return nil, cannotMergeError("the copy was not made from a commit")
	}
	m := &Merge{Branch: "agent/" + c.Agent, Into: into, sourceCopy: c, userCommit: o.headCommit}
	own, err := c.commitChanges(ctx, strings.TrimSpace(string(fork)), changes)
	if err != nil {
		return nil, err
	}
	tree, err := c.mergeTrees(ctx, o.headCommit, own, m)
	if err != nil {
		return nil, err
	}
	if m.Patch, err = c.runGitInBase(ctx, nil, "diff-tree", "-r", "-p", "--binary", "--full-index", "--no-ext-diff",
		"--no-textconv", "--no-renames", o.headCommit, tree); err != nil {
		return nil, err
	}
	if m.Changes, err = c.treeChanges(ctx, o.headCommit, tree); err != nil {
		return nil, err
	}
	if err := c.checkCommitted(ctx, o, m.Changes); err != nil {
		return nil, err
	}
	out, err := c.store.runGit(ctx, c.topDir(), strings.NewReader(fmt.Sprintf("Merge branch '%s' into %s\n", m.Branch,
		into)),
		append(c.userIdentity(ctx, o.workTree), "GIT_DIR="+c.baseRepository()), "commit-tree", tree, "-p",
		o.headCommit, "-p", own)
	m.mergeCommit = strings.TrimSpace(string(out))
	return m, err
}

// checkedOutBranch returns the user's repository and its checked out branch.
func (c *Copy) checkedOutBranch(ctx context.Context) (o userRepository, name string, err error) {
	if o, err = c.store.findRepository(ctx, c.Workspace); err != nil {
		return o, "", err
	}
	ref, err := c.store.runGit(ctx, o.workTree, nil, nil, "symbolic-ref", "--quiet", "HEAD")
	name, ok := strings.CutPrefix(strings.TrimSpace(string(ref)), "refs/heads/")
	if err != nil || !ok || o.headCommit == "" {
		return o, "", cannotMergeError("no branch of the workspace is checked out as a whole")
	}
	for _, busy := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		at, err := c.store.runGit(ctx, o.workTree, nil, nil, "rev-parse", "--git-path", busy)
		if err != nil {
			return o, "", err
		}
		if _, err := os.Lstat(absolutePath(o.workTree, strings.TrimSpace(string(at)))); err == nil {
			return o, "", cannotMergeError("the repository is in the middle of a merge or a rebase")
		}
	}
	return o, name, nil
}

// commitChanges makes a commit with changes on top of the commit fork, and returns its id.
func (c *Copy) commitChanges(ctx context.Context, fork string, changes []Change) (string, error) {
	known, err := c.treeEntries(ctx, fork)
	if err != nil {
		return "", err
	}
	for _, change := range changes {
		if err := c.checkFits(known, change); err != nil {
			return "", err
		}
	}
	return c.runFastImport(ctx, func(w *bufio.Writer) error {
		files, err := writeBlobs(w, changes)
		if err != nil {
			return err
		}
		what := cmp.Or(strings.Join(strings.Fields(c.Description), " "), "What "+c.Agent+" changed")
		fmt.Fprintf(w, "commit refs/heads/agent\nmark :%d\n", commitMark)
		fmt.Fprintf(w, "committer %s <agent@localhost> %d +0000\n", c.Agent, time.Now().Unix())
		fmt.Fprintf(w, "data %d\n%s\nfrom %s\n", len(what), what, fork)
		_, err = fmt.Fprintf(w, "%s\nget-mark :%d\n", files, commitMark)
		return err
	})
}

// checkFits returns an error that says why a change cannot be applied to a commit with the files
// known.
func (c *Copy) checkFits(known map[string]baseEntry, change Change) error {
	entry, is := known[change.Path]
	switch b, a := change.Before, change.After; {
	case c.isInNested(change.Path):
		return cannotMergeError("%s lies in a repository of its own", change.Path)
	case a != nil && a.Mode&fs.ModeSymlink != 0 || b != nil && b.Mode&fs.ModeSymlink != 0:
		return cannotMergeError("%s is a link", change.Path)
	case a != nil && b != nil && a.Mode != b.Mode:
		return cannotMergeError("the mode of %s is another one", change.Path)
	case is != (b != nil), is && (entry.mode != b.gitMode() || entry.id != blobID(b.Data, len(entry.id))):
		return cannotMergeError("%s was not committed as it was when the copy was made", change.Path)
	}
	return nil
}

// isInNested reports whether a file of the workspace is in another repository within it.
func (c *Copy) isInNested(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(c.Workspace, filepath.FromSlash(dir), ".git")); err == nil {
			return true
		}
	}
	return false
}

// mergeTrees merges the commits head and own, and returns the id of the resulting tree.
func (c *Copy) mergeTrees(ctx context.Context, head, own string, m *Merge) (string, error) {
	out, err := c.runGitInBase(ctx, nil, "merge-tree", "--write-tree", "--name-only", "--no-messages", head, own)
	tree, names, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch {
	case err != nil && names != "":
		return "", cannotMergeError("%s conflicts with %s in %s", m.Branch, m.Into, strings.ReplaceAll(names, "\n",
			", "))
	case err != nil:
		return "", cannotMergeError("git cannot merge %s: %v", m.Branch, err)
	}
	return tree, nil
}

// treeChanges returns the files that differ between two trees of the base repository.
func (c *Copy) treeChanges(ctx context.Context, from, to string) (list []Change, err error) {
	before, err := c.treeEntries(ctx, from)
	if err != nil {
		return nil, err
	}
	after, err := c.treeEntries(ctx, to)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, files := range []map[string]baseEntry{before, after} {
		for name := range files {
			if before[name] != after[name] && !seen[name] {
				seen[name] = true
				list = append(list, Change{Path: name})
			}
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if err := c.readBefore(ctx, after, list); err != nil {
		return nil, err
	}
	for i := range list {
		list[i].After, list[i].Before = list[i].Before, nil
	}
	return list, c.readBefore(ctx, before, list)
}

// checkCommitted returns an error unless each file to change is the same in the user's commit, the
// index and the work tree.
func (c *Copy) checkCommitted(ctx context.Context, o userRepository, changes []Change) error {
	out, err := c.store.runGit(ctx, o.workTree, nil, nil, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	staged := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		if head, name, ok := strings.Cut(line, "\t"); ok {
			staged[name] += head
		}
	}
	root, err := os.OpenRoot(o.workTree)
	if err != nil {
		return err
	}
	defer root.Close()
	dirs := map[string]bool{".": true}
	for _, change := range changes {
		now, err := readAt(root, change.Path, dirs)
		if err != nil {
			return err
		}
		want := ""
		if b := change.Before; b != nil {
			want = b.gitMode() + " " + blobID(b.Data, len(o.headCommit)) + " 0"
		}
		if staged[change.Path] != want || !sameState(now, change.Before) {
			return cannotMergeError("%s has changes that are not committed", change.Path)
		}
	}
	return nil
}

func sameState(a, b *State) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Mode == b.Mode && bytes.Equal(a.Data, b.Data)
}

// userIdentity returns the environment variables that make the user the author of a commit.
func (c *Copy) userIdentity(ctx context.Context, top string) []string {
	value := func(name, otherwise string) string {
		files := [][]string{nil}
		for _, v := range c.store.Environ {
			if home, is := strings.CutPrefix(v, "HOME="); is {
				files = append(files, []string{"--file", filepath.Join(home, ".gitconfig")},
					[]string{"--file", filepath.Join(home, ".config", "git", "config")})
			}
		}
		for _, file := range files {
			args := slices.Concat([]string{"config"}, file, []string{"--get", name})
			out, err := c.store.runGit(ctx, top, nil, nil, args...)
			if text := strings.TrimSpace(string(out)); err == nil && text != "" {
				return text
			}
		}
		return otherwise
	}
	name, email := value("user.name", "Scrollkeep"), value("user.email", "scrollkeep@localhost")
	return []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + email, "GIT_COMMITTER_NAME=" + name,
		"GIT_COMMITTER_EMAIL=" + email}
}

// Commit makes the merge in the user's repository, whose work tree must have the files of m.Changes
// already. It adds the commits, updates the index for these files, and moves the branch. No hook
// runs. It returns the id of the commit. If the branch has moved meanwhile, it leaves the branch,
// and the changes are staged.
func (m *Merge) Commit(ctx context.Context) (id string, err error) {
	c := m.sourceCopy
	o, into, err := c.checkedOutBranch(ctx)
	switch {
	case err != nil:
		return "", err
	case into != m.Into || o.headCommit != m.userCommit:
		return "", fmt.Errorf("%s has moved since", m.Into)
	}
	wanted := strings.NewReader(m.mergeCommit + "\n^" + m.userCommit + "\n")
	pack, err := c.runGitInBase(ctx, wanted, "pack-objects", "--revs", "--stdout", "-q")
	if err != nil {
		return "", err
	}
	in := func(in io.Reader, args ...string) error {
		_, err := c.store.runGit(ctx, o.workTree, in, c.userIdentity(ctx, o.workTree), args...)
		return err
	}
	var index strings.Builder
	for _, change := range m.Changes {
		mode, id := "0", strings.Repeat("0", len(m.userCommit))
		if a := change.After; a != nil {
			mode, id = a.gitMode(), blobID(a.Data, len(m.userCommit))
		}
		fmt.Fprintf(&index, "%s %s\t%s\x00", mode, id, change.Path)
	}
	if err := in(bytes.NewReader(pack), "unpack-objects", "-q"); err != nil {
		return "", err
	}
	if err := in(strings.NewReader(index.String()), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	if err := in(nil, "update-ref", "-m", "merge "+m.Branch, "refs/heads/"+m.Into, m.mergeCommit,
		m.userCommit); err != nil {
		return "", errors.Join(fmt.Errorf("%s has moved since; the changes are staged", m.Into), err)
	}
	return m.mergeCommit, nil
}
