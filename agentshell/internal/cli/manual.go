package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
)

// printManual runs `agentshell man`: it prints the manual page.
func (l commandLine) printManual() (int, error) {
	points, err := l.completionPoints()
	if err != nil {
		return 0, err
	}
	_, err = io.WriteString(l.Stdout, manualPage(points, app.Version()))
	return headless.ExitDone, err
}

// manualEntry is an entry of a list in the manual page: a name and its description.
type manualEntry struct{ name, about string }

// environmentEntries returns descriptions of the environment variables that the program reads.
func environmentEntries() []manualEntry {
	return []manualEntry{
		{"ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL", "The key or token for Anthropic's models, " +
			"and the address of a server that speaks their language."},
		{"OPENAI_API_KEY, OPENAI_BASE_URL", "The key for OpenAI's models, and the address of a server that speaks " +
			"their language. A server on this machine needs no key."},
		{"VISUAL, EDITOR", "The editor for key e in the pane and for a long prompt."},
		{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME", "The base directories of the files below. Relative " +
			"values are ignored."},
		{"ACCESSIBLE", "If set, the same as --plain."},
		{"NO_COLOR", "If set, no colours are used."},
		{"TERM, COLORTERM, TMUX", "They tell the terminal's type and its colours."},
		{"SCROLLKEEP_PROSE, SCROLLKEEP_RESIZE, SCROLLKEEP_STRICT, SCROLLKEEP_STILL, SCROLLKEEP_NOTIFY, " +
			"SCROLLKEEP_LINKS, SCROLLKEEP_MARKS", "How the screen is drawn. docs/configuration.md describes them."},
	}
}

// fileEntries returns descriptions of the files and directories that the program uses.
func fileEntries() []manualEntry {
	return []manualEntry{
		{"~/.config/agentshell/config.toml", "The configuration file. Instructions (AGENTS.md), commands, skills, " +
			"rules, agents and themes stand beside it."},
		{"~/.local/state/agentshell", "Session logs, backups for /undo, and logins of MCP servers."},
		{".agentshell", "Commands, skills, rules and agents of a workspace. They are used after one question."},
		{"AGENTS.md", "Instructions of a workspace or of one of its directories."},
	}
}

// exampleEntries returns examples of command lines.
func exampleEntries() []manualEntry {
	return []manualEntry{
		{"agentshell", "Work in the current directory."},
		{"agentshell --demo", "Try the shell without a key and without network."},
		{"agentshell -c", "Resume the last session of this directory."},
		{`agentshell -p "why does the build fail?" <build.log`, "Answer one prompt on the standard output."},
		{`agentshell -p "fix the failing test" --mode edits --allow 'bash(go test *)'`, "Let files be changed and " +
			"one command be run without a person."},
		{"agentshell export --file session.html", "Write the last session of this directory as one HTML page."},
		{"agentshell doctor", "Find out what works in this terminal, and how to fix what does not."},
	}
}

// manualPage returns the manual page in the format of man(7). Its descriptions of flags are the
// texts of --help.
func manualPage(points []completionPoint, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH AGENTSHELL 1 \"\" %s\n", roffArg("agentshell "+version))
	b.WriteString(".SH NAME\nagentshell \\- a coding agent that shows every file change before it is written\n")
	b.WriteString(".SH SYNOPSIS\n")
	for i, point := range points {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(point.usage))
	}
	b.WriteString(".SH DESCRIPTION\n")
	top := points[0]
	for i, paragraph := range strings.Split(top.about, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(paragraph))
	}
	b.WriteString(".SH OPTIONS\n")
	described := map[string]bool{}
	for _, f := range top.flags {
		described[f.Name+f.Help] = true
		roffFlag(&b, f)
	}
	b.WriteString(".SH COMMANDS\n")
	for _, point := range points[1:] {
		fmt.Fprintf(&b, ".SS agentshell %s\n%s\n", roff(strings.Join(point.words, " ")), roff(point.about))
		var repeated []string
		for _, f := range point.flags {
			if described[f.Name+f.Help] {
				repeated = append(repeated, "\\fB"+roff("--"+f.Name)+"\\fR")
			}
		}
		if len(repeated) > 1 { // --help alone is no news
			fmt.Fprintf(&b, ".PP\nTakes, as above, %s.\n", strings.Join(repeated, ", "))
		}
		for _, f := range point.flags {
			if !described[f.Name+f.Help] {
				roffFlag(&b, f)
			}
		}
	}
	roffEntries(&b, "PROMPT COMMANDS", promptEntries())
	b.WriteString(".SH KEYS\n")
	for _, g := range (keymap.Map{}).List() {
		fmt.Fprintf(&b, ".SS %s\n", roff(g.Title))
		for _, r := range g.Rows {
			roffEntry(&b, manualEntry{r.Keys, r.About})
		}
	}
	roffEntries(&b, "EXIT STATUS", exitCodes())
	roffEntries(&b, "ENVIRONMENT", environmentEntries())
	roffEntries(&b, "FILES", fileEntries())
	roffEntries(&b, "EXAMPLES", exampleEntries())
	return b.String()
}

// promptEntries returns descriptions of the slash commands in the prompt.
func promptEntries() (list []manualEntry) {
	for _, c := range shell.BuiltinHelp(keymap.Map{}) {
		list = append(list, manualEntry{strings.TrimSpace(c.Name + " " + c.Args), c.About})
	}
	return list
}

// roffEntries writes a section of the manual page with a list of entries.
func roffEntries(b *strings.Builder, title string, list []manualEntry) {
	fmt.Fprintf(b, ".SH %s\n", title)
	for _, e := range list {
		roffEntry(b, e)
	}
}

// roffEntry writes one entry of a list.
func roffEntry(b *strings.Builder, e manualEntry) {
	fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(e.name), roff(e.about))
}

// roffFlag writes the entry of a flag.
func roffFlag(b *strings.Builder, f *kong.Flag) {
	b.WriteString(".TP\n")
	if f.Short != 0 {
		fmt.Fprintf(b, "\\fB\\-%c\\fR, ", f.Short)
	}
	fmt.Fprintf(b, "\\fB%s\\fR", roff("--"+f.Name))
	if !f.IsBool() {
		fmt.Fprintf(b, "=\\fI%s\\fR", roff(f.FormatPlaceHolder()))
	}
	fmt.Fprintf(b, "\n%s\n", roff(f.Help))
}

// roff escapes a text for a manual page, so that no part of it is a request or an escape of roff.
// Hyphens are written so that a command can be copied from the page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// roffArg returns a text as one argument of a roff request.
func roffArg(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `""`) + `"` }
