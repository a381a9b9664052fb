package tool

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// notesForModel returns the beginnings of the lines that stand below the output of a command or a
// cell for the model.
func notesForModel() []string {
	return []string{"[no output, " + exitDone + "]", stoppedByUser, "[stopped: ", "[a command has no terminal,",
		"[this may be because the command ran confined:", "[ended with the command: ", "[still running, until ",
		"[of ", "[the workspace is too large to watch ", "[a command that only reads gets "}
}

// changedFilesNote is the beginning of the line that names the files that a command has changed.
const changedFilesNote = "[workspace files changed: "

var changedOthers = lazyregexp.New(`(^|, and |, )\d+ files? (that git ignores|of the repository itself)(, and .*)?$`)

// StoredOutput returns the output in the stored result of a command or a cell, and the files that
// it names as changed. It leaves out the lines below the output that are for the model. summary is
// what the person saw behind the title.
func StoredOutput(text, summary string) (output string, changed []string) {
	if summary == "" { // it is of an earlier version, which does not tell the end of the output
		return text, nil
	}
	notes := notesForModel()
	for text != "" {
		above, line := "", strings.TrimSuffix(text, "\n")
		if i := strings.LastIndexByte(line, '\n'); i >= 0 {
			above, line = line[:i+1], line[i+1:]
		}
		inner, isNote := strings.CutSuffix(line, "]")
		switch {
		case isNote && strings.HasPrefix(inner, changedFilesNote):
			changed = changedNames(strings.TrimPrefix(inner, changedFilesNote))
		case line == "["+summary+"]":
		case !isNote || !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(line, n) }):
			return text, changed
		}
		text = above
	}
	return "", changed
}

// changedNames returns the paths in a line that names changed files.
func changedNames(line string) (names []string) {
	line = changedOthers().ReplaceAllString(line, "")
	for name := range strings.SplitSeq(line, ", ") {
		for _, mark := range []string{" (new)", " (removed)"} {
			name = strings.TrimSuffix(name, mark)
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
