package shell

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// slash is a command of the prompt. All that is known of it stands here: command runs it, /help
// lists it, and the prompt offers it and its values.
type slash struct {
	name, args, about string
	also              string // another name, which nothing lists
	// values are what its argument may be; nil: nothing is offered. It is called beside the loop.
	values func(ctx context.Context, cfg Config) []suggestion
	do     func(sh *Shell, rest string) // on the loop
}

// alone returns what a command does that takes no argument.
func alone(do func(sh *Shell)) func(*Shell, string) { return func(sh *Shell, _ string) { do(sh) } }

// fixed returns values that are always the same.
func fixed(values ...suggestion) func(context.Context, Config) []suggestion {
	return func(context.Context, Config) []suggestion { return values }
}

// commands returns those of the shell itself, in the order of /help.
func commands() []slash {
	return []slash{
		{name: "/help", also: "/?", about: "this list", do: alone((*Shell).showHelp)},
		{name: "/keys", args: "[WHAT]", do: (*Shell).keys,
			about: "show all keys and what they do; or those of WHAT; /keys vim switches the modes of vim"},
		{name: "/model", args: "[NAME]", do: (*Shell).model,
			about:  "choose which model answers; /model NAME switches at once",
			values: func(_ context.Context, cfg Config) []suggestion { return plain(cfg.Models.Names...) }},
		{name: "/mode", args: "[NAME]", do: (*Shell).setMode,
			about: "show or set the mode: ask, edits or plan; {mode} switches, too",
			values: fixed(suggestion{text: "ask", note: "every change needs your approval"},
				suggestion{text: "edits", note: "file changes without a flag are written at once"},
				suggestion{text: "plan", note: "the model looks around and makes a plan; nothing changes"})},
		{name: "/clear", about: "clear the conversation; the text above stays on screen", do: alone((*Shell).clear)},
		{name: "/compact", args: "[TEXT]", do: (*Shell).compact,
			about: "shorten the conversation for the model; the summary keeps what TEXT says"},
		{name: "/tree", do: alone((*Shell).tree),
			about: "go back to an earlier message; {tree-label} there labels an entry; {tree-summary} there " +
				"sums up what is left"},
		{name: "/rewind", do: alone((*Shell).rewind),
			about: "go back to before one of your messages: the conversation, the files (you see the diffs first), " +
				"or both"},
		{name: "/label", args: "NAME", about: "label the last message; /tree shows it", do: (*Shell).label},
		{name: "/resume", args: "[ID]", about: "switch to another session of this workspace", values: sessionValues,
			do: (*Shell).resume},
		{name: "/fork", about: "continue in a copy of this session", do: alone((*Shell).fork)},
		{name: "/context", about: "show what the model knows, and how many tokens each part takes",
			do: alone((*Shell).context)},
		{name: "/workspace", about: "show which directory the model works in", do: alone((*Shell).workspace)},
		{name: "/todo", args: "[WHAT]", do: (*Shell).list,
			about: "show the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
			values: fixed(suggestion{text: "append", note: "add an item, TEXT"},
				suggestion{text: "done", note: "item N, or its name, is done"},
				suggestion{text: "start", note: "item N becomes the active one"},
				suggestion{text: "drop", note: "item N is no longer needed"},
				suggestion{text: "rm", note: "remove item N"}, suggestion{text: "note", note: "add a note to item N"})},
		{name: "/undo", args: "[N|list]", about: "undo the last file change, or change N; you see the diff first",
			values: undoValues, do: (*Shell).undo},
		{name: "/jobs", do: alone((*Shell).showJobs),
			about: "show the output of background jobs as it comes; {cancel-job} there ends one"},
		{name: "/mcp", args: "[WHAT]", values: serverValues, do: (*Shell).servers,
			about: "show the MCP servers; /mcp restart NAME, /mcp stop NAME, /mcp login NAME"},
		{name: "/output", about: "show all of the last output that was shortened", do: alone((*Shell).output)},
		{name: "/diff", about: "show all of the last change you decided on", do: alone((*Shell).diff)},
		{name: "/copy", args: "[WHAT]", do: (*Shell).copy,
			about: "copy the last answer to the clipboard; also code, diff, output",
			values: fixed(suggestion{text: "answer", note: "the last answer"},
				suggestion{text: "code", note: "its last code block"},
				suggestion{text: "diff", note: "the last change you decided on"},
				suggestion{text: "output", note: "what /output shows"})},
		{name: "/theme", args: "[NAME]", values: themeValues, do: (*Shell).themes,
			about: "choose how the shell looks, with a preview; /theme NAME switches at once"},
		{name: "/rules", args: "[WHAT]", do: (*Shell).rules,
			about: "show what runs without asking; /rules keep N, keep N everywhere, revoke N"},
		{name: "/quit", also: "/exit", do: alone((*Shell).quit),
			about: "quit; also {interrupt} twice; or {delete-or-quit} in an empty prompt"},
	}
}

// Command is a prompt of the person's own with a name, which is sent as a message. Text is the
// message, for what stands behind the name.
type Command struct {
	Name, About string // without a slash
	Text        func(args string) string
}

// Builtin reports whether the shell has a command of that name, without a slash.
func Builtin(name string) bool {
	_, is := find(commands(), "/"+name)
	return is
}

// slashes returns all commands: those of the shell, of the person, of the servers.
func (sh *Shell) slashes() []slash {
	list := commands()
	for i := range list {
		list[i].about = sh.cfg.Keys.Join("; ", strings.Split(list[i].about, "; ")...)
	}
	for _, c := range sh.cfg.Commands {
		list = append(list, slash{name: "/" + c.Name, args: "[TEXT]", about: c.About,
			do: func(sh *Shell, rest string) { sh.send(message{text: strings.TrimSpace(c.Text(rest))}) }})
	}
	return append(list, sh.serverPrompts()...)
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
	if cfg.Files.Changes == nil {
		return nil
	}
	for _, l := range cfg.Files.Changes() {
		list = append(list, suggestion{text: strconv.Itoa(l.N), note: l.What + " " + l.Path + "  " + l.Counts})
	}
	return list
}

// find returns the command of that name.
func find(commands []slash, name string) (slash, bool) {
	i := slices.IndexFunc(commands, func(c slash) bool { return c.name == name || c.also == name && name != "" })
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
