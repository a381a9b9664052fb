package tool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// gitSetting is a setting of git that an environment can carry: a name and a value.
type gitSetting struct{ name, value string }

// commandGit is set for every git below a command of the model's: a directory that only looks like
// a repository is none, as files of a workspace can make it so; one of the person's without a work
// tree is reached by --git-dir. Hooks, monitors and filters of the person's repository are part of
// how they work, and who may change those is asked (see workspace.RunsCode), so nothing else is set
// there.
var commandGit = []gitSetting{{"safe.bareRepository", "explicit"}}

// ownGit is set for a git that this program starts by itself to look at a repository: besides,
// nothing that the repository names is run. No setting turns off all filters of attributes, or an
// external diff: git takes an empty one for a program and fails.
var ownGit = append(slices.Clip(commandGit),
	gitSetting{"core.fsmonitor", "false"}, gitSetting{"core.hooksPath", "/dev/null"}, gitSetting{"core.pager", "cat"},
	gitSetting{"core.editor", "false"}, gitSetting{"core.sshCommand", "false"}, gitSetting{"core.askPass", "false"},
	gitSetting{"credential.helper", ""}, gitSetting{"protocol.allow", "never"},
	gitSetting{"protocol.ext.allow", "never"}, gitSetting{"gpg.program", "false"},
	gitSetting{"log.showSignature", "false"},
)

// withGit adds settings to those that an environment has already; they win over every file, and
// over those of the same name before.
func withGit(environ []string, settings []gitSetting) []string {
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
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, s.name),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, s.value))
	}
	return append(env, fmt.Sprintf("%s=%d", count, n+len(settings)))
}

// GitEnv returns the environment for a git that this program starts by itself to look at a
// repository: no hook, monitor, pager, editor, helper or transport of it runs, nothing is asked,
// and it takes no lock. environ is the program's own. off are further settings that have to be
// empty, such as the filters that the repository names. Diffs need --no-ext-diff and --no-textconv
// besides.
func GitEnv(environ []string, off ...string) []string {
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
	settings := slices.Clip(ownGit)
	for _, name := range off {
		settings = append(settings, gitSetting{name: name})
	}
	return append(withGit(env, settings), "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
}
