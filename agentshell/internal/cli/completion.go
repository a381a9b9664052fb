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

// completionFlags holds the arguments of `agentshell completion`.
type completionFlags struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// printCompletion runs `agentshell completion`: it prints the completion script for a shell.
func (l commandLine) printCompletion(f completionFlags) (int, error) {
	points, err := l.completionPoints()
	if err != nil {
		return 0, err
	}
	write := map[string]func([]completionPoint) string{"bash": bashCompletion, "zsh": zshCompletion,
		"fish": fishCompletion}[f.Shell]
	_, err = io.WriteString(l.Stdout, write(points))
	return headless.ExitDone, err
}

// completionPoint describes the words that can follow the beginning of a command line, such as
// "agentshell mcp".
type completionPoint struct {
	words   []string // The words after agentshell, such as "doctor" or "mcp", "add".
	usage   string   // The first line of the help text.
	about   string
	flags   []*kong.Flag
	choices []choice // Subcommands, or the values of an argument, that may follow.
}

// choice is a word that may follow. about is its description, or "".
type choice struct{ word, about string }

// completionPoints returns the completions for all beginnings of a command line. The first one is
// for agentshell without a subcommand.
func (l commandLine) completionPoints() ([]completionPoint, error) {
	var all []completionPoint
	shell := completionPoint{}
	for _, c := range commands() {
		parser, err := l.newParser(c, func() {})
		if err != nil {
			return nil, err
		}
		if c.word == "" {
			shell.usage, shell.about, shell.flags = c.usage(parser.Model.Node), c.about, parser.Model.Flags
			continue
		}
		shell.choices = append(shell.choices, choice{c.word, c.about})
		point := completionPoint{words: []string{c.word}, usage: c.usage(parser.Model.Node), about: c.about,
			flags: parser.Model.Flags}
		for _, arg := range parser.Model.Positional {
			if arg.Enum != "" {
				for _, value := range arg.EnumSlice() {
					point.choices = append(point.choices, choice{value, ""})
				}
			}
		}
		for _, child := range parser.Model.Children {
			point.choices = append(point.choices, choice{child.Name, child.Help})
		}
		all = append(all, point)
		for _, child := range parser.Model.Children {
			all = append(all,
				completionPoint{words: []string{c.word, child.Name}, usage: c.usage(child), about: child.Help,
					flags: append(parser.Model.Flags[:1:1], child.Flags...)}) // the first one is --help
		}
	}
	return append([]completionPoint{shell}, all...), nil
}

// repeats reports whether the flag may occur more than once in a command line.
func repeats(f *kong.Flag) bool { return f.IsSlice() }

// shortHelp returns the first sentence of a help text, cut to the length of a line.
func shortHelp(help string) string {
	const maxLen = 70
	if first, _, found := strings.Cut(help, ". "); found {
		help = first
	}
	help = strings.TrimSuffix(help, ".")
	if len(help) <= maxLen {
		return help
	}
	end := strings.LastIndexByte(help[:maxLen], ' ')
	return strings.TrimRight(help[:end], " ,;:(") + " ..."
}

// bashCompletion returns the completion script for bash. It works with version 3.2, which macOS
// has, and later.
func bashCompletion(points []completionPoint) string {
	var values, next strings.Builder
	for _, point := range points {
		pattern := strings.Join(point.words, " ")
		var words, valueFlags []string
		for _, f := range point.flags {
			names := "--" + f.Name
			flag := "'" + pattern + "':--" + f.Name
			if f.Short != 0 {
				flag += "|'" + pattern + "':-" + string(f.Short)
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
				valueFlags = append(valueFlags, flag)
			}
		}
		if len(valueFlags) > 0 {
			fmt.Fprintf(&values, "    %s) return ;;\n", strings.Join(valueFlags, "|"))
		}
		var chosen []string
		for _, c := range point.choices {
			chosen = append(chosen, c.word)
		}
		fmt.Fprintf(&next, "        '%s')\n            more='%s'\n", pattern, strings.Join(words, " "))
		if len(chosen) > 0 {
			fmt.Fprintf(&next, "            [[ $at == %d ]] && more+=' %s'\n", len(point.words)+1,
				strings.Join(chosen, " "))
		}
		next.WriteString("            ;;\n")
	}
	return strings.NewReplacer("{{known}}", subcommandPattern(points), "{{values}}", values.String(), "{{next}}",
		next.String()).
		Replace(bashText)
}

//go:embed completion.bash
var bashText string

// subcommandPattern returns a bash pattern that matches the words of each point but the first.
func subcommandPattern(points []completionPoint) string {
	var all []string
	for _, point := range points[1:] {
		all = append(all, "'"+strings.Join(point.words, " ")+"'")
	}
	return strings.Join(all, "|")
}

// zshCompletion returns the completion script for zsh.
func zshCompletion(points []completionPoint) string {
	var b strings.Builder
	b.WriteString("#compdef agentshell\n# Made by: agentshell completion zsh\n")
	for _, point := range points {
		fmt.Fprintf(&b, "\n_%s() {\n", strings.Join(append([]string{"agentshell"}, point.words...), "_"))
		if commands := point.choices; len(commands) > 0 {
			b.WriteString("  local -a chosen=(\n")
			for _, c := range commands {
				// Within a word of _describe a colon ends the word.
				about := strings.ReplaceAll(shortHelp(c.about), ":", `\:`)
				fmt.Fprintf(&b, "    %s\n", quote(strings.TrimSuffix(c.word+":"+about, ":")))
			}
			b.WriteString("  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n")
			b.WriteString("    _describe -t commands command chosen\n    return\n  fi\n  case $words[2] in\n")
			for _, c := range commands {
				if c.about != "" {
					fmt.Fprintf(&b, "  %s) shift words; (( CURRENT-- )); _%s; return ;;\n", c.word,
						strings.Join(append(append([]string{"agentshell"}, point.words...), c.word), "_"))
				}
			}
			b.WriteString("  esac\n")
		}
		b.WriteString("  _arguments")
		for _, f := range point.flags {
			about := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(shortHelp(f.Help))
			repeat, argument := "", ""
			if repeats(f) {
				repeat = "*"
			}
			if !f.IsBool() {
				argument = ":" + f.FormatPlaceHolder() + ":" + zshValues(f)
			}
			name := "--" + f.Name
			if argument != "" {
				name += "="
			}
			fmt.Fprintf(&b, " \\\n    %s", quote(repeat+name+"["+about+"]"+argument))
			if f.Short != 0 {
				fmt.Fprintf(&b, " \\\n    %s", quote(repeat+"-"+string(f.Short)+"["+about+"]"+argument))
			}
		}
		b.WriteString("\n}\n")
	}
	return b.String() + "\n_agentshell \"$@\"\n"
}

// zshValues returns the zsh completion for the value of a flag.
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

// quote returns a text as one word of a shell, in single quotes.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// fishCompletion returns the completion script for fish.
func fishCompletion(points []completionPoint) string {
	var b strings.Builder
	b.WriteString("# Made by: agentshell completion fish\ncomplete -c agentshell -f\n")
	for _, point := range points {
		condition, wordCondition := "not __fish_seen_subcommand_from", "__fish_use_subcommand"
		if len(point.words) == 0 {
			for _, c := range point.choices {
				condition += " " + c.word
			}
		} else {
			condition = "__fish_seen_subcommand_from " + strings.Join(point.words, "; and __fish_seen_subcommand_from ")
			wordCondition = condition
			if len(point.choices) > 0 {
				wordCondition += "; and not __fish_seen_subcommand_from"
			}
			for _, c := range point.choices {
				wordCondition += " " + c.word
			}
		}
		for _, c := range point.choices {
			fmt.Fprintf(&b, "complete -c agentshell -n %s -a %s", fishQuote(wordCondition), c.word)
			if c.about != "" {
				fmt.Fprintf(&b, " -d %s", fishQuote(shortHelp(c.about)))
			}
			b.WriteString("\n")
		}
		for _, f := range point.flags {
			fmt.Fprintf(&b, "complete -c agentshell -n %s -l %s", fishQuote(condition), f.Name)
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
			fmt.Fprintf(&b, " -d %s\n", fishQuote(shortHelp(f.Help)))
		}
	}
	return b.String()
}

// fishQuote returns a text as one word of fish, in single quotes.
func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
