package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// serverPrompts returns the prompts of all MCP servers as slash commands, named /server:prompt.
func (sh *Shell) serverPrompts() (list []slashCommand) {
	if sh.cfg.Programs.Servers == nil {
		return nil
	}
	for _, p := range sh.cfg.Programs.Servers.Prompts() {
		var args []string
		for _, a := range p.Args {
			name := strings.ToUpper(a.Name)
			if !a.Required {
				name = "[" + name + "]"
			}
			args = append(args, name)
		}
		list = append(list, slashCommand{name: promptName(p), args: strings.Join(args, " "), about: shortLine(p.About),
			run: func(sh *Shell, args string) { sh.sendServerPrompt(p, args) }})
	}
	return list
}

// promptName returns the slash command for a prompt of an MCP server, such as /server:prompt.
func promptName(p mcp.Prompt) string { return "/" + p.Server + ":" + p.Name }

// sendServerPrompt requests a prompt from its MCP server and sends the text to the model as a
// message, which the transcript shows in full. argText holds the arguments as the user has typed
// them. The method is called on the event loop.
func (sh *Shell) sendServerPrompt(p mcp.Prompt, argText string) {
	name := promptName(p)
	args, missing := promptArgs(p.Args, argText)
	switch {
	case missing != "":
		sh.addBlock(notice, problem(name+" needs "+missing+".", "Nothing was sent. Type it after the command, as in "+
			name+" "+missing+"=..., or the values alone, in their order."))
	case sh.refuseWhileBusy(name):
	default:
		sh.runBeside("asking "+p.Server, func(ctx context.Context) func() {
			text, err := sh.cfg.Programs.Servers.Prompt(ctx, p.Server, p.Name, args)
			stopped := ctx.Err() != nil
			return func() {
				switch {
				case stopped:
					sh.addBlock(notice, paragraphs(false, "Stopped; nothing was sent."))
				case err != nil:
					sh.addBlock(notice, problem("The prompt was not sent: "+err.Error()+"."))
				case text == "":
					sh.addBlock(notice, problem("The prompt was not sent: the server gave no text."))
				default:
					sh.send(message{text: text})
				}
			}
		})
	}
}

// promptArgs parses the arguments that the user has typed for a server prompt: name=value pairs, or
// values in the order in which the arguments are declared. The last argument takes all remaining
// values. missing is the name of the first required argument without a value, or "".
func promptArgs(declared []mcp.Arg, argText string) (args map[string]string, missing string) {
	args = map[string]string{}
	var values []string
	for w := range mention.Words(argText) {
		name, value, named := strings.Cut(w.Text, "=")
		if named && slices.ContainsFunc(declared, func(a mcp.Arg) bool { return a.Name == name }) {
			args[name] = value
			continue
		}
		text := w.Text
		if w.At {
			text = "@" + text
		}
		values = append(values, text)
	}
	var unset []string // that have no value yet
	for _, a := range declared {
		if _, given := args[a.Name]; !given {
			unset = append(unset, a.Name)
		}
	}
	for i, name := range unset {
		switch {
		case i >= len(values):
		case i == len(unset)-1:
			args[name] = strings.Join(values[i:], " ")
		default:
			args[name] = values[i]
		}
	}
	for _, a := range declared {
		if args[a.Name] == "" && a.Required {
			return args, a.Name
		}
	}
	return args, ""
}

// shortLine returns at most the first 80 characters of a server's text, for one line of a list.
func shortLine(text string) string {
	const maxRunes = 80 // runes
	if r := []rune(text); len(r) > maxRunes {
		text = width.Head(text, len(string(r[:maxRunes-1]))) + "…"
	}
	return text
}
