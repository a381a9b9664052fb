package crew

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kind is a kind of agent: its instructions, tools and model.
type Kind struct {
	Name, About string
	Prompt      string          // instructions, appended to the text that every agent gets
	Tools       []string        // the names of its tools; nil: all tools of its parent
	Model       string          // the name of its model; "": the model of its parent
	Spawns      []string        // names of the kinds that it may start; "*" means all but its own
	Output      json.RawMessage // the JSON schema for its result; nil: any text
	Isolated    bool            // the agent works in a copy of the workspace
	Blocking    bool            // the parent waits for it, even if it could work in the background
}

// reading returns the names of the tools that cannot change anything.
func reading() []string { return []string{"read_file", "list_dir", "find", "search", "diff"} }

// Reading returns the tools among names that cannot change anything. Only these are available to an
// agent in plan mode.
func Reading(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.Contains(reading(), name)
	})
}

// Bundled returns the built-in kinds, in the order in which they are listed for the model.
func Bundled() []Kind {
	return []Kind{
		{Name: "task", About: "any work; it has your tools and may start agents itself", Spawns: []string{"*", "task"},
			Prompt: "Do the work that you are given, all of it and nothing else. Check what you did before you " +
				"give your result."},
		{Name: "quick_task", About: "a small, mechanical change or look-up",
			Prompt: "The work is small: do it in as few steps as you can, and do not look further than it needs."},
		{Name: "explore", About: "finds out how something works or where it is; changes nothing", Tools: reading(),
			Prompt: "Find out what is asked. Search broadly first, then read what matters. Name files and lines, " +
				"quote the few " +
				"lines that decide, and say what you could not find."},
		{Name: "plan", About: "makes a plan for a change; changes nothing", Tools: reading(),
			Prompt: "Make a plan that somebody else can follow without asking: what changes in which file, in " +
				"which order, how it " +
				"is verified, and what may go wrong."},
		{Name: "reviewer", About: "reads a change or a file and says what is wrong with it; changes nothing",
			Tools: append(reading(), "bash"),
			Prompt: "Review what you are given as a careful colleague. Report what is wrong, with file and line, " +
				"how to see it, and " +
				"how bad it is; the worst first. Say nothing of taste. If you find nothing, say so."},
		{Name: "designer", About: "designs or improves what a person sees: texts, layouts, pages",
			Prompt: "Design for who will use it. Look at what is there first and keep to its manner. Say in the " +
				"result what you " +
				"decided and why."},
		{Name: "librarian", About: "reads documentation and sources and answers from them; changes " +
			"nothing", Tools: append(reading(), "web_search"), // if the user has turned it on
			Prompt: "Answer from sources alone: files, and pages that read_file can fetch. Name the source of " +
				"each statement. Say " +
				"what the sources do not say."},
		{Name: "oracle", About: "thinks a hard question through and gives advice; changes nothing", Tools: reading(),
			Prompt: "Think the question through. Look at the code that matters, weigh the ways there are against " +
				"each other, and " +
				"recommend one, with the reason that decides."},
	}
}

// Allowed returns the tools that an agent of this kind gets, chosen from the tools of its parent.
// Tools that act on the conversation with the user are never included.
func (k Kind) Allowed(has []string) []string {
	return slices.DeleteFunc(slices.Clone(has), func(name string) bool {
		return k.Tools != nil && !slices.Contains(k.Tools, name) ||
			slices.Contains([]string{"todo", "propose_plan", "checkpoint", "rewind", "job", "task", "irc"}, name)
	})
}

// MayUse reports whether an agent of this kind gets a tool of an MCP server that its parent has.
// That is so if Kind.Tools is nil, or contains the tool's name, its server (mcp__SERVER), or a
// beginning of the name followed by "*".
func (k Kind) MayUse(name string) bool {
	return k.Tools == nil || slices.ContainsFunc(k.Tools, func(t string) bool {
		head, many := strings.CutSuffix(t, "*")
		if strings.Count(t, "__") == 1 && !many {
			head, many = t+"__", true
		}
		return t == name || many && strings.HasPrefix(name, head)
	})
}

// find returns the first kind with exactly that name, and whether there is one.
func find(kinds []Kind, name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// refusal returns why an agent of kind k may not start an agent of the named kind, "" if it may.
func (k Kind) refusal(name string) string {
	switch {
	case slices.Contains(k.Spawns, name):
		return ""
	case k.Name == name:
		return fmt.Sprintf("an agent of the kind %s does not start another one of it: do the work, or give it to "+
			"another kind", name)
	case slices.Contains(k.Spawns, "*"):
		return ""
	case len(k.Spawns) == 0:
		return fmt.Sprintf("an agent of the kind %s starts no others", k.Name)
	}
	return fmt.Sprintf("an agent of the kind %s may start %s, not %s", k.Name, strings.Join(k.Spawns, ", "), name)
}
