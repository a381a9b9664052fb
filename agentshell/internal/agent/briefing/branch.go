package briefing

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// maxHeadBytes is the largest number of bytes of git's HEAD file that are read.
const maxHeadBytes = 4 << 10

// Branch returns the name of the git branch that is checked out in the repository around dir, the
// first digits of the commit if no branch is, or "" if there is no repository. It reads two files
// and runs nothing. The name is untrusted.
func Branch(dir string) string {
	top := repository(dir)
	if top == "" {
		return ""
	}
	gitDir := filepath.Join(top, ".git")
	if text, ok := readShortFile(gitDir); ok { // a work tree, or a submodule: a file that says where
		target, ok := strings.CutPrefix(text, "gitdir: ")
		if !ok {
			return ""
		}
		if gitDir = target; !filepath.IsAbs(gitDir) {
			gitDir = filepath.Join(top, gitDir)
		}
	}
	head, ok := readShortFile(filepath.Join(gitDir, "HEAD"))
	if !ok {
		return ""
	}
	if name, ok := strings.CutPrefix(head, "ref: "); ok {
		return strings.TrimPrefix(name, "refs/heads/")
	}
	if len(head) < 40 || strings.Trim(head, "0123456789abcdef") != "" {
		return ""
	}
	return head[:8]
}

// readShortFile returns the only line of a small regular file. It returns false for any other file.
func readShortFile(name string) (string, bool) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := regular.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxHeadBytes+1))
	line := strings.TrimRight(string(text), "\r\n")
	return line, err == nil && len(text) <= maxHeadBytes && !strings.Contains(line, "\n")
}
