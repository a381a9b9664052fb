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

// ErrNoAgent is returned if the session has stored no sub-agent with that id, or no such file of
// it.
var ErrNoAgent = errors.New("the session keeps nothing of such an agent")

// Agent is the state of a sub-agent at one moment, as an entry of its log stores it. Its texts are
// untrusted.
type Agent struct {
	ID          string `json:"id"`
	Parent      string `json:"parent,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Description string `json:"description,omitempty"`
	// the context that its parent gave to it; only the first entry has it
	Context  string `json:"context,omitempty"`
	Isolated bool   `json:"isolated,omitempty"` // it works in a copy of the workspace
	State    string `json:"state"`              // running, idle, parked or aborted
	Error    string `json:"error,omitempty"`    // why the agent has no result; "": it has one, or still works
	Warning  string `json:"warning,omitempty"`
	Steps    int    `json:"steps,omitempty"`  // the number of requests to the model
	Tokens   int    `json:"tokens,omitempty"` // the input and output tokens of its requests
}

// redact returns a copy in which secrets are replaced.
func (a Agent) redact(s secret.Set) *Agent {
	a.Description, a.Context = s.Redact(a.Description), s.Redact(a.Context)
	a.Error, a.Warning = s.Redact(a.Error), s.Redact(a.Warning)
	return &a
}

// AgentRecord holds what a session has stored about a sub-agent: its last state, and facts about
// its conversation.
type AgentRecord struct {
	Agent
	Began    time.Time
	Messages int                 // the number of messages in its conversation
	Last     string              // the beginning of its last message; untrusted
	Open     []provider.ToolCall // the calls of its last message that have no result
}

// Interrupted reports whether the shell ended while the agent was working.
func (r AgentRecord) Interrupted() bool { return r.State == agentRunning }

// agentRunning is the state of an agent that is working.
const agentRunning = "running"

// The suffixes of files that are stored beside an agent's log.
const (
	ResultFile = ".md"    // the file with the agent's result
	PatchFile  = ".patch" // the file with the agent's changes in a copy of the workspace
)

// agentsDir returns the directory for the agents of the session whose log is at path.
func agentsDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".agents" }

// ValidAgentID reports whether id has the form of an agent's id, and so can safely be part of a
// file name.
func ValidAgentID(id string) bool {
	return id != "" && len(id) <= 200 && id[0] != '.' && strings.Trim(id,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

// agentFile returns the path of a file of the agent with that id.
func (l *Log) agentFile(id, suffix string) (string, error) {
	if !ValidAgentID(id) {
		return "", fmt.Errorf("%w: %q", ErrNoAgent, id)
	}
	return filepath.Join(agentsDir(l.Path()), id+suffix), nil
}

// CreateAgent creates the log of a sub-agent, in a directory beside the session's own log.
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

// ResumeAgent opens the log of a sub-agent and returns its conversation, as [Resume] does. It
// returns [ErrLocked] while the log is open.
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

// AppendAgent appends the new state of a sub-agent to the agent's own log, l.
func (l *Log) AppendAgent(a Agent) error { return l.appendEntry(entry{Kind: kindAgent, Agent: &a}) }

// AgentMessages returns the conversation of a sub-agent of the session, even while its log is open.
func (l *Log) AgentMessages(id string) ([]provider.Message, error) {
	path, err := l.agentFile(id, ".jsonl")
	if err != nil {
		return nil, err
	}
	return agentMessages(path, id)
}

// ReadAgent returns the conversation of a sub-agent of a session, even if another process has the
// session open.
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

// KeepArtifact writes a file of a sub-agent, such as its [ResultFile]. Secrets in it are replaced.
// After a crash, either the old or the new file is there.
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

// Artifact returns the content of a sub-agent's file.
func (l *Log) Artifact(id, suffix string) ([]byte, error) {
	path, err := l.agentFile(id, suffix)
	if err != nil {
		return nil, err
	}
	data, err := regular.ReadFile(path)
	return data, agentError(id, err)
}

// agentError returns err, or [ErrNoAgent] if err says that a file does not exist.
func agentError(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNoAgent, id)
	}
	return err
}

// Agents returns the stored sub-agents of the session, in the order in which they were started.
func (l *Log) Agents() ([]AgentRecord, error) { return agentsIn(agentsDir(l.Path())) }

// Agents returns the stored sub-agents of a session, even if another process has the session open.
func Agents(cfg Config, id string) ([]AgentRecord, error) {
	path, err := cfg.path(id)
	if err != nil {
		return nil, err
	}
	return agentsIn(agentsDir(path))
}

// agentsIn returns the sub-agents whose logs are in dir. It ignores a log without an entry about
// its agent: the shell was killed before the agent did anything.
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

// readLog parses a log. It returns an error if the log has no entry.
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

// agent returns the record of the sub-agent whose log this is.
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

// messageText returns the texts of a message, joined by newlines.
func messageText(m provider.Message) string {
	var texts []string
	for _, p := range m.Parts {
		if t, is := p.(provider.Text); is && t.Text != "" {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// openCalls returns the calls in the model's last message that have no real result: none, or one
// that only says that the shell ended.
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

// copyAgents copies the files of another session's sub-agents from the directory from.
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

// removeOrphans deletes the files of sub-agents whose session has no log any more. It keeps those
// of an open session, whose agents' logs are locked.
func (l *Log) removeOrphans() {
	dirs, _ := filepath.Glob(filepath.Join(filepath.Dir(l.Path()), "*.agents"))
	for _, dir := range dirs {
		log := strings.TrimSuffix(dir, ".agents") + ".jsonl"
		if _, err := os.Lstat(log); errors.Is(err, fs.ErrNotExist) && !anyLocked(dir) {
			os.RemoveAll(dir)
		}
	}
}

// anyLocked reports whether some process has a log in dir open.
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
