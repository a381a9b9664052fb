package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// serverPrompts returns the prompts of MCP servers as commands: /server:prompt.
func (sh *Shell) serverPrompts() (list []slash) {
	if sh.cfg.Servers == nil {
		return nil
	}
	for _, p := range sh.cfg.Servers.Prompts() {
		var args []string
		for _, a := range p.Args {
			name := strings.ToUpper(a.Name)
			if !a.Required {
				name = "[" + name + "]"
			}
			args = append(args, name)
		}
		list = append(list, slash{name: promptName(p), args: strings.Join(args, " "), about: plainLine(p.About),
			do: func(sh *Shell, rest string) { sh.serverPrompt(p, rest) }})
	}
	return list
}

func promptName(p mcp.Prompt) string { return "/" + p.Server + ":" + p.Name }

// serverPrompt gets a prompt from its server and sends it, on the loop: the person sees the whole
// of it as their message.
func (sh *Shell) serverPrompt(p mcp.Prompt, rest string) {
	name := promptName(p)
	args, missing := promptArgs(p.Args, rest)
	switch {
	case missing != "":
		sh.append(notice, problem(name+" needs "+missing+".", "Nothing was sent. Type it behind the command, as in "+
			name+" "+missing+"=..., or the values alone, in their order."))
	case sh.waits(name):
	default:
		sh.beside("asking "+p.Server, func(ctx context.Context) func() {
			text, err := sh.cfg.Servers.Prompt(ctx, p.Server, p.Name, args)
			stopped := ctx.Err() != nil
			return func() {
				switch {
				case stopped:
					sh.append(notice, words(false, "Stopped; nothing was sent."))
				case err != nil:
					sh.append(notice, problem("The prompt was not sent: "+err.Error()+"."))
				case text == "":
					sh.append(notice, problem("The prompt was not sent: the server gave no text."))
				default:
					sh.send(message{text: text})
				}
			}
		})
	}
}

// promptArgs reads what stands behind a command: name=value, or values in the order of the
// arguments; the last one takes all that is left. missing is the first one that is required and not
// there.
func promptArgs(known []mcp.Arg, rest string) (args map[string]string, missing string) {
	args = map[string]string{}
	var values []string
	for w := range mention.Words(rest) {
		name, value, named := strings.Cut(w.Text, "=")
		if named && slices.ContainsFunc(known, func(a mcp.Arg) bool { return a.Name == name }) {
			args[name] = value
			continue
		}
		text := w.Text
		if w.At {
			text = "@" + text
		}
		values = append(values, text)
	}
	var open []string // that have no value yet
	for _, a := range known {
		if _, given := args[a.Name]; !given {
			open = append(open, a.Name)
		}
	}
	for i, name := range open {
		switch {
		case i >= len(values):
		case i == len(open)-1:
			args[name] = strings.Join(values[i:], " ")
		default:
			args[name] = values[i]
		}
	}
	for _, a := range known {
		if args[a.Name] == "" && a.Required {
			return args, a.Name
		}
	}
	return args, ""
}

// plainLine returns a server's words as one line of a list.
func plainLine(text string) string {
	const most = 80 // runes
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return text
}
