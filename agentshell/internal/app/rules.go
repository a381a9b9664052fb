package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// rules returns the rules of the config file and the flags.
func rules(f Options, cfg config.Config) ([]approval.Entry, error) {
	var entries []approval.Entry
	tools := tool.Traits()
	for _, source := range []struct {
		origin, where    string
		allow, ask, deny []string
	}{{"config", "the config file: ", cfg.Allow, cfg.Ask, cfg.Deny}, {"flag", "", f.Allow, f.Ask, f.Deny}} {
		for _, verb := range []struct {
			action approval.Action
			name   string
			rules  []string
		}{{approval.Deny, "deny", source.deny}, {approval.Ask, "ask", source.ask},
			{approval.Allow, "allow", source.allow}} {
			for _, text := range verb.rules {
				rule, err := approval.ParseRule(verb.action, text)
				if err == nil {
					err = tools.Check(rule)
				}
				if err != nil {
					return nil, usage("%s%s rule %q: %w", source.where, verb.name, text, err)
				}
				entries = append(entries, approval.Entry{Rule: rule, Origin: source.origin})
			}
		}
	}
	return entries, nil
}

// decide makes the policy. What the command line wants and the workspace forbids is an error; what
// the config wants then is left away. path is the PATH of commands.
func (r *project) decide(configDir, path string) error {
	broad, mode := r.ws.WhyBroad(), r.mode.value
	if broad != "" && r.mode.from == byFile {
		mode = ""
	}
	if broad != "" {
		r.notices = append(r.notices, broad+", so only mode ask is allowed")
	}
	var err error
	rules := approval.PolicyConfig{Mode: mode, Rules: r.settings.rules, Broad: broad,
		Folds: r.ws.FoldsCase, Tools: tool.Traits(),
		Finds: func(dir, name string) string {
			if !filepath.IsAbs(dir) {
				dir = r.ws.Dir() + string(filepath.Separator) + dir
			}
			return child.ResolveProgram(path, dir, name)
		}}
	if configDir != "" && !r.demo {
		store := grant.Store{File: filepath.Join(configDir, "rules.json"), Workspace: r.ws.Dir()}
		rules.Rules, rules.Keeper = append(r.settings.rules, r.kept(store)...), store
	}
	if r.policy, err = approval.NewPolicy(rules); err != nil {
		return usageError{err}
	}
	return nil
}
