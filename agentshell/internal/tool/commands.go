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

// Commands is how commands run. In the zero value they have no environment.
type Commands struct {
	// Family starts and ends commands; nil: each call makes one.
	Family *child.Family
	// Environ is the environment of commands, usually os.Environ(). Variables that commands must
	// not see are removed from it (PANE-13).
	Environ []string
	// Jobs runs commands in the background; nil: none can run there. Patience is how long a command
	// may take before it continues in the background; 0: for ever.
	Jobs     *job.Manager
	Patience time.Duration
	// Borrowed are the directories from which the repository of the workspace may take objects.
	// That of a copy takes those of the person. nil: none.
	Borrowed []string
	// Watch limits the search for files that a command changed; a limit of 0 has its default.
	Watch workspace.Watch
	// LookTime is the time limit of each of those searches; 0: the default.
	LookTime time.Duration
}

// Defaults of the search for files that a command changed.
const (
	maxStamps = 2_000_000       // files and directories that are watched: some 50 MB of memory
	maxLooked = 30_000          // files that are looked at themselves, see workspace.Watch
	stampTime = 2 * time.Second // for each of the two looks
)

func (c Commands) family() *child.Family {
	if c.Family != nil {
		return c.Family
	}
	return new(child.Family)
}

// variable returns the value of an environment variable, "" if there is none.
func (c Commands) variable(name string) string {
	for _, v := range slices.Backward(c.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// watch returns how many files a search looks at.
func (c Commands) watch() workspace.Watch {
	return workspace.Watch{Entries: cmp.Or(c.Watch.Entries, maxStamps), Files: cmp.Or(c.Watch.Files, maxLooked)}
}

// lookTime returns how long a search takes at the most.
func (c Commands) lookTime() time.Duration { return cmp.Or(c.LookTime, stampTime) }
