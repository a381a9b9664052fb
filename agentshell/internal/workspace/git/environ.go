// Package git knows how to start git so that it inspects a repository without running anything that
// the repository names.
package git

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting is a git setting that is passed in environment variables.
type Setting struct{ Name, Value string }

// ForCommands holds the settings for git in commands of the model. Files of a workspace could look
// like a bare repository; with these settings git does not use one without --git-dir. Hooks,
// monitors and filters of the user's repository still work, because the user is asked before they
// change (see workspace.RunsCode).
var ForCommands = []Setting{{"safe.bareRepository", "explicit"}}

// ForInspecting holds the settings with which this program itself runs git to inspect a repository.
// With them git runs no program that the repository names, except filters of attributes and
// external diffs. No setting turns those off: git takes an empty value for a program and fails.
var ForInspecting = append(slices.Clip(ForCommands),
	Setting{"core.fsmonitor", "false"}, Setting{"core.hooksPath", "/dev/null"}, Setting{"core.pager", "cat"},
	Setting{"core.editor", "false"}, Setting{"core.sshCommand", "false"}, Setting{"core.askPass", "false"},
	Setting{"credential.helper", ""}, Setting{"protocol.allow", "never"},
	Setting{"protocol.ext.allow", "never"}, Setting{"gpg.program", "false"},
	Setting{"log.showSignature", "false"},
)

// ForReading holds the settings for git in commands that may only read.
var ForReading = append(slices.Clip(ForInspecting), Setting{"submodule.recurse", "false"},
	Setting{"diff.submodule", "short"}, Setting{"status.submoduleSummary", "false"},
	Setting{"core.untrackedCache", "false"}, Setting{"core.splitIndex", "false"})

// AddSettings returns environ with settings added. They have priority over all configuration files,
// and over earlier settings of the same name in environ.
func AddSettings(environ []string, settings []Setting) []string {
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

// Environ returns the environment with which this program runs git to inspect a repository. No
// hook, monitor, pager, editor, helper or transport of the repository runs, and git asks no
// questions and takes no lock. environ is this program's environment. off names further settings
// that are emptied, such as filters. A git diff also needs --no-ext-diff and --no-textconv.
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
	settings := slices.Clip(ForInspecting)
	for _, name := range off {
		settings = append(settings, Setting{Name: name})
	}
	return append(AddSettings(env, settings), "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
}
