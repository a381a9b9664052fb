package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// ErrNoAgent is the error for an id of which the session keeps no agent, or no such artifact.
var ErrNoAgent = errors.New("the session keeps nothing of such an agent")

// Agent is an agent of a session, as one entry of its log tells of it. Its texts are untrusted.
type Agent struct {
	ID          string `json:"id"`
	Parent      string `json:"parent,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Description string `json:"description,omitempty"`
	Context     string `json:"context,omitempty"`  // what it is told besides its work; in its first entry
	Isolated    bool   `json:"isolated,omitempty"` // it works in a copy of the workspace
	State       string `json:"state"`              // running, idle, parked or aborted
	Error       string `json:"error,omitempty"`    // why it has no result
	Warning     string `json:"warning,omitempty"`
	Steps       int    `json:"steps,omitempty"`  // requests to the model
	Tokens      int    `json:"tokens,omitempty"` // sent and answered
}

// redact returns the agent without secrets.
func (a Agent) redact(s secret.Set) *Agent {
	a.Description, a.Context = s.Redact(a.Description), s.Redact(a.Context)
	a.Error, a.Warning = s.Redact(a.Error), s.Redact(a.Warning)
	return &a
}

// AgentRecord is what a session keeps of an agent.
type AgentRecord struct {
	Agent
	Began    time.Time
	Messages int                 // in its conversation
	Last     string              // the beginning of what it wrote last; untrusted
	Open     []provider.ToolCall // calls of its last message that have no result: what it was about to do, or asked for
}

// Interrupted reports whether the agent neither ended nor was ended: the shell did.
func (r AgentRecord) Interrupted() bool { return r.State == agentRunning }

// agentRunning is the state of an agent that works.
const agentRunning = "running"

// The names of what an agent leaves beside its log.
const (
	ResultFile = ".md"    // its result
	PatchFile  = ".patch" // what it changed in a copy of the workspace
)

// agentsDir returns the directory of the agents of the session in the file path.
func agentsDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".agents" }

// ValidAgentID reports whether id can be the id of an agent, and so name a file.
func ValidAgentID(id string) bool {
	return id != "" && len(id) <= 200 && id[0] != '.' && strings.Trim(id,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

// agentFile returns the path of a file of an agent.
func (l *Log) agentFile(id, suffix string) (string, error) {
	if !ValidAgentID(id) {
		return "", fmt.Errorf("%w: %q", ErrNoAgent, id)
	}
	return filepath.Join(agentsDir(l.Path()), id+suffix), nil
}

// CreateAgent starts the log of an agent of the session. It lies beside the session's own.
func (l *Log) CreateAgent(a Agent) (*Log, error) {
	path, err := l.agentFile(a.ID, ".jsonl")
	if err != nil {
		return nil, err
	}
	if err := l.makeAgentsDir(); err != nil {
		return nil, err
	}
	log, err := createAt(l.cfg, l.id, path)
	if err != nil {
		return nil, err
	}
	a.State = cmp.Or(a.State, agentRunning)
	return log, log.AppendAgent(a)
}

func (l *Log) makeAgentsDir() error {
	dir := agentsDir(l.Path())
	return makePrivate(filepath.Dir(dir), dir)
}

// ResumeAgent opens the log of an agent of the session, and returns its conversation as [Resume]
// does. While the agent has its log open that is [ErrLocked].
func (l *Log) ResumeAgent(id string) (*Log, []provider.Message, error) {
	path, err := l.agentFile(id, ".jsonl")
	if err != nil {
		return nil, nil, err
	}
	if text, err := regular.ReadFile(path); err == nil && parse(text).agent().ID != id { // a kill as it was made
		return nil, nil, errors.Join(fmt.Errorf("%w: %s", ErrNoAgent, id), os.Remove(path))
	}
	log := &Log{cfg: l.cfg, id: l.id, sink: l.cfg.newSink(path)}
	messages, err := log.reopen()
	if err != nil {
		return nil, nil, agentError(id, err)
	}
	return log, messages, nil
}

// AppendAgent appends how the agent is from now on, to the agent's own log.
func (l *Log) AppendAgent(a Agent) error { return l.appendEntry(entry{Kind: kindAgent, Agent: &a}) }

// AgentMessages returns the conversation of an agent of the session, also while its log is open.
func (l *Log) AgentMessages(id string) ([]provider.Message, error) {
	path, err := l.agentFile(id, ".jsonl")
	if err != nil {
		return nil, err
	}
	return agentMessages(path, id)
}

// ReadAgent returns the conversation of an agent of a session. Another process may have it open.
func ReadAgent(cfg Config, session, id string) ([]provider.Message, error) {
	path, err := cfg.path(session)
	if err == nil && !ValidAgentID(id) {
		err = fmt.Errorf("%w: %q", ErrNoAgent, id)
	}
	if err != nil {
		return nil, err
	}
	return agentMessages(filepath.Join(agentsDir(path), id+".jsonl"), id)
}

func agentMessages(path, id string) ([]provider.Message, error) {
	f, err := readLog(path)
	if err != nil {
		return nil, agentError(id, err)
	}
	messages, _ := completed(f.fullMessages(len(f.entries)-1), nil)
	return messages, nil
}

// KeepArtifact writes a file of an agent, such as [ResultFile]. Secrets in it are replaced. A kill
// leaves the old file or the new one.
func (l *Log) KeepArtifact(id, suffix string, data []byte) error {
	path, err := l.agentFile(id, suffix)
	if err != nil {
		return err
	}
	if err := l.makeAgentsDir(); err != nil {
		return err
	}
	temporary := path + ".new"
	os.Remove(temporary) // a kill has left it
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.cfg.Secrets.Redact(string(data)))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}

// Artifact returns a file of an agent.
func (l *Log) Artifact(id, suffix string) ([]byte, error) {
	path, err := l.agentFile(id, suffix)
	if err != nil {
		return nil, err
	}
	data, err := regular.ReadFile(path)
	return data, agentError(id, err)
}

// agentError returns err, or [ErrNoAgent] for a file that is not there.
func agentError(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNoAgent, id)
	}
	return err
}

// Agents returns what the session keeps of its agents, in the order in which they began.
func (l *Log) Agents() ([]AgentRecord, error) { return agentsIn(agentsDir(l.Path())) }

// Agents returns what a session keeps of its agents. Another process may have the session open.
func Agents(cfg Config, id string) ([]AgentRecord, error) {
	path, err := cfg.path(id)
	if err != nil {
		return nil, err
	}
	return agentsIn(agentsDir(path))
}

// agentsIn returns the agents whose logs lie in dir. A log without an entry about its agent is left
// out: a kill came before the agent did anything.
func agentsIn(dir string) (list []AgentRecord, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		id, isLog := strings.CutSuffix(e.Name(), ".jsonl")
		if !isLog || !ValidAgentID(id) {
			continue
		}
		f, err := readLog(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		if r := f.agent(); r.ID == id {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b AgentRecord) int { return a.Began.Compare(b.Began) })
	return list, err
}

// readLog parses a log. A log without an entry is an error.
func readLog(path string) (file, error) {
	text, err := regular.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	f := parse(text)
	if len(f.entries) == 0 {
		return f, fmt.Errorf("%s holds no session", path)
	}
	return f, nil
}

// agent returns what the file tells of its agent.
func (f file) agent() (r AgentRecord) {
	for _, e := range f.entries {
		if e.Kind != kindAgent || e.Agent == nil {
			continue
		}
		first := r.Agent
		if r.ID == "" {
			r.Began, first = e.Time, *e.Agent
		}
		r.Agent = *e.Agent
		r.Context, r.Isolated = first.Context, first.Isolated
	}
	messages := f.fullMessages(len(f.entries) - 1)
	r.Messages = len(messages)
	for _, m := range slices.Backward(messages) {
		if r.Last == "" && m.Role == provider.Assistant {
			r.Last = head(messageText(m), nodeText)
		}
	}
	r.Open = openCalls(messages)
	return r
}

// messageText returns the texts of a message.
func messageText(m provider.Message) string {
	var texts []string
	for _, p := range m.Parts {
		if t, is := p.(provider.Text); is && t.Text != "" {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// openCalls returns the calls of the last message of a model that have no result, or have one that
// says no more than that the shell ended.
func openCalls(messages []provider.Message) (open []provider.ToolCall) {
	last := -1
	for i, m := range messages {
		if m.Role == provider.Assistant {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	var results []provider.ToolResult
	for _, m := range messages[last+1:] {
		results = append(results, resultsOf(m)...)
	}
	for _, p := range messages[last].Parts {
		call, is := p.(provider.ToolCall)
		ended := slices.ContainsFunc(results, func(r provider.ToolResult) bool {
			return r.ID == call.ID && !isLostResult(r)
		})
		if is && !ended {
			open = append(open, call)
		}
	}
	return open
}

// copyAgents copies the files of the agents in the directory from, which another session has.
func (l *Log) copyAgents(from string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err = errors.Join(err, l.makeAgentsDir()); err != nil {
		return err
	}
	for _, e := range entries {
		data, err := regular.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			continue // no file of an agent
		}
		if err := os.WriteFile(filepath.Join(agentsDir(l.Path()), e.Name()), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// removeOrphans removes the agents of sessions whose own log is gone. Those of a session that is
// open stay: its log is locked.
func (l *Log) removeOrphans() {
	dirs, _ := filepath.Glob(filepath.Join(filepath.Dir(l.Path()), "*.agents"))
	for _, dir := range dirs {
		log := strings.TrimSuffix(dir, ".agents") + ".jsonl"
		if _, err := os.Lstat(log); errors.Is(err, fs.ErrNotExist) && !anyLocked(dir) {
			os.RemoveAll(dir)
		}
	}
}

// anyLocked reports whether a process has a log in dir open.
func anyLocked(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	return slices.ContainsFunc(names, func(name string) bool {
		f, err := openLocked(name, os.O_RDWR)
		if err == nil {
			f.Close()
		}
		return errors.Is(err, ErrLocked)
	})
}
