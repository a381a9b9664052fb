package briefing

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// mostHead is how much of a HEAD is read, in bytes.
const mostHead = 4 << 10

// Branch returns the branch that is checked out in the repository around dir, the beginning of the
// commit if it is none, "" if there is no repository. It reads two files and runs nothing. The name
// is untrusted.
func Branch(dir string) string {
	top := repository(dir)
	if top == "" {
		return ""
	}
	place := filepath.Join(top, ".git")
	if text, ok := short(place); ok { // a work tree, or a submodule: a file that says where
		to, is := strings.CutPrefix(text, "gitdir: ")
		if !is {
			return ""
		}
		if place = to; !filepath.IsAbs(place) {
			place = filepath.Join(top, place)
		}
	}
	head, ok := short(filepath.Join(place, "HEAD"))
	if !ok {
		return ""
	}
	if name, is := strings.CutPrefix(head, "ref: "); is {
		return strings.TrimPrefix(name, "refs/heads/")
	}
	if len(head) < 40 || strings.Trim(head, "0123456789abcdef") != "" {
		return ""
	}
	return head[:8]
}

// short returns the one line of a small regular file.
func short(name string) (string, bool) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := regular.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostHead+1))
	line := strings.TrimRight(string(text), "\r\n")
	return line, err == nil && len(text) <= mostHead && !strings.Contains(line, "\n")
}
