package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// TaskName is the name of the tool that gives work to further agents.
const TaskName = "task"

// Bounds of one call of task.
const (
	maxTasks   = 32   // agents
	maxPreview = 5000 // bytes of an agent's result; the whole is at agent://ID
)

// Crew starts agents, each of which has a conversation of its own. Its methods are safe for use by
// several goroutines.
type Crew interface {
	// Kinds returns the kinds of agents that can be started, in the order in which the model is
	// told of them.
	Kinds() []AgentKind
	// Refusal says why no agent of that kind can be started, "" if one can.
	Refusal(kind string) string
	// Join gives the agent for an assignment its id, which is unique in the session.
	Join(a Assignment) (id string)
	// Work lets the agent of that id work until it has a result. progress gets one line at a time
	// for the person, by any goroutine.
	Work(ctx context.Context, id string, a Assignment, progress func(line string)) AgentResult
	// Drop ends an agent whose work was not begun.
	Drop(id string)
	// Wait calls wait, in which the caller waits for the agents of those ids and does nothing else.
	Wait(ctx context.Context, ids []string, wait func())
}

// AgentKind is a kind of agent.
type AgentKind struct {
	Name, About string
	Blocking    bool // a call waits for its agents, also where they could work in the background
}

// Assignment is the work for one agent.
type Assignment struct {
	Kind        string          // the name of the kind of agent
	Name        string          // a wish for its id
	Description string          // for the person
	Text        string          // what it is to do
	Context     string          // what all agents of a call are told besides
	Isolated    bool            // it works in a copy of the workspace
	Model       string          // "": that of the kind
	Output      json.RawMessage // the schema of its result; nil: that of the kind
}

// Isolator is a Crew whose agents can work in copies of the workspace.
type Isolator interface{ Isolates() bool }

// AgentResult is what an agent gave.
type AgentResult struct {
	ID       string
	Text     string // its result, or its last words
	Err      error  // why there is no result
	Warning  string // for the model that gave the assignment
	Steps    int    // requests to the model
	Tokens   int    // sent and answered
	Took     time.Duration
	Changed  []string // files, as shown
	Brought  string   // what became of the changes of one that worked in a copy of the workspace
	Cut      bool     // Text is the beginning of its result
	Aborted  bool     // it was ended from outside
	Resource string   // the address of the whole text
}

// task gives work to agents. It waits for them unless there are jobs: then they work in the
// background.
type task struct {
	crew Crew
	jobs *job.Manager
}

type taskArgs struct {
	Agent   string     `json:"agent" doc:"The kind of agent."`
	Context string     `json:"context" doc:"What all of them have to know: the goal, what you have found, what must not be touched. They see nothing of your conversation."`
	Tasks   []taskItem `json:"tasks" doc:"One agent works on each, all at the same time."`
}

type taskItem struct {
	ID          string `json:"id,omitempty" doc:"A short name for the agent, such as Lexer."`
	Description string `json:"description,omitempty" doc:"A few words for the user."`
	Assignment  string `json:"assignment" doc:"The work: complete instructions that stand by themselves, and what the result has to say."`
	Isolated    bool   `json:"isolated,omitempty" doc:"Let the agent work in a copy of the workspace. Nothing is asked for what it changes there; the user is shown its changes when it ends."`
}

// Traits implements Tool. What agents do is asked for by their own calls.
func (t *task) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindOther}
}

// Spec implements Tool.
func (t *task) Spec() provider.Tool {
	about := "Give parts of the work to agents that work at the same time, each with a conversation of its own, " +
		"and " +
		"get their results. Use it for parts that do not depend on each other. The kinds of agents:"
	if t.crew != nil {
		for _, k := range t.crew.Kinds() {
			about += "\n- " + k.Name + ": " + k.About
		}
	}
	return provider.Tool{Name: TaskName, ReadOnly: true, Schema: t.schema(), Description: about}
}

// isolates reports whether agents can work in copies of the workspace.
func (t *task) isolates() bool {
	i, is := t.crew.(Isolator)
	return is && i.Isolates()
}

// schema returns the schema of the arguments. The one of copies is in it where there are some.
func (t *task) schema() json.RawMessage {
	if t.isolates() {
		return schemaOf[taskArgs]()
	}
	s := schemaMap[taskArgs]()
	tasks, _ := s["properties"].(map[string]any)["tasks"].(map[string]any)
	items, _ := tasks["items"].(map[string]any)
	delete(items["properties"].(map[string]any), "isolated")
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // as in schemaOf
	}
	return b
}

// Prepare implements Tool. A call for one agent may have its assignment beside agent.
func (t *task) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	list, err := t.assignments(input)
	if err != nil {
		return Call{}, err
	}
	var names []string
	for _, a := range list {
		if name := strings.TrimSpace(a.Name + " " + a.Description); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{list[0].Kind}
	}
	return Call{Title: titled("task "+strings.Join(names, ", "), 200),
		Run: func(ctx context.Context, progress func(string)) (Result, error) {
			wish, waits := agentWishOf(ctx)
			for i := range list {
				list[i].Model, list[i].Output = wish.model, wish.output
			}
			if t.jobs != nil && !waits && !t.kind(list[0].Kind).Blocking {
				return t.start(ctx, list)
			}
			return t.run(ctx, list, progress)
		}}, nil
}

// assignments reads the arguments.
func (t *task) assignments(input json.RawMessage) ([]Assignment, error) {
	var one struct {
		Agent string `json:"agent"`
		taskItem
	}
	args := taskArgs{}
	if err := json.Unmarshal(input, &one); err == nil && one.Assignment != "" {
		var batch struct{ Tasks json.RawMessage }
		if json.Unmarshal(input, &batch) == nil && batch.Tasks != nil {
			return nil, invalidArgs("assignment goes without tasks: put each assignment into tasks")
		}
		args = taskArgs{Agent: one.Agent, Tasks: []taskItem{one.taskItem}, Context: " "}
	} else if args, err = decode[taskArgs](input); err != nil {
		return nil, err
	}
	switch {
	case args.Agent == "":
		return nil, invalidArgs("agent is missing: name a kind; the kinds are %s", t.names())
	case t.crew.Refusal(args.Agent) != "":
		return nil, invalidArgs("%s; the kinds are %s", t.crew.Refusal(args.Agent), t.names())
	case len(args.Tasks) == 0:
		return nil, invalidArgs("tasks is empty: name one assignment at least")
	case len(args.Tasks) > maxTasks:
		return nil, invalidArgs("tasks are %d; one call takes %d at most", len(args.Tasks), maxTasks)
	case args.Context == "":
		return nil, invalidArgs("context is empty: the agents see nothing of your conversation, so say what they " +
			"have to know")
	}
	seen := map[string]bool{}
	var list []Assignment
	for i, item := range args.Tasks {
		id := strings.ToLower(item.ID)
		switch {
		case strings.TrimSpace(item.Assignment) == "":
			return nil, invalidArgs("tasks[%d] has no assignment", i)
		case id != "" && seen[id]:
			return nil, invalidArgs("two tasks have the id %q", item.ID)
		case item.Isolated && !t.isolates():
			return nil, invalidArgs("isolated is not possible: the config file says isolation = \"none\" of agents")
		}
		seen[id] = true
		list = append(list, Assignment{Kind: args.Agent, Name: item.ID, Description: item.Description,
			Text: item.Assignment, Context: strings.TrimSpace(args.Context), Isolated: item.Isolated})
	}
	return list, nil
}

// kind returns the kind of that name, the zero value if there is none.
func (t *task) kind(name string) AgentKind {
	for _, k := range t.crew.Kinds() {
		if k.Name == name {
			return k
		}
	}
	return AgentKind{}
}

func (t *task) names() string {
	var names []string
	for _, k := range t.crew.Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// run lets all agents work and waits for the last one.
func (t *task) run(ctx context.Context, list []Assignment, progress func(string)) (Result, error) {
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = t.crew.Join(a)
	}
	results := make([]AgentResult, len(list))
	var mu sync.Mutex
	line := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		progress(text + "\n")
	}
	t.crew.Wait(ctx, ids, func() {
		var all sync.WaitGroup
		for i, a := range list {
			all.Go(func() { results[i] = t.crew.Work(ctx, ids[i], a, line) })
		}
		all.Wait()
	})
	return taskResult(results), ctx.Err()
}

// start lets all agents work in the background. Each of them is a job.
func (t *task) start(ctx context.Context, list []Assignment) (Result, error) {
	var started, refused strings.Builder
	n := 0
	for _, a := range list {
		agent := t.crew.Join(a)
		id, err := t.jobs.RunAgent(ctx, agent, titled(strings.TrimSpace("agent "+agent+" "+a.Description), 200),
			func(ctx context.Context, out func(string)) (string, error) {
				r := t.crew.Work(ctx, agent, a, func(line string) { out(line + "\n") })
				return taskResult([]AgentResult{r}).Text + followUp(r), r.Err
			})
		if err != nil {
			t.crew.Drop(agent)
			fmt.Fprintf(&refused, "- %s: %v\n", agent, err)
			continue
		}
		n++
		fmt.Fprintf(&started, agentInBackground+"\n", agent, id)
	}
	if n == 0 {
		return Result{}, failed("no agent was started:\n%s", refused.String())
	}
	text := started.String() + "You are told each result when it is there: go on with other work, or end your turn. " +
		"irc writes to an agent, and job with poll waits.\n"
	summary := count(n, "agent") + " in the background"
	if refused.Len() > 0 {
		text += "These were not started:\n" + refused.String()
		summary += fmt.Sprintf(", %d not started", len(list)-n)
	}
	return Result{Text: text, Summary: summary, Detail: text, Partial: refused.Len() > 0}, nil
}

// followUp says what can be asked of an agent that has ended.
func followUp(r AgentResult) string {
	if r.Aborted || r.Brought != "" { // its copy of the workspace is gone
		return fmt.Sprintf("The transcript of %s is history://%s.\n", r.ID, r.ID)
	}
	return fmt.Sprintf("%s is idle now: write to it with irc to follow up. Its transcript is history://%s.\n", r.ID,
		r.ID)
}

// taskResult puts the results of agents together, in the order of their assignments.
func taskResult(results []AgentResult) Result {
	var text, detail strings.Builder
	r := Result{Data: results}
	failures := 0
	for i, a := range results {
		if i > 0 {
			text.WriteString("\n")
		}
		state := "done"
		switch {
		case a.Aborted:
			state = "ended before it was done"
		case a.Err != nil:
			state = "failed"
		}
		if a.Err != nil {
			failures++
		}
		head := fmt.Sprintf("%s: %s, %s, %s", a.ID, state, count(a.Steps, "step"), took(a.Took))
		fmt.Fprintf(&text, "# %s\n", head)
		fmt.Fprintf(&detail, "%s, %d tokens%s\n", head, a.Tokens, changedNote(a.Changed))
		if a.Err != nil {
			fmt.Fprintf(&text, "Error: %v\n", a.Err)
			fmt.Fprintf(&detail, "  %v\n", a.Err)
		}
		if a.Warning != "" {
			fmt.Fprintf(&text, "Warning: %s\n", a.Warning)
		}
		text.WriteString(resultExcerpt(a))
		if a.Brought != "" {
			fmt.Fprintf(&text, "%s\n", a.Brought)
		}
		for i, line := range strings.Split(strings.TrimSpace(a.Text), "\n") {
			if i < 2 && line != "" { // who wants the rest reads agent://ID
				detail.WriteString("  " + titled(line, 300) + "\n")
			}
		}
		r.Changed = append(r.Changed, a.Changed...)
	}
	r.Text, r.Detail, r.Partial = text.String(), detail.String(), failures > 0
	r.Summary = count(len(results), "agent")
	if failures > 0 {
		r.Summary += fmt.Sprintf(", %d without a result", failures)
	}
	return r
}

func changedNote(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return ", changed " + strings.Join(files, ", ")
}

// resultExcerpt returns the beginning of an agent's text, and where the whole can be read.
func resultExcerpt(a AgentResult) string {
	text := strings.TrimRight(a.Text, "\n")
	switch {
	case text == "":
		return ""
	case len(text) <= maxPreview:
		return text + "\n"
	}
	head := width.Head(text, maxPreview)
	size := fmt.Sprintf("%d more bytes", len(text)-len(head))
	if a.Cut {
		size = fmt.Sprintf("more than %d bytes follow", len(text)-len(head))
	}
	return fmt.Sprintf("%s\n[%s; read_file %s has all of it]\n", head, size, a.Resource)
}
