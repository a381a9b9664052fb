package running

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// shownFiles is the number of changed files that a list names for each session.
const shownFiles = 8

// Text returns the change in a few words for the user and the model: "session ID (terminal) at
// 12:03".
func (c ChangedBy) Text() string {
	return fmt.Sprintf("session %s (%s) at %s", c.ID, c.Front, clock(c.At))
}

func clock(at time.Time) string { return at.Local().Format("15:04") }

// Lines returns a list of sessions for the user. own is the id of the session that shows the list,
// or "". Paths inside workspace are shown relative to it.
func Lines(runs, killed []Record, own, workspace string) (lines []string) {
	for _, r := range runs {
		line := fmt.Sprintf("%s  %s, since %s, %s", r.ID, r.Front, clock(r.Started), r.doing())
		if r.ID == own {
			line += "  (this one)"
		}
		lines = append(lines, line)
		if changed := r.changed(workspace); changed != "" {
			lines = append(lines, "   changed: "+changed)
		}
	}
	for _, r := range killed {
		lines = append(lines, fmt.Sprintf("%s  %s, ended without closing; agentshell --resume %[1]s resumes it", r.ID,
			r.Front))
	}
	if len(lines) == 0 {
		return []string{"No session of this workspace runs now."}
	}
	return lines
}

// doing returns the state of the session in a few words.
func (r Record) doing() string {
	switch {
	case r.State == Waits && r.Asks != "":
		return "waits for an answer: " + r.Asks
	case r.State == Waits:
		return "waits for an answer"
	case r.State == Works:
		return "works"
	}
	return "idle"
}

// changed returns the files that the session has changed, the latest first, separated by commas.
func (r Record) changed(workspace string) string {
	var files []string
	for i := len(r.Changes) - 1; i >= 0 && len(files) < shownFiles; i-- {
		c := r.Changes[i]
		path := c.Path
		if rel, err := filepath.Rel(workspace, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		files = append(files, path+" "+clock(c.At))
	}
	if more := len(r.Changes) - len(files); more > 0 {
		files = append(files, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(files, ", ")
}
