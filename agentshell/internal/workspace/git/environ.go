// Package git knows how a git is started that looks at a repository and runs nothing of it.
package git

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting is a setting of git that an environment can carry.
type Setting struct{ Name, Value string }

// ForCommands is set for every git below a command of the model's: a directory that only looks like
// a repository is none, as files of a workspace can make it so; one of the person's without a work
// tree is reached by --git-dir. Hooks, monitors and filters of the person's repository are part of
// how they work, and who may change those is asked (see workspace.RunsCode), so nothing else is set
// there.
var ForCommands = []Setting{{"safe.bareRepository", "explicit"}}

// ForLooking is set for a git that this program starts by itself to look at a repository: besides,
// nothing that the repository names is run. No setting turns off all filters of attributes, or an
// external diff: git takes an empty one for a program and fails.
var ForLooking = append(slices.Clip(ForCommands),
	Setting{"core.fsmonitor", "false"}, Setting{"core.hooksPath", "/dev/null"}, Setting{"core.pager", "cat"},
	Setting{"core.editor", "false"}, Setting{"core.sshCommand", "false"}, Setting{"core.askPass", "false"},
	Setting{"credential.helper", ""}, Setting{"protocol.allow", "never"},
	Setting{"protocol.ext.allow", "never"}, Setting{"gpg.program", "false"},
	Setting{"log.showSignature", "false"},
)

// ForReading is set for a git of a command that may only read, beside ForLooking.
var ForReading = append(slices.Clip(ForLooking), Setting{"submodule.recurse", "false"},
	Setting{"diff.submodule", "short"}, Setting{"status.submoduleSummary", "false"},
	Setting{"core.untrackedCache", "false"}, Setting{"core.splitIndex", "false"})

// With adds settings to those that an environment has already; they win over every file, and
// over those of the same name before.
func With(environ []string, settings []Setting) []string {
	const count = "GIT_CONFIG_COUNT"
	if len(settings) == 0 {
		return environ
	}
	n, at := 0, -1
	for i, v := range environ {
		if text, ok := strings.CutPrefix(v, count+"="); ok {
			var err error
			if n, err = strconv.Atoi(text); err != nil || n < 0 {
				if text != "" {
					return environ // git refuses to run with it
				}
				n = 0
			}
			at = i
		}
	}
	env := slices.Clone(environ)
	if at >= 0 {
		env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, count+"=") })
	}
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, s.Name),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, s.Value))
	}
	return append(env, fmt.Sprintf("%s=%d", count, n+len(settings)))
}

// Environ returns the environment for a git that this program starts by itself to look at a
// repository: no hook, monitor, pager, editor, helper or transport of it runs, nothing is asked,
// and it takes no lock. environ is the program's own. off are further settings that have to be
// empty, such as the filters that the repository names. Diffs need --no-ext-diff and --no-textconv
// besides.
func Environ(environ []string, off ...string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR",
			"GIT_PROXY_COMMAND",
			"GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
			return true
		}
		return false
	})
	settings := slices.Clip(ForLooking)
	for _, name := range off {
		settings = append(settings, Setting{Name: name})
	}
	return append(With(env, settings), "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
}
