package tool

import (
	"fmt"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// maxReadings is the number of files whose readers are recorded in one session. Reads of further
// files are not recorded.
const maxReadings = 20_000

// Readings records which agents of a session have read which files, and whose knowledge is outdated
// because another agent has changed the file. The zero value is empty, and the methods of a nil
// *Readings record nothing. It is safe for use by several goroutines.
type Readings struct {
	mu sync.Mutex
	// readers maps the absolute path of a file to the ids of the agents that have read it.
	readers map[string][]string
	// stale maps the id of an agent to the outdated files of which it has not been told.
	stale map[string][]Outdated
}

// Outdated describes a file that an agent has read and that another agent has changed since.
type Outdated struct {
	Path string // Path is the path in the form in which a model writes it.
	By   string // By is the id of the agent that has changed the file last.
	file string // file is the absolute path.
}

// read records that an agent has just read a file, so that its knowledge of it is up to date.
func (r *Readings) read(agent, file string) {
	if r == nil || agent == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if list, is := r.stale[agent]; is {
		r.stale[agent] = slices.DeleteFunc(list, func(o Outdated) bool { return o.file == file })
	}
	r.add(agent, file)
}

// add records an agent as a reader of a file. The caller holds r.mu.
func (r *Readings) add(agent, file string) {
	if r.readers == nil {
		r.readers = map[string][]string{}
	}
	list, known := r.readers[file]
	if slices.Contains(list, agent) || !known && len(r.readers) == maxReadings {
		return
	}
	r.readers[file] = append(list, agent)
}

// changed records that an agent has changed a file: what other agents have read of it is outdated.
// The agent itself knows the new content. path is the form in which a model writes the file's path.
func (r *Readings) changed(agent, file, path string) {
	if r == nil || agent == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stale == nil {
		r.stale = map[string][]Outdated{}
	}
	for _, reader := range r.readers[file] {
		if reader == agent {
			continue
		}
		list := slices.DeleteFunc(r.stale[reader], func(o Outdated) bool { return o.file == file })
		r.stale[reader] = append(list, Outdated{Path: path, By: agent, file: file})
	}
	r.add(agent, file)
}

// Outdated returns the files that the agent has read and that another agent has changed since. Each
// change is returned only once.
func (r *Readings) Outdated(agent string) []Outdated {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.stale[agent]
	delete(r.stale, agent)
	return list
}

// Forget forgets which files the agent has read; "" means all agents.
func (r *Readings) Forget(agent string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if agent == "" {
		r.readers, r.stale = nil, nil
		return
	}
	delete(r.stale, agent)
	for file, list := range r.readers {
		r.readers[file] = slices.DeleteFunc(list, func(reader string) bool { return reader == agent })
	}
}

// Line returns the sentence that tells the agent of the change.
func (o Outdated) Line() string {
	return fmt.Sprintf("%s was changed by %s since you read it.", diff.Escape(o.Path), o.By)
}

// Notice returns the sentence that tells the user of the change.
func (o Outdated) Notice() string {
	return fmt.Sprintf("%s was changed by %s since the model read it.", diff.Escape(o.Path), o.By)
}

// noteRead records that the agent has just read a file.
func (e Env) noteRead(p workspace.Path) { e.Team.noteRead(e.Workspace.Abs(p)) }

// noteChange tells the other sessions, and the other agents of this session, that a file was
// changed.
func (e Env) noteChange(p workspace.Path) {
	if e.Sessions != nil {
		e.Sessions.Changed(e.Workspace.Abs(p))
	}
	e.Team.noteChange(e.Workspace.Abs(p), p.Match())
}

// noteOutdated tells the other agents which files a shell command has changed. It leaves out
// changes that other tools have recorded in the history since entry number told, because those were
// announced already.
func (t *bash) noteOutdated(told int, cs commandChanges) {
	since := changesSince(t.env.History, told)
	for _, c := range cs.Files {
		if !knows(since, undo.Change{Root: c.Path.Root(), Rel: c.Path.Rel()}) {
			t.env.Team.noteChange(t.env.Workspace.Abs(c.Path), c.Path.Match())
		}
	}
}
