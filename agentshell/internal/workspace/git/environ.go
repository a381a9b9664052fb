// Package git knows how to start git so that it inspects a repository without running anything that
// the repository names.
package git

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting is a setting of git that is passed on in the environment.
type Setting struct{ Name, Value string }

// ForCommands are the settings for every git in a command of the model. With them a directory that
// only looks like a repository is not taken for one: files of a workspace can make it look so. A
// bare repository of the person's needs --git-dir then. Nothing else is set: hooks, monitors and
// filters of the person's repository are part of how they work, and a person is asked before those
// change (see workspace.RunsCode).
var ForCommands = []Setting{{"safe.bareRepository", "explicit"}}

// ForInspecting are the settings for a git that this program starts itself to inspect a repository.
// With them git runs nothing that the repository names. No setting turns off all filters of
// attributes, or an external diff: git takes an empty one for a program and fails.
var ForInspecting = append(slices.Clip(ForCommands),
	Setting{"core.fsmonitor", "false"}, Setting{"core.hooksPath", "/dev/null"}, Setting{"core.pager", "cat"},
	Setting{"core.editor", "false"}, Setting{"core.sshCommand", "false"}, Setting{"core.askPass", "false"},
	Setting{"credential.helper", ""}, Setting{"protocol.allow", "never"},
	Setting{"protocol.ext.allow", "never"}, Setting{"gpg.program", "false"},
	Setting{"log.showSignature", "false"},
)

// ForReading are the settings for git in a command that may only read.
var ForReading = append(slices.Clip(ForInspecting), Setting{"submodule.recurse", "false"},
	Setting{"diff.submodule", "short"}, Setting{"status.submoduleSummary", "false"},
	Setting{"core.untrackedCache", "false"}, Setting{"core.splitIndex", "false"})

// AddSettings returns environ with settings added. They win over every configuration file and over
// earlier settings of the same name in environ.
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

// Environ returns the environment for a git that this program starts itself to inspect a
// repository. No hook, monitor, pager, editor, helper or transport of the repository runs, git asks
// nothing and takes no lock. environ is the program's own environment. off are further settings to
// empty, such as the filters that the repository names. Pass --no-ext-diff and --no-textconv to a
// diff besides.
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
