package tool

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// Team connects one agent with the other agents of its session. The zero value belongs to an agent
// that works alone.
type Team struct {
	ID string // ID is the agent's own id.
	// Crew starts subagents for the tool task; nil: the agent does not get that tool. InBackground
	// lets subagents run as background jobs, if the session has a job manager.
	Crew         Crew
	InBackground bool
	// Peers sends messages to the other agents, for the tool irc; nil: the agent does not get that
	// tool. MessageTime is the longest wait for a message; 0: there is no limit.
	Peers       Peers
	MessageTime time.Duration
	// Readings records which agent has read which files, and tells agents when another one has
	// changed such a file; nil: nothing is recorded.
	Readings *Readings
	// Local holds the texts at local:// addresses that all agents of the session share; nil: there
	// are none.
	Local *LocalTexts
}

// tools returns the tools task and irc, as far as the team has what they need.
func (t Team) tools(jobs *job.Manager, now func() time.Time) (list []Tool) {
	if t.Crew != nil {
		starter := &task{crew: t.Crew}
		if t.InBackground {
			starter.jobs = jobs
		}
		list = append(list, starter)
	}
	if t.Peers != nil {
		list = append(list, &irc{t.Peers, t.MessageTime, now})
	}
	return list
}

// noteRead records that the agent has just read the file at an absolute path.
func (t Team) noteRead(file string) { t.Readings.read(t.ID, file) }

// noteChange records that the agent has just changed a file, so that other agents that have read
// the file are told. file is the absolute path, and path the form in which a model writes it.
func (t Team) noteChange(file, path string) { t.Readings.changed(t.ID, file, path) }

// Outdated returns the files that the agent has read and that another agent has changed since. Each
// change is returned only once.
func (t Team) Outdated() []Outdated { return t.Readings.Outdated(t.ID) }

// ForgetReadings forgets which files the agent has read.
func (t Team) ForgetReadings() { t.Readings.Forget(t.ID) }
