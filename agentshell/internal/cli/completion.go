package cli

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// completionFlags are those of `agentshell completion`.
type completionFlags struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// completion handles `agentshell completion`: it prints the completions for a shell.
func (l line) completion(f completionFlags) (int, error) {
	places, err := l.places()
	if err != nil {
		return 0, err
	}
	write := map[string]func([]place) string{"bash": bash, "zsh": zsh, "fish": fish}[f.Shell]
	_, err = io.WriteString(l.Stdout, write(places))
	return headless.ExitDone, err
}

// place is a command line up to where something can be completed.
type place struct {
	words []string // behind agentshell: none, "doctor", "mcp add"
	usage string   // the line that --help begins with
	about string
	flags []*kong.Flag
	more  []choice // what may come next: commands of this one, or values of its argument
}

// choice is a word to choose, with what it means; "": nothing is said of it.
type choice struct{ word, about string }

// places returns all of them, the shell itself first.
func (l line) places() ([]place, error) {
	var all []place
	shell := place{}
	for _, c := range commands() {
		k, err := l.grammar(c, func() {})
		if err != nil {
			return nil, err
		}
		if c.word == "" {
			shell.usage, shell.about, shell.flags = k.Model.Summary(), c.about, k.Model.Flags
			continue
		}
		shell.more = append(shell.more, choice{c.word, c.about})
		at := place{words: []string{c.word}, usage: k.Model.Summary(), about: c.about, flags: k.Model.Flags}
		for _, arg := range k.Model.Positional {
			if arg.Enum != "" {
				for _, value := range arg.EnumSlice() {
					at.more = append(at.more, choice{value, ""})
				}
			}
		}
		for _, child := range k.Model.Children {
			at.more = append(at.more, choice{child.Name, child.Help})
		}
		all = append(all, at)
		for _, child := range k.Model.Children {
			all = append(all, place{words: []string{c.word, child.Name}, usage: child.Summary(), about: child.Help,
				flags: append(k.Model.Flags[:1:1], child.Flags...)}) // the first one is --help
		}
	}
	return append([]place{shell}, all...), nil
}

// repeats reports whether a flag may stand more than once.
func repeats(f *kong.Flag) bool { return f.IsSlice() }

// brief returns a text of --help in one line of a list: its first sentence, or as much as has room.
func brief(help string) string {
	const most = 70
	if first, _, found := strings.Cut(help, ". "); found {
		help = first
	}
	help = strings.TrimSuffix(help, ".")
	if len(help) <= most {
		return help
	}
	cut := strings.LastIndexByte(help[:most], ' ')
	return strings.TrimRight(help[:cut], " ,;:(") + " ..."
}

// bash returns the completion for bash, 3.2 of macOS included.
func bash(places []place) string {
	var values, next strings.Builder
	for _, at := range places {
		where := strings.Join(at.words, " ")
		var words, free []string
		for _, f := range at.flags {
			names := "--" + f.Name
			flag := "'" + where + "':--" + f.Name
			if f.Short != 0 {
				flag += "|'" + where + "':-" + string(f.Short)
			}
			words = append(words, names)
			switch {
			case f.IsBool():
			case app.Choices(f.Name) != nil:
				fmt.Fprintf(&values, "    %s) more='%s' ;;\n", flag, strings.Join(app.Choices(f.Name), " "))
			case f.PlaceHolder == "FILE":
				fmt.Fprintf(&values, "    %s) _agentshell_files -f; return ;;\n", flag)
			case f.PlaceHolder == "DIR":
				fmt.Fprintf(&values, "    %s) _agentshell_files -d; return ;;\n", flag)
			default:
				free = append(free, flag)
			}
		}
		if len(free) > 0 {
			fmt.Fprintf(&values, "    %s) return ;;\n", strings.Join(free, "|"))
		}
		var chosen []string
		for _, c := range at.more {
			chosen = append(chosen, c.word)
		}
		fmt.Fprintf(&next, "        '%s')\n            more='%s'\n", where, strings.Join(words, " "))
		if len(chosen) > 0 {
			fmt.Fprintf(&next, "            [[ $at == %d ]] && more+=' %s'\n", len(at.words)+1,
				strings.Join(chosen, " "))
		}
		next.WriteString("            ;;\n")
	}
	return strings.NewReplacer("{{known}}", deeper(places), "{{values}}", values.String(), "{{next}}", next.String()).
		Replace(bashText)
}

//go:embed completion.bash
var bashText string

// deeper returns the words of all places but the shell's own, as a pattern of bash.
func deeper(places []place) string {
	var all []string
	for _, at := range places[1:] {
		all = append(all, "'"+strings.Join(at.words, " ")+"'")
	}
	return strings.Join(all, "|")
}

// zsh returns the completion for zsh.
func zsh(places []place) string {
	var b strings.Builder
	b.WriteString("#compdef agentshell\n# Made by: agentshell completion zsh\n")
	for _, at := range places {
		fmt.Fprintf(&b, "\n_%s() {\n", strings.Join(append([]string{"agentshell"}, at.words...), "_"))
		if commands := at.more; len(commands) > 0 {
			b.WriteString("  local -a chosen=(\n")
			for _, c := range commands {
				// Within a word of _describe a colon ends the word.
				about := strings.ReplaceAll(brief(c.about), ":", `\:`)
				fmt.Fprintf(&b, "    %s\n", quote(strings.TrimSuffix(c.word+":"+about, ":")))
			}
			b.WriteString("  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n")
			b.WriteString("    _describe -t commands command chosen\n    return\n  fi\n  case $words[2] in\n")
			for _, c := range commands {
				if c.about != "" {
					fmt.Fprintf(&b, "  %s) shift words; (( CURRENT-- )); _%s; return ;;\n", c.word,
						strings.Join(append(append([]string{"agentshell"}, at.words...), c.word), "_"))
				}
			}
			b.WriteString("  esac\n")
		}
		b.WriteString("  _arguments")
		for _, f := range at.flags {
			about := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(brief(f.Help))
			times, takes := "", ""
			if repeats(f) {
				times = "*"
			}
			if !f.IsBool() {
				takes = ":" + f.FormatPlaceHolder() + ":" + zshValues(f)
			}
			name := "--" + f.Name
			if takes != "" {
				name += "="
			}
			fmt.Fprintf(&b, " \\\n    %s", quote(times+name+"["+about+"]"+takes))
			if f.Short != 0 {
				fmt.Fprintf(&b, " \\\n    %s", quote(times+"-"+string(f.Short)+"["+about+"]"+takes))
			}
		}
		b.WriteString("\n}\n")
	}
	return b.String() + "\n_agentshell \"$@\"\n"
}

func zshValues(f *kong.Flag) string {
	switch {
	case app.Choices(f.Name) != nil:
		return "(" + strings.Join(app.Choices(f.Name), " ") + ")"
	case f.PlaceHolder == "FILE":
		return "_files"
	case f.PlaceHolder == "DIR":
		return "_files -/"
	}
	return " "
}

// quote returns a text as one word of a shell that takes what stands in single quotes as it is.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// fish returns the completion for fish.
func fish(places []place) string {
	var b strings.Builder
	b.WriteString("# Made by: agentshell completion fish\ncomplete -c agentshell -f\n")
	for _, at := range places {
		where, open := "not __fish_seen_subcommand_from", "__fish_use_subcommand"
		if len(at.words) == 0 {
			for _, c := range at.more {
				where += " " + c.word
			}
		} else {
			where = "__fish_seen_subcommand_from " + strings.Join(at.words, "; and __fish_seen_subcommand_from ")
			open = where
			if len(at.more) > 0 {
				open += "; and not __fish_seen_subcommand_from"
			}
			for _, c := range at.more {
				open += " " + c.word
			}
		}
		for _, c := range at.more {
			fmt.Fprintf(&b, "complete -c agentshell -n %s -a %s", fishQuote(open), c.word)
			if c.about != "" {
				fmt.Fprintf(&b, " -d %s", fishQuote(brief(c.about)))
			}
			b.WriteString("\n")
		}
		for _, f := range at.flags {
			fmt.Fprintf(&b, "complete -c agentshell -n %s -l %s", fishQuote(where), f.Name)
			if f.Short != 0 {
				fmt.Fprintf(&b, " -s %c", f.Short)
			}
			switch {
			case f.IsBool():
			case app.Choices(f.Name) != nil:
				fmt.Fprintf(&b, " -x -a %s", fishQuote(strings.Join(app.Choices(f.Name), " ")))
			case f.PlaceHolder == "FILE":
				b.WriteString(" -r -F")
			case f.PlaceHolder == "DIR":
				b.WriteString(" -x -a '(__fish_complete_directories)'")
			default:
				b.WriteString(" -x")
			}
			fmt.Fprintf(&b, " -d %s\n", fishQuote(brief(f.Help)))
		}
	}
	return b.String()
}

func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
