package tool

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Some programs search the directories above them for their project: go for go.mod, git for .git. A
// program below the top that finds the project of the top does the same as at the top. So
// cd src && go test ./... needs only the rule that covers go test ./src/... .

// gitMarks lists the names by which git recognizes the top of a repository with a work tree (.git)
// and a bare one (HEAD).
var gitMarks = []string{".git", "HEAD"}

// atDirectory returns "git -C DIR COMMAND" as the equivalent "git COMMAND" in the directory DIR.
// Other commands are returned unchanged.
func atDirectory(part approval.Part) approval.Part {
	words := part.Words
	if len(words) < 4 || !words[0].Literal || filepath.Base(words[0].Text) != "git" || !words[1].Literal ||
		words[1].Text != "-C" || !words[2].Literal || !isPlainBelow(words[2].Text) {
		return part
	}
	part.Words = append(approval.SimpleCommand{words[0]}, words[3:]...)
	part.Dirs = slices.Clone(part.Dirs)
	for i, dir := range part.Dirs {
		part.Dirs[i] = path.Join(dir, words[2].Text)
	}
	return part
}

// isPlainBelow reports whether dir is a relative path without "..", and has no characters that a
// shell or a program could take for something else.
func isPlainBelow(dir string) bool {
	return dir != "" && strings.Trim(dir, plainName) == "" && !strings.ContainsAny(dir[:1], "-/~") &&
		!slices.Contains(strings.Split(dir, "/"), "..")
}

// belongs reports whether programs that search upwards from dir for one of the marks find the one
// at the top of the workspace. This holds if dir is in the workspace without symbolic links, and no
// directory from dir up to the top, the top excluded, has one of the marks.
func (e Env) belongs(dir string, marks []string) bool {
	dir = path.Clean(dir)
	if dir == "." {
		return true
	}
	if !isPlainBelow(dir) {
		return false
	}
	for at := dir; at != "."; at = path.Dir(at) {
		full := filepath.Join(e.Workspace.Dir(), filepath.FromSlash(at))
		if info, err := os.Lstat(full); err != nil || !info.IsDir() {
			return false
		}
		for _, mark := range marks {
			if _, err := os.Lstat(filepath.Join(full, mark)); !errors.Is(err, fs.ErrNotExist) {
				return false
			}
		}
	}
	return true
}

// whyNotBelow returns the reason why commands that rules allow may do more in the directory into
// which a cd leads than at the top of the workspace, or "". open holds the indexes of the commands
// that no rule covers.
func (e Env) whyNotBelow(line approval.ParsedCommand, open []int) string {
	const why = "a rule is about the top of the workspace, and the line leads elsewhere"
	if len(line.Writes) > 0 {
		return why // they may be such a mark
	}
	for i, part := range line.Parts {
		if slices.Contains(open, i) {
			continue
		}
		marks := program.LooksUpwards(part.Words)
		if len(marks) == 0 {
			return why
		}
		for _, dir := range part.Dirs {
			if !e.belongs(dir, marks) {
				return why
			}
		}
	}
	return ""
}
