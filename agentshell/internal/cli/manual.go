package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// printManual handles `agentshell man`: it prints the manual page.
func (l commandLine) printManual() (int, error) {
	points, err := l.completionPoints()
	if err != nil {
		return 0, err
	}
	_, err = io.WriteString(l.Stdout, manualPage(points, app.Version()))
	return headless.ExitDone, err
}

const manualFiles = `.SH FILES
.TP
.I ~/.config/agentshell/config.toml
The configuration file; $XDG_CONFIG_HOME is honoured. Instructions, commands, skills, rules and themes stand beside it.
.TP
.I ~/.local/state/agentshell
Session logs, what /undo needs, and logins of MCP servers; $XDG_STATE_HOME is honoured.
`

// manualPage returns the manual page in the language of man(7). It is made from the texts of
// --help.
func manualPage(points []completionPoint, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH AGENTSHELL 1 \"\" %s\n", roffArg("agentshell "+version))
	b.WriteString(".SH NAME\nagentshell \\- a shell for working with a language model on files\n")
	b.WriteString(".SH SYNOPSIS\n")
	for i, point := range points {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(point.usage))
	}
	b.WriteString(".SH DESCRIPTION\n")
	shell := points[0]
	for i, paragraph := range strings.Split(shell.about, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(paragraph))
	}
	b.WriteString(".SH OPTIONS\n")
	described := map[string]bool{}
	for _, f := range shell.flags {
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
	return b.String() + manualFiles
}

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

// roff escapes a text for man: no part of it is a request or an escape, and hyphens can be copied
// into a command line.
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

// roffArg returns a text as one argument of a request.
func roffArg(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `""`) + `"` }
