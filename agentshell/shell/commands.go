package shell

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slash is a command of the prompt.
type slash struct {
	name, args, about string
	// values are what its argument may be; nil: nothing is offered. It is called beside the loop.
	values func(ctx context.Context, cfg Config) []suggestion
}

// commands are those that /help lists and the prompt offers.
var commands = []slash{
	{"/help", "", "this", nil},
	{"/keys", "", "all keys", nil},
	{"/model", "[NAME]", "which model answers, and how to get another one; with a name it is changed",
		func(_ context.Context, cfg Config) []suggestion { return plain(cfg.Models...) }},
	{"/mode", "[NAME]", "what is asked: ask, edits, plan; Shift+Tab changes it, too",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "ask", note: "every change is asked"},
				{text: "edits", note: "file changes without a flag run"},
				{text: "plan", note: "the model looks around and makes a plan; nothing changes"}}
		}},
	{"/clear", "", "make the model forget the conversation; what stands above stays", nil},
	{"/compact", "[TEXT]", "make the conversation smaller for the model; its summary keeps what TEXT says", nil},
	{"/tree", "",
		"go back to an earlier message and on from there; L there names an entry, Ctrl+S sums up what is left", nil},
	{"/rewind", "", "back to before one of your messages: the conversation, the files (you see the diffs first), " +
		"or both", nil},
	{"/label", "NAME", "a name for the last message, to be found in /tree", nil},
	{"/resume", "[ID]", "go on with another session of this workspace", sessionValues},
	{"/fork", "", "go on with a copy of this session", nil},
	{"/context", "", "what the model knows, and how many tokens each part takes", nil},
	{"/workspace", "", "where the files are", nil},
	{"/todo", "[WHAT]", "the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "append", note: "a new item, TEXT"},
				{text: "done", note: "item N, or by its name"}, {text: "start", note: "item N is the active one"},
				{text: "drop", note: "item N is not needed any more"}, {text: "rm", note: "item N goes from the list"},
				{text: "note", note: "item N gets a note"}}
		}},
	{"/undo", "[N|list]", "take the last file change of this session back, or change N; you see the diff first",
		undoValues},
	{"/output", "", "all of the last output that was shortened", nil},
	{"/diff", "", "all of the last change that was decided", nil},
	{"/copy", "[WHAT]", "the last answer to the clipboard; also code, diff, output",
		func(context.Context, Config) []suggestion {
			return []suggestion{{text: "answer", note: "the last answer"}, {text: "code", note: "its last code block"},
				{text: "diff", note: "the last change that was decided"}, {text: "output", note: "what /output shows"}}
		}},
	{"/rules", "[revoke N]", "what is allowed without asking, and how to take it back", nil},
	{"/quit", "", "quit; also Ctrl+D in an empty prompt, or Ctrl+C twice", nil},
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

// slashes are all commands.
func (sh *Shell) slashes() []slash {
	list := slices.Clip(commands)
	for _, c := range sh.cfg.Commands {
		list = append(list, slash{"/" + c.Name, "[TEXT]", c.About, nil})
	}
	return list
}

// prompt sends the person's prompt of that name, on the loop. It reports whether there is one.
func (sh *Shell) prompt(name, args string) bool {
	for _, c := range sh.cfg.Commands {
		if "/"+c.Name == name {
			sh.send(message{text: strings.TrimSpace(c.Text(args))})
			return true
		}
	}
	return false
}

// commandHelp is a row for each command.
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
		list = append(list, suggestion{text: s.ID, note: firstLine(asTyped(s.First)) + ", " + ago(now.Sub(s.At))})
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

// find is the command of that name.
func find(commands []slash, name string) (slash, bool) {
	i := slices.IndexFunc(commands, func(c slash) bool { return c.name == name })
	if i < 0 {
		return slash{}, false
	}
	return commands[i], true
}

// commandsFor is the command that is typed in full, those that begin with it, then those that hold
// it.
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
