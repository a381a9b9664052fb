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

// TaskName is the name of the tool with which a model gives work to subagents.
const TaskName = "task"

// maxTasks and maxPreview limit one call of the tool task.
const (
	maxTasks = 32 // maxTasks is the largest number of subagents that one call starts.
	// maxPreview is the number of bytes of each subagent's result that the calling model gets. It
	// can read the whole at agent://ID.
	maxPreview = 5000
)

// Crew starts and runs subagents, each with a conversation of its own. Its methods are safe for use
// by several goroutines.
type Crew interface {
	// Kinds returns the kinds of agents that can be started, in the order in which they are listed
	// in the tool's description.
	Kinds() []AgentKind
	// Refusal returns the reason why no agent of that kind can be started, or "" if one can.
	Refusal(kind string) string
	// Join registers an agent for an assignment, without starting its work. It returns the agent's
	// id, which is unique in the session.
	Join(a Assignment) (id string)
	// Work runs the agent id until it has a result. It calls progress, from any goroutine, with
	// single lines for the user.
	Work(ctx context.Context, id string, a Assignment, progress func(line string)) AgentResult
	// Drop removes an agent that has joined but whose work was not begun.
	Drop(id string)
	// Wait calls the function wait, which blocks until the agents with those ids have ended. The
	// Crew thereby knows that the calling agent does nothing else meanwhile.
	Wait(ctx context.Context, ids []string, wait func())
}

// AgentKind describes one kind of agent that the tool task can start.
type AgentKind struct {
	// Name and About are the kind's name and description for the model.
	Name, About string
	Blocking    bool // Blocking makes a call wait for agents of this kind even if they could run in the background.
}

// Assignment describes the work that one subagent is given.
type Assignment struct {
	Kind        string          // Kind is the Name of an AgentKind.
	Name        string          // Name is the model's proposal for the agent's id; "": the Crew chooses one.
	Description string          // Description says in a few words what the work is, for the user.
	Text        string          // Text holds the instructions for the agent.
	Context     string          // Context is the background that all agents of one call are told.
	Isolated    bool            // Isolated lets the agent work in a copy of the workspace.
	Model       string          // Model is the model that the agent uses; "": the default of its kind.
	Output      json.RawMessage // Output is the JSON schema of the agent's result; nil: the default of its kind.
}

// Isolator is implemented by a Crew whose agents can work in copies of the workspace. Isolates
// reports whether the configuration permits copies.
type Isolator interface{ Isolates() bool }

// AgentResult describes how a subagent's work has ended.
type AgentResult struct {
	// ID is the agent's id.
	ID      string
	Text    string // Text is the agent's result, or its last message if it gave none.
	Err     error  // Err is the reason why there is no result; nil if there is one.
	Warning string // Warning is a warning for the model that gave the assignment.
	Steps   int    // Steps is the number of requests to the agent's model.
	Tokens  int    // Tokens is the number of input and output tokens that were used.
	// Took is how long the agent has worked.
	Took    time.Duration
	Changed []string // Changed lists the files that the agent has changed, for display.
	// Brought says what became of the changes of an agent that worked in a copy of the workspace;
	// "": there was no copy.
	Brought  string
	Cut      bool   // Cut means that Text is only the beginning of the result.
	Aborted  bool   // Aborted means that somebody else ended the agent before it was done.
	Resource string // Resource is the address at which read_file reads the whole text.
}

// task is the tool task, with which a model gives work to subagents. If jobs is nil, each call
// waits for its subagents; otherwise they run in the background.
type task struct {
	crew Crew
	// jobs runs subagents in the background; nil: calls wait for them.
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

// Traits implements Tool. The call itself asks nothing: the subagents' own calls ask.
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

// isolates reports whether subagents can work in copies of the workspace.
func (t *task) isolates() bool {
	i, is := t.crew.(Isolator)
	return is && i.Isolates()
}

// schema returns the JSON schema of the arguments. It leaves out the argument isolated if subagents
// cannot work in copies of the workspace.
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

// Prepare implements Tool. It also accepts the arguments of a single task at the top level, next to
// agent, instead of in the list tasks.
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

// assignments parses and checks the arguments of a call, and returns one assignment for each
// subagent.
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

// kind returns the AgentKind of that name, or the zero value if there is none.
func (t *task) kind(name string) AgentKind {
	for _, k := range t.crew.Kinds() {
		if k.Name == name {
			return k
		}
	}
	return AgentKind{}
}

// names returns a list of the kinds of agents for an error.
func (t *task) names() string {
	var names []string
	for _, k := range t.crew.Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// run starts a subagent for each assignment, waits until all of them have ended, and returns their
// results.
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

// start starts each assignment's subagent as a background job, and returns at once.
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

// followUp returns a sentence for the model that says how to contact an agent that has ended, or
// where to read its transcript.
func followUp(r AgentResult) string {
	if r.Aborted || r.Brought != "" { // its copy of the workspace is gone
		return fmt.Sprintf("The transcript of %s is history://%s.\n", r.ID, r.ID)
	}
	return fmt.Sprintf("%s is idle now: write to it with irc to follow up. Its transcript is history://%s.\n", r.ID,
		r.ID)
}

// taskResult combines the results of several subagents, in the order of their assignments, into the
// result of one call.
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

// changedNote returns ", changed " with the names of the files, or "" if there are none.
func changedNote(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return ", changed " + strings.Join(files, ", ")
}

// resultExcerpt returns an agent's text, cut after maxPreview bytes. A line at the end of a cut
// text says where the whole can be read.
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
