package shell

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// slash is a command of the prompt.
type slash struct {
	name, args, about string
	// values are what its argument may be; nil: nothing is offered. It is called beside the loop.
	values func(ctx context.Context, cfg Config) []suggestion
}

// commands are those that /help lists and the prompt offers.
var commands = []slash{
	{"/help", "", "this list", nil},
	{"/keys", "[WHAT]", "show all keys and what they do; or those of WHAT; /keys vim switches the modes of vim", nil},
	{"/model", "[NAME]", "choose which model answers; /model NAME switches at once",
		func(_ context.Context, cfg Config) []suggestion { return plain(cfg.Models...) }},
	{"/mode", "[NAME]", "show or set the mode: ask, edits or plan; {mode} switches, too",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "ask", note: "every change needs your approval"},
				{text: "edits", note: "file changes without a flag are written at once"},
				{text: "plan", note: "the model looks around and makes a plan; nothing changes"}}
		}},
	{"/clear", "", "clear the conversation; the text above stays on screen", nil},
	{"/compact", "[TEXT]", "shorten the conversation for the model; the summary keeps what TEXT says", nil},
	{"/tree", "", "go back to an earlier message; {tree-label} there labels an entry; {tree-summary} there " +
		"sums up what is left", nil},
	{"/rewind", "", "go back to before one of your messages: the conversation, the files (you see the diffs first), " +
		"or both", nil},
	{"/label", "NAME", "label the last message; /tree shows it", nil},
	{"/resume", "[ID]", "switch to another session of this workspace", sessionValues},
	{"/fork", "", "continue in a copy of this session", nil},
	{"/context", "", "show what the model knows, and how many tokens each part takes", nil},
	{"/workspace", "", "show which directory the model works in", nil},
	{"/todo", "[WHAT]", "show the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "append", note: "add an item, TEXT"},
				{text: "done", note: "item N, or its name, is done"},
				{text: "start", note: "item N becomes the active one"},
				{text: "drop", note: "item N is no longer needed"}, {text: "rm", note: "remove item N"},
				{text: "note", note: "add a note to item N"}}
		}},
	{"/undo", "[N|list]", "undo the last file change, or change N; you see the diff first",
		undoValues},
	{"/jobs", "", "show the output of background jobs as it comes; {cancel-job} there ends one", nil},
	{"/mcp", "[WHAT]", "show the MCP servers; /mcp restart NAME, /mcp stop NAME, /mcp login NAME", serverValues},
	{"/output", "", "show all of the last output that was shortened", nil},
	{"/diff", "", "show all of the last change you decided on", nil},
	{"/copy", "[WHAT]", "copy the last answer to the clipboard; also code, diff, output",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "answer", note: "the last answer"}, {text: "code", note: "its last code block"},
				{text: "diff", note: "the last change you decided on"}, {text: "output", note: "what /output shows"}}
		}},
	{"/theme", "[NAME]", "choose how the shell looks, with a preview; /theme NAME switches at once", themeValues},
	{"/rules", "[WHAT]", "show what runs without asking; /rules keep N, keep N everywhere, revoke N", nil},
	{"/quit", "", "quit; also {interrupt} twice; or {delete-or-quit} in an empty prompt", nil},
}

// Command is a prompt of the person's own with a name, which is sent as a message. Text is the
// message, for what stands behind the name.
type Command struct {
	Name, About string // without a slash
	Text        func(args string) string
}

// Builtin reports whether the shell has a command of that name, without a slash.
func Builtin(name string) bool {
	_, is := find(commands, "/"+name)
	return is || name == "exit"
}

// slashes returns all commands.
func (sh *Shell) slashes() []slash {
	list := slices.Clone(commands)
	for i := range list {
		list[i].about = sh.cfg.Keys.Join("; ", strings.Split(list[i].about, "; ")...)
	}
	for _, c := range sh.cfg.Commands {
		list = append(list, slash{"/" + c.Name, "[TEXT]", c.About, nil})
	}
	return append(list, sh.serverPrompts()...)
}

// prompt sends the person's prompt of that name, on the loop. It reports whether there is one.
func (sh *Shell) prompt(name, args string) bool {
	for _, c := range sh.cfg.Commands {
		if "/"+c.Name == name {
			sh.send(message{text: strings.TrimSpace(c.Text(args))})
			return true
		}
	}
	return sh.serverPrompt(name, args)
}

// commandHelp returns a row for each command.
func commandHelp(commands []slash) []string {
	var rows []string
	for _, c := range commands {
		name := strings.TrimSpace(c.name + " " + c.args)
		rows = append(rows, name+strings.Repeat(" ", max(19-len(name), 1))+c.about)
	}
	return rows
}

func plain(texts ...string) (list []suggestion) {
	for _, text := range texts {
		list = append(list, suggestion{text: text})
	}
	return list
}

func sessionValues(_ context.Context, cfg Config) (list []suggestion) {
	if cfg.Sessions == nil {
		return nil
	}
	recent, err := cfg.Sessions.Recent()
	if err != nil {
		return nil
	}
	now := time.Now()
	for _, s := range recent {
		note := firstLine(agent.AsTyped(s.First, s.From)) + ", " + ago(now.Sub(s.At))
		list = append(list, suggestion{text: s.ID, note: note})
	}
	return list
}

func undoValues(_ context.Context, cfg Config) []suggestion {
	list := []suggestion{{text: "list", note: "the changes of this session"}}
	if cfg.Changes == nil {
		return nil
	}
	for _, l := range cfg.Changes() {
		list = append(list, suggestion{text: strconv.Itoa(l.N), note: l.What + " " + l.Path + "  " + l.Counts})
	}
	return list
}

// find returns the command of that name.
func find(commands []slash, name string) (slash, bool) {
	i := slices.IndexFunc(commands, func(c slash) bool { return c.name == name })
	if i < 0 {
		return slash{}, false
	}
	return commands[i], true
}

// commandsFor returns the command that is typed in full, those that begin with it, then those that
// hold it.
func commandsFor(commands []slash, typed string) (list []suggestion) {
	var others []suggestion
	for _, c := range commands {
		it := suggestion{text: c.name, args: c.args, note: c.about, insert: c.name}
		if c.args != "" {
			it.insert += " "
		}
		switch {
		case c.name == typed:
			list = slices.Insert(list, 0, it)
		case strings.HasPrefix(c.name, typed):
			list = append(list, it)
		case strings.Contains(c.name, strings.TrimPrefix(typed, "/")):
			others = append(others, it)
		}
	}
	return append(list, others...)
}
