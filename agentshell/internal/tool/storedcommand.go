package tool

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// notesForModel returns the prefixes of the lines that the tools bash and eval append to the output
// of a command or a code cell for the model. Front ends do not show these lines.
func notesForModel() []string {
	return []string{"[no output, " + exitDone + "]", stoppedByUser, "[stopped: ", "[a command has no terminal,",
		"[this may be because the command ran confined:", "[ended with the command: ", "[still running, until ",
		"[of ", "[the workspace is too large to watch ", "[a command that only reads gets "}
}

// changedFilesNote is the prefix of the line that lists the files which a command has changed.
const changedFilesNote = "[workspace files changed: "

// changedOthers matches the end of a list of changed files that only counts further files, such as
// " and 3 files that git ignores".
var changedOthers = lazyregexp.New(`(^|, and |, )\d+ files? (that git ignores|of the repository itself)(, and .*)?$`)

// StoredOutput separates the stored result of a command or a code cell into the command's own
// output and the files that it has changed. It drops the lines that were appended for the model.
// summary is the summary that the user saw after the call's title; if it is "", the result comes
// from an older version and is returned whole.
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

// changedNames returns the paths in a line that lists changed files, without notes such as "(new)".
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
