package tool

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// dropped are variables that a command does not get: files that bash would run first, and other
// places where cd would look first.
var dropped = []string{"BASH_ENV", "ENV", "CDPATH"}

// unattended are variables of a command, for which nobody looks at a pager or answers a question.
// The editors fail with a sentence; programs have a shell read them. Nothing is set that a person's
// configuration of git would be passed over for: an ssh that has no terminal asks nothing but by
// SSH_ASKPASS.
var unattended = []struct{ name, value string }{
	{"TERM", "dumb"},
	{"PAGER", "cat"},
	{"GIT_PAGER", "cat"},
	{"GIT_EDITOR", noEditor("give the text by an option such as -m or -F; GIT_EDITOR=true keeps what is there")},
	{"GIT_SEQUENCE_EDITOR", noEditor("set GIT_SEQUENCE_EDITOR to a command that edits the list, such as sed -i")},
	{"EDITOR", splitEditor},
	{"VISUAL", splitEditor},
	{splitEditorText, `echo "There is no editor here: give the text by an option, by a file, or on the standard ` +
		`input." >&2; false #`},
	{"GIT_TERMINAL_PROMPT", "0"},
	{"SSH_ASKPASS_REQUIRE", "never"},
	{"DEBIAN_FRONTEND", "noninteractive"},
	{"APT_LISTCHANGES_FRONTEND", "none"},
	{"npm_config_yes", "true"}, // as npx does it without a terminal
	{"PIP_NO_INPUT", "1"},
	{"GH_PROMPT_DISABLED", "1"},
	{"COMPOSER_NO_INTERACTION", "1"},
	{"TF_INPUT", "0"},
}

// splitEditor is an editor that fails at once as splitEditorText says, also where a script has the
// shell split it into words: ${EDITOR:-vi} FILE. Git's shell expands the variable a level earlier,
// which the second eval allows for; the name of the file stands behind a comment's mark.
const (
	splitEditor     = "eval eval $" + splitEditorText
	splitEditorText = "AGENTSHELL_NO_EDITOR"
)

// noEditor returns an editor for git, which has a shell read it. It fails at once and says what to
// do instead.
func noEditor(instead string) string {
	return `sh -c 'echo "There is no editor here: ` + instead + `." >&2; exit 1'`
}

// commandEnv returns environ, which holds no keys (PANE-13), without what would wait for a person.
// It may use the list.
func commandEnv(environ []string) []string {
	env := slices.DeleteFunc(environ, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		for _, u := range unattended {
			if strings.ToUpper(u.name) == name {
				return true
			}
		}
		return slices.Contains(dropped, name)
	})
	for _, u := range unattended {
		env = append(env, u.name+"="+u.value)
	}
	return env
}

// HelperEnviron returns the environment of a program that runs beside the conversation, such as a
// language server: that of a command. environ is that of this process.
func HelperEnviron(environ []string) []string { return commandEnv(secret.ForCommands(environ)) }

// wantsTerminal finds what programs say that look for a terminal or for an answer.
var wantsTerminal = lazyregexp.New(`(?i)/dev/tty|(not|isn't) (from )?(a|an) (interactive )?(tty|terminal)|` +
	`inappropriate ioctl|no tty present|failed tty|a terminal is required|terminal is dumb|error opening terminal|` +
	`(requires?|needs?|without) an? (interactive |controlling )?(tty|terminal)|EOF when reading|must be run from a ` +
	`terminal|cannot prompt|prompts? disabled|non-?interactive`)

// terminalHint says that a command has no terminal, if it may have failed for that; else "".
func terminalHint(output string) string {
	if !wantsTerminal().MatchString(output) {
		return ""
	}
	return "[a command has no terminal, and its input is empty: give answers by options, by files, or on the " +
		"standard input]\n"
}
