package tool

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// dropped lists environment variables that commands do not get: they name files that bash would
// execute first, or other directories for cd.
var dropped = []string{"BASH_ENV", "ENV", "CDPATH"}

// unattended holds the environment variables that keep a command from waiting for a user: it gets
// no pager and no editor, and programs ask nothing. An editor fails with a message that says what
// to do instead. No variable replaces the user's git configuration; an ssh without a terminal asks
// only by SSH_ASKPASS, which is disabled.
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

// splitEditor is an editor that fails with the message in the variable splitEditorText. It also
// works in a script in which the shell splits it into words, as in ${EDITOR:-vi} FILE. The second
// eval is for git, whose shell expands the variable one level earlier. The file name follows a
// comment sign and so has no effect.
const (
	splitEditor     = "eval eval $" + splitEditorText
	splitEditorText = "AGENTSHELL_NO_EDITOR"
)

// noEditor returns a value for git's editor variables: a shell command that fails with a message
// that says what to do instead.
func noEditor(instead string) string {
	return `sh -c 'echo "There is no editor here: ` + instead + `." >&2; exit 1'`
}

// commandEnv returns the environment variables for a command: environ, which must not contain the
// user's keys (PANE-13), without variables that would make the command wait for a user, and with
// those of unattended. It may modify environ.
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

// HelperEnviron returns the environment variables for a helper program such as a language server,
// which are those of a command. environ is the environment of this process.
func HelperEnviron(environ []string) []string { return commandEnv(secret.ForCommands(environ)) }

// wantsTerminal matches messages of programs that have looked for a terminal or for an answer.
var wantsTerminal = lazyregexp.New(`(?i)/dev/tty|(not|isn't) (from )?(a|an) (interactive )?(tty|terminal)|` +
	`inappropriate ioctl|no tty present|failed tty|a terminal is required|terminal is dumb|error opening terminal|` +
	`(requires?|needs?|without) an? (interactive |controlling )?(tty|terminal)|EOF when reading|must be run from a ` +
	`terminal|cannot prompt|prompts? disabled|non-?interactive`)

// terminalHint returns a line for the model that says that commands have no terminal, if the output
// suggests that the command has failed for that reason, else "".
func terminalHint(output string) string {
	if !wantsTerminal().MatchString(output) {
		return ""
	}
	return "[a command has no terminal, and its input is empty: give answers by options, by files, or on the " +
		"standard input]\n"
}
