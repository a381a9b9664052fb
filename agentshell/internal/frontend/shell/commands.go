package shell

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// slashCommand describes a command that the user types after a slash, such as /mode. The prompt
// runs it, /help lists it, and the completion offers it and its arguments.
type slashCommand struct {
	// name begins with a slash. args and about are the texts of /help: a hint at the arguments, and
	// what the command does.
	name, args, about string
	alias             string // another name, with a slash, which only /help shows
	// the heading above the command in /help; "": the command belongs to the group of the one above
	heading string
	// arguments returns all values that the completion can offer for the argument; the completion
	// drops those that do not begin with the typed text. nil: it offers nothing. It is called
	// outside the event loop.
	arguments func(ctx context.Context, cfg Config) []suggestion
	// complete returns suggestions that may replace the typed argument arg; nil: arguments is
	// called instead. It is called outside the event loop.
	complete func(ctx context.Context, arg string) []suggestion
	// executes the command; rest is the text after its name; called on the event loop
	run func(sh *Shell, rest string)
}

// withoutArgument converts the function do to a [slashCommand.run] function that ignores the
// argument.
func withoutArgument(do func(sh *Shell)) func(*Shell, string) {
	return func(sh *Shell, _ string) { do(sh) }
}

// fixedArguments returns a [slashCommand.arguments] function that always offers the same values.
func fixedArguments(values ...suggestion) func(context.Context, Config) []suggestion {
	return func(context.Context, Config) []suggestion { return values }
}

// builtinCommands returns the slash commands that every session has, in the order of /help.
func builtinCommands() []slashCommand {
	return []slashCommand{
		{heading: "Help and settings",
			name: "/help", alias: "/?", about: "this list", run: withoutArgument((*Shell).showHelp)},
		{name: "/keys", args: "[WHAT]", run: (*Shell).showKeys,
			about: "show all keys and what they do; or those of WHAT; /keys vim switches the modes of vim"},
		{name: "/config", args: "[NAME]", run: (*Shell).handleConfig, arguments: settingArguments,
			about: "show each setting and where it comes from; /config NAME VALUE changes one"},
		{name: "/theme", args: "[NAME]", arguments: themeArguments, run: (*Shell).handleTheme,
			about: "choose how the shell looks, with a preview; /theme NAME switches at once"},
		{name: "/quit", alias: "/exit", run: withoutArgument((*Shell).quit),
			about: "quit; also {interrupt} twice; or {delete-or-quit} in an empty prompt"},
		{heading: "Model, mode and state",
			name: "/model", args: "[NAME]", run: (*Shell).handleModel,
			about: "choose which model answers; /model NAME switches at once",
			arguments: func(_ context.Context,
				cfg Config) []suggestion {
				return plainSuggestions(cfg.Models.Names...)
			}},
		{name: "/effort", args: "[LEVEL]", run: (*Shell).handleEffort, arguments: effortArguments,
			about: "show or set how much the model thinks"},
		{name: "/thinking", args: "[on|off]", run: (*Shell).handleThinking,
			about:     "show the model's thinking, or not",
			arguments: fixedArguments(suggestion{text: "on"}, suggestion{text: "off"})},
		{name: "/mode", args: "[NAME]", run: (*Shell).setMode,
			about: "show or set the mode: ask, edits or plan; {mode} switches, too",
			arguments: fixedArguments(suggestion{text: "ask", note: "every change needs your approval"},
				suggestion{text: "edits", note: "file changes without a flag are written at once"},
				suggestion{text: "plan", note: "the model looks around and makes a plan; nothing changes"})},
		{name: "/status", about: "show model, mode, directories, sandbox, session, servers and context in one screen",
			run: withoutArgument((*Shell).showStatus)},
		{name: "/context", about: "show what the model knows, and how many tokens each part takes",
			run: withoutArgument((*Shell).showContext)},
		{name: "/cost", about: "show the tokens and the cost of this session, its agents included",
			run: withoutArgument((*Shell).showCost)},
		{heading: "Conversation",
			name: "/clear", about: "clear the conversation; the text above stays on screen",
			run: withoutArgument((*Shell).clearConversation)},
		{name: "/compact", args: "[TEXT]", run: (*Shell).compactConversation,
			about: "shorten the conversation for the model; the summary keeps what TEXT says"},
		{name: "/tree", args: "[N]", run: (*Shell).openTree,
			about: "go back to an earlier message; {tree-label} there labels an entry; {tree-summary} there " +
				"sums up what is left; N: the number of the message"},
		{name: "/rewind", run: withoutArgument((*Shell).openRewind),
			about: "go back to before one of your messages: the conversation, the files (you see the diffs first), " +
				"or both"},
		{name: "/branch", run: withoutArgument((*Shell).openBranch),
			about: "as /tree; where double_esc is not tree: a new session from before one of your messages"},
		{name: "/label", args: "NAME", about: "label the last message; /tree shows it", run: (*Shell).handleLabel},
		{heading: "Sessions",
			name: "/resume", args: "[ID]", about: "switch to another session of this workspace",
			arguments: sessionArguments,
			run:       (*Shell).handleResume},
		{name: "/fork", about: "continue in a copy of this session", run: withoutArgument((*Shell).handleFork)},
		{name: "/rename", args: "NAME", about: "name this session; /resume shows the name", run: (*Shell).handleRename},
		{name: "/sessions", about: "list the sessions of this workspace that run now, and what they changed",
			run: withoutArgument((*Shell).showRunning)},
		{name: "/transcript", run: withoutArgument((*Shell).openTranscript),
			about: "show all of this session on the whole screen; {find} there searches it; {pager-close} closes it"},
		{name: "/export", args: "[FILE]", arguments: exportArguments, run: (*Shell).handleExport,
			about: "write this session as one HTML page; FILE.md, FILE.json or --format write Markdown or JSON"},
		{heading: "Changes and output",
			name: "/diff", args: "[N|all]", run: (*Shell).handleDiff,
			about:     "show all of the last change you decided on, or of change N; all: what this session has changed",
			arguments: fixedArguments(suggestion{text: "all", note: "the changes of this session, file by file"})},
		{name: "/undo", args: "[N|list]", about: "undo the last file change, or change N; you see the diff first",
			arguments: undoArguments, run: (*Shell).handleUndo},
		{name: "/output", about: "show all of the last output that was shortened",
			run: withoutArgument((*Shell).showOutput)},
		{name: "/copy", args: "[WHAT]", run: (*Shell).copyToClipboard,
			about: "copy the last answer to the clipboard; also code, diff, output",
			arguments: fixedArguments(suggestion{text: "answer", note: "the last answer"},
				suggestion{text: "code", note: "the last code block"},
				suggestion{text: "diff", note: "the last change you decided on"},
				suggestion{text: "output", note: "what /output shows"})},
		{heading: "Workspace and what may run",
			name: "/workspace", about: "show which directory the model works in",
			run: withoutArgument((*Shell).showWorkspace)},
		{name: "/add-dir", args: "[PATH]", run: (*Shell).handleAddDir,
			about: "add a directory to this session, after a question that says what that allows; PATH:ro only reads"},
		{name: "/init", args: "[TEXT]", run: (*Shell).handleInit,
			about: "the model looks around and proposes AGENTS.md, or a better one; you see it as a diff"},
		{name: "/rules", args: "[WHAT]", run: (*Shell).handleRules,
			about: "show what runs without asking; /rules keep N, keep N everywhere, revoke N"},
		{name: "/sandbox", args: "[on|off]", run: (*Shell).handleSandbox,
			about: "show what the sandbox for commands holds; /sandbox on and off switch it",
			arguments: fixedArguments(suggestion{text: "on", note: "commands are confined; most run unasked"},
				suggestion{text: "off", note: "you are asked about commands"})},
		{heading: "Work in progress",
			name: "/todo", args: "[WHAT]", run: (*Shell).handleTodo,
			about: "show the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
			arguments: fixedArguments(suggestion{text: "append", note: "add an item, TEXT"},
				suggestion{text: "done", note: "item N, or its name, is done"},
				suggestion{text: "start", note: "item N becomes the active one"},
				suggestion{text: "drop", note: "item N is no longer needed"},
				suggestion{text: "rm", note: "remove item N"}, suggestion{text: "note", note: "add a note to item N"})},
		{name: "/agents", args: "[ID]", run: (*Shell).openAgents,
			arguments: func(_ context.Context, cfg Config) []suggestion { return agentArguments(cfg) },
			about: "show the agents that the model has started; Enter there opens one, m writes to it, s stops it, " +
				"p parks and r revives it"},
		{name: "/jobs", run: withoutArgument((*Shell).showJobs),
			about: "show the output of background jobs as it comes; {cancel-job} there ends one"},
		{name: "/stop", run: withoutArgument((*Shell).handleStop),
			about: "stop the turn, as {stop} does; queued messages return to the prompt"},
		{heading: "Tools",
			name: "/tools", run: withoutArgument((*Shell).showTools),
			about: "show the tools of the model, and what the servers behind them do"},
		{name: "/mcp", args: "[WHAT]", arguments: serverArguments, run: (*Shell).handleServers,
			about: "show the MCP servers; /mcp restart NAME, /mcp stop NAME, /mcp login NAME"},
		{name: "/memory", args: "[WHAT]", arguments: memoryArguments, run: (*Shell).handleMemory,
			about: "list the notes of earlier sessions; /memory open NAME, forget NAME, confirm NAME"},
	}
}

// Command describes a prompt that the user has stored under a name. The user sends it by typing a
// slash and the name.
type Command struct {
	Name, About string // Name has no slash. About says in /help what the prompt is for.
	Args        string // A hint in /help at the text that follows the name; "": any text.
	// Text returns the message for the model if the user types args after the name.
	Text func(args string) string
	// Lines returns the shell commands that run before the message is sent; nil: there are none.
	//
	// Filled returns the message with their outputs in it; it is used in place of Text if Lines is
	// set.
	Lines  func(args string) []string
	Filled func(args string, outputs []string) string
}

// shippedCommands returns the stored prompts that come with agentshell. A prompt of the user or of
// the workspace with the same name replaces one of these.
func shippedCommands() (list []slashCommand) {
	for _, c := range skill.Shipped().Commands {
		list = append(list, promptCommand(Command{Name: c.Name, About: c.About, Args: c.Args, Text: c.Text}))
	}
	return list
}

// promptCommand returns the slash command that sends the stored prompt c to the model.
func promptCommand(c Command) slashCommand {
	return slashCommand{name: "/" + c.Name, args: cmp.Or(c.Args, "[TEXT]"), about: c.About,
		run: func(sh *Shell, args string) {
			m := message{text: strings.TrimSpace(c.Text(args))}
			if c.Lines != nil {
				m.lines = c.Lines(args)
				m.fill = func(outputs []string) string { return strings.TrimSpace(c.Filled(args, outputs)) }
			}
			sh.send(m)
		}}
}

// Builtin reports whether the shell itself has a slash command with that name. The name has no
// slash.
func Builtin(name string) bool {
	_, found := findCommand(builtinCommands(), "/"+name)
	return found
}

// slashCommands returns all slash commands of the session: those of the shell, stored prompts,
// prompts of MCP servers, and commands of extensions.
func (sh *Shell) slashCommands() []slashCommand {
	list := sh.commandsBesides()
	for i, entered := range sh.extensionCommands(list) {
		c := sh.extensionCommand(entered)
		if i == 0 {
			c.heading = "Commands of extensions"
		}
		list = append(list, c)
	}
	return list
}

// commandsBesides returns all slash commands except those of extensions, which must not take their
// names.
func (sh *Shell) commandsBesides() []slashCommand {
	list := builtinCommands()
	for i := range list {
		list[i].about = sh.cfg.Keys.ExpandAll("; ", strings.Split(list[i].about, "; ")...)
	}
	list = slices.Concat(list, sh.languageCommands(), sh.debuggerCommands(), sh.cellCommands())
	if sh.cfg.Programs.Extensions != nil {
		list = append(list, slashCommand{name: "/extensions", args: "[WHAT]", run: (*Shell).handleExtensions,
			arguments: extensionArguments,
			about:     "show the extensions; /extensions restart NAME, /extensions stop NAME"})
	}
	builtin := len(list)
	for _, c := range sh.cfg.Prompt.Commands {
		list = append(list, promptCommand(c))
	}
	for _, c := range shippedCommands() {
		if _, found := findCommand(list, c.name); !found {
			list = append(list, c)
		}
	}
	list = append(list, sh.serverPrompts()...)
	if len(list) > builtin {
		list[builtin].heading = "Prompts"
	}
	return list
}

// CommandHelp holds the help of one slash command: its name with the slash, a hint at its
// arguments, and what it does.
type CommandHelp struct{ Name, Args, About string }

// BuiltinHelp returns the help of the slash commands that come with agentshell, in the order of
// /help. The texts name the keys that the keymap holds.
func BuiltinHelp(keys keymap.Map) (list []CommandHelp) {
	for _, c := range slices.Concat(builtinCommands(), shippedCommands()) {
		list = append(list, CommandHelp{c.name, c.args, keys.ExpandAll("; ", strings.Split(c.about, "; ")...)})
	}
	return list
}

// commandHelp returns the rows of /help for the commands, with a heading above each group.
func commandHelp(commands []slashCommand) []string {
	var rows []string
	for i, c := range commands {
		switch {
		case c.heading != "" && i > 0:
			rows = append(rows, "", c.heading)
		case c.heading != "":
			rows = append(rows, c.heading)
		}
		name := strings.TrimSpace(strings.Join(withoutEmpty([]string{c.name, c.alias}), ", ") + " " + c.args)
		rows = append(rows, name+strings.Repeat(" ", max(19-len(name), 1))+c.about)
	}
	return rows
}

// plainSuggestions returns a suggestion without an explanation for each text.
func plainSuggestions(texts ...string) (list []suggestion) {
	for _, text := range texts {
		list = append(list, suggestion{text: text})
	}
	return list
}

// sessionArguments returns the ids of recent sessions as suggestions for the argument of /resume.
func sessionArguments(_ context.Context, cfg Config) (list []suggestion) {
	if cfg.Session.Stored == nil {
		return nil
	}
	recent, err := cfg.Session.Stored.Recent()
	if err != nil {
		return nil
	}
	now := time.Now()
	for _, s := range recent {
		note := firstLine(s.Title(agent.AsTyped)) + ", " + agoText(now.Sub(s.At))
		list = append(list, suggestion{text: s.ID, note: note})
	}
	return list
}

// undoArguments returns the numbers of the session's file changes, and "list", as suggestions for
// the argument of /undo.
func undoArguments(_ context.Context, cfg Config) []suggestion {
	list := []suggestion{{text: "list", note: "the changes of this session"}}
	if cfg.Files.Changes == nil {
		return nil
	}
	for _, l := range cfg.Files.Changes() {
		list = append(list, suggestion{text: strconv.Itoa(l.N), note: l.Action + " " + l.Path + "  " + l.Counts})
	}
	return list
}

// findCommand returns the listed command whose name or alias is name. It returns false if there is
// none.
func findCommand(commands []slashCommand, name string) (slashCommand, bool) {
	i := slices.IndexFunc(commands,
		func(c slashCommand) bool { return c.name == name || c.alias == name && name != "" })
	if i < 0 {
		return slashCommand{}, false
	}
	return commands[i], true
}

// meantCommand returns the command that the user may have meant by an unknown name: the one with
// the most similar name, or the one that other agents call by that name. It returns "" if there is
// none.
func (sh *Shell) meantCommand(name string) string {
	var names []string
	for _, c := range sh.slashCommands() {
		names = append(names, withoutEmpty([]string{c.name, c.alias})...)
	}
	mistyped := min(maxMistyped, (len(name)-1)/3) // a short name is near to any other one
	if near := nearest.Name(name, mistyped, names...); near != "" {
		return near
	}
	switch name {
	case "/permissions", "/approvals", "/allowed-tools":
		return "/rules"
	case "/vim":
		return "/keys vim"
	case "/settings":
		return "/config"
	case "/usage", "/stats":
		return "/cost"
	case "/new", "/reset":
		return "/clear"
	}
	return ""
}

// matchingCommands returns suggestions for the typed beginning of a command: first the command with
// exactly that name, then those whose name begins with it, then those whose name contains it.
func matchingCommands(commands []slashCommand, typed string) (list []suggestion) {
	var others []suggestion
	for _, c := range commands {
		item := suggestion{text: c.name, args: c.args, note: c.about, insert: c.name}
		if c.args != "" {
			item.insert += " "
		}
		switch {
		case c.name == typed:
			list = slices.Insert(list, 0, item)
		case strings.HasPrefix(c.name, typed):
			list = append(list, item)
		case strings.Contains(c.name, strings.TrimPrefix(typed, "/")):
			others = append(others, item)
		}
	}
	return append(list, others...)
}
