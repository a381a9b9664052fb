package tool

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// Team is one agent among the others of its session. The zero value is an agent that is alone.
type Team struct {
	ID string // of the agent
	// Crew starts agents for the tool task; nil: there is no such tool. InBackground lets them work
	// in the background, where there are jobs.
	Crew         Crew
	InBackground bool
	// Peers are the other agents, for the tool irc; nil: there is no such tool. MessageTime is how
	// long a wait for a message takes at the most; 0: as long as it takes.
	Peers       Peers
	MessageTime time.Duration
	// Readings tells agents of changes of what they have read; nil: nobody is told.
	Readings *Readings
	// Local are the texts that all agents share; nil: there are none.
	Local *LocalTexts
}

// tools returns the tools that reach other agents.
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

// noteRead says that the agent reads a file now. file is an absolute path.
func (t Team) noteRead(file string) { t.Readings.read(t.ID, file) }

// noteChange says that the agent has changed a file. path is the file as a model writes it.
func (t Team) noteChange(file, path string) { t.Readings.changed(t.ID, file, path) }

// Outdated returns what the agent has read and others have changed since, each change once.
func (t Team) Outdated() []Outdated { return t.Readings.Outdated(t.ID) }

// ForgetReadings forgets what the agent has read.
func (t Team) ForgetReadings() { t.Readings.Forget(t.ID) }
