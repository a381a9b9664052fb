package app

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// ruleSettings returns the user's settings for rules, which watch what the model writes.
func (r *project) ruleSettings() streamrule.Settings {
	c := r.cfg.Rules
	return streamrule.Settings{NoBuiltin: c.Builtin != nil && !*c.Builtin, Disabled: c.Disabled,
		RepeatAfter: c.Repeat, Gentle: c.Interrupt == "never", KeepText: c.Context == "keep"}
}

// rules returns the rules that are in use: those of the user, of the workspace, and of agentshell.
func (r *project) rules() []streamrule.Rule { return r.ruleSettings().Apply(r.skills.Rules) }

// ruleNotices returns a notice for each name in rules.disabled of the config file that no rule has.
func (r *project) ruleNotices() (notices []string) {
	known := append(append([]streamrule.Rule{}, r.skills.Rules...), r.offeredSkills.Rules...)
	for _, name := range r.ruleSettings().Unknown(known) {
		notices = append(notices, "rules.disabled in the config file names "+name+": there is no rule of that name")
	}
	return notices
}

// structures returns the program (ast-grep) that finds the code patterns of rules.
func (r *project) structures(p Host) *streamrule.Program {
	s := &streamrule.Program{Programs: p.family.Programs, Env: tool.HelperEnviron(p.environ), TempDir: p.tempDir,
		Run: p.family.Run}
	if r.env.Confinement.Cell != nil {
		s.Cell = func(cmd *exec.Cmd, dir string) (*sandbox.Cell, error) {
			policy := sandbox.Policy{Workspace: dir, Environ: cmd.Env}
			if program, err := filepath.EvalSymlinks(cmd.Path); err == nil {
				policy.Readable = []string{filepath.Dir(program)}
			}
			return r.cell(policy, cmd, nil)
		}
	}
	return s
}

// ruleNames returns the names of the rules that watch the model's stream, without those that come
// with agentshell.
func ruleNames(rules []streamrule.Rule) string {
	var names []string
	for _, rule := range rules {
		if rule.OnStream() && !rule.Shipped {
			names = append(names, rule.Name)
		}
	}
	return strings.Join(names, ", ")
}
