package tool

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Commands holds how shell commands run. In the zero value they have no environment variables.
type Commands struct {
	// Family starts and ends the processes of commands; nil: each call makes a new one.
	Family *child.Family
	// Environ holds the environment variables of commands, usually os.Environ(). Variables that
	// commands must not see are removed (PANE-13).
	Environ []string
	// Jobs runs commands in the background; nil: none can run there. Patience is how long a command
	// may run before it is moved to the background; 0: for ever.
	Jobs     *job.Manager
	Patience time.Duration
	// Borrowed lists the directories from which the workspace's git repository may borrow objects.
	// A copy of the workspace borrows those of the user's repository. nil: none.
	Borrowed []string
	// Watch limits the search for files that a command has changed; a limit of 0 means the default.
	Watch workspace.Watch
	// LookTime is the time limit of each search for changed files; 0: the default.
	LookTime time.Duration
}

// maxStamps, maxLooked and stampTime are the default limits of the search for files that a command
// has changed.
const (
	// maxStamps is the number of files and directories that are compared; they take some 50 MB of
	// memory.
	maxStamps = 2_000_000
	// maxLooked is the number of files whose own metadata are read: see [workspace.Watch].
	maxLooked = 30_000
	// stampTime is the time limit of each of the two searches, before and after the command.
	stampTime = 2 * time.Second
)

// family returns c.Family, or a new one if it is nil.
func (c Commands) family() *child.Family {
	if c.Family != nil {
		return c.Family
	}
	return new(child.Family)
}

// variable returns the value of an environment variable of commands, or "" if it is not set.
func (c Commands) variable(name string) string {
	for _, v := range slices.Backward(c.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// watch returns the limits of a search for changed files, with defaults filled in.
func (c Commands) watch() workspace.Watch {
	return workspace.Watch{Entries: cmp.Or(c.Watch.Entries, maxStamps), Files: cmp.Or(c.Watch.Files, maxLooked)}
}

// lookTime returns the time limit of a search for changed files.
func (c Commands) lookTime() time.Duration { return cmp.Or(c.LookTime, stampTime) }
