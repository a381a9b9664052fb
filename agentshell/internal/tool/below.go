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

// gitMarks are the names by which git knows a repository: one with a work tree, and a bare one.
var gitMarks = []string{".git", "HEAD"}

// atDirectory returns the part that git -C DIR COMMAND is: COMMAND in DIR. Any other part stays as
// it is.
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

// isPlainBelow reports whether a text names a place below the directory that it starts from, and
// cannot be taken for anything else.
func isPlainBelow(dir string) bool {
	return dir != "" && strings.Trim(dir, plainName) == "" && !strings.ContainsAny(dir[:1], "-/~") &&
		!slices.Contains(strings.Split(dir, "/"), "..")
}

// belongs reports whether a directory is a real one of the workspace, reached by no link, and no
// directory from there to below the top has one of the marks. Then what looks for them upwards
// finds those at the top.
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

// whyNotBelow says why the parts of a line that rules allow may do more where a cd leads than at
// the top of the workspace, or "". open are the parts that no rule covers.
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
