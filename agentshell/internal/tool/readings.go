package tool

import (
	"fmt"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// maxReadings is the most files of a session of which it is known who has read them.
const maxReadings = 20_000

// Readings knows which agents of a session have read which files, and whose reading is out of date
// because another agent has changed the file. The zero value is empty, and nil knows nothing. It is
// safe for use by several goroutines.
type Readings struct {
	mu      sync.Mutex
	readers map[string][]string   // ids of agents, by the absolute path of what they have read
	stale   map[string][]Outdated // by the id of the agent, until it is told
}

// Outdated is a file that an agent has read and another one has changed since.
type Outdated struct {
	Path string // as the model writes it
	By   string // the id of the agent that has changed it last
	file string // its absolute path
}

// read says that an agent reads a file now.
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

// add adds a reader of a file. The lock is held.
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

// changed says that an agent has changed a file: what the others have read of it is out of date. It
// knows the new content itself.
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

// Outdated returns what an agent has read and others have changed since, each change once.
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

// Forget forgets what an agent has read; "" means every agent.
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

// Line says it to the agent that has read the file.
func (o Outdated) Line() string {
	return fmt.Sprintf("%s was changed by %s since you read it.", diff.Escape(o.Path), o.By)
}

// Notice says it to the person.
func (o Outdated) Notice() string {
	return fmt.Sprintf("%s was changed by %s since the model read it.", diff.Escape(o.Path), o.By)
}

// noteRead says that the model reads a file now.
func (e Env) noteRead(p workspace.Path) { e.Team.noteRead(e.Workspace.Abs(p)) }

// noteChange tells other sessions, and agents of this one, of a change of a file.
func (e Env) noteChange(p workspace.Path) {
	if e.Sessions != nil {
		e.Sessions.Changed(e.Workspace.Abs(p))
	}
	e.Team.noteChange(e.Workspace.Abs(p), p.Match())
}

// noteOutdated says that a command has changed files, but those that other tools have told the
// history of meanwhile: their changes are known.
func (t *bash) noteOutdated(told int, cs commandChanges) {
	since := changesSince(t.env.History, told)
	for _, c := range cs.Files {
		if !knows(since, undo.Change{Root: c.Path.Root(), Rel: c.Path.Rel()}) {
			t.env.Team.noteChange(t.env.Workspace.Abs(c.Path), c.Path.Match())
		}
	}
}
