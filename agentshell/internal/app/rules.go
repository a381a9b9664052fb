package app

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// parseRules parses the approval rules of the configuration file and of the command line.
func parseRules(f Options, cfg config.Config) ([]approval.Entry, error) {
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
				if why := rule.WhyNever(); err == nil && why != "" {
					err = errors.New("it would never hold: " + why)
				}
				if err != nil {
					return nil, UsageErrorf("%s%s rule %q: %w", source.where, verb.name, text, err)
				}
				entries = append(entries, approval.Entry{Rule: rule, Origin: source.origin})
			}
		}
	}
	return entries, nil
}

// newPolicy creates the approval policy. It returns an error if the command line wants a mode that
// the workspace does not allow. If the configuration file wants such a mode, it is ignored.
func (r *project) newPolicy(configDir, commandPath, home string) error {
	if !filepath.IsAbs(home) {
		for _, e := range r.settings.rules {
			if e.Rule.NamesHome() {
				return UsageErrorf("rule %q: HOME is not set, so ~ has no meaning", e.Rule)
			}
		}
	}
	broadReason, mode := r.ws.WhyBroad(), r.mode.value
	if broadReason != "" && r.mode.from == byFile {
		mode = ""
	}
	if broadReason != "" {
		r.notices = append(r.notices, broadReason+", so only mode ask is allowed")
	}
	var err error
	cfg := approval.PolicyConfig{Mode: mode, Rules: r.settings.rules, Broad: broadReason,
		Folds: r.ws.FoldsCase, InHome: inHome(r.ws, home), Tools: tool.Traits(),
		Finds: func(dir, name string) string {
			if !filepath.IsAbs(dir) {
				dir = r.ws.Dir() + string(filepath.Separator) + dir
			}
			return child.ResolveProgram(commandPath, dir, name)
		}}
	if configDir != "" && !r.demo {
		store := grant.Store{File: filepath.Join(configDir, rulesFile), Workspace: r.ws.Dir()}
		r.notices = append(r.notices, keptRuleProblems(store)...)
		cfg.Keeper = store
	}
	if r.policy, err = approval.NewPolicy(cfg); err != nil {
		return usageError{err}
	}
	return nil
}

// inHome returns the function that matches paths of a workspace with globs below the home
// directory, for approval rules. It returns nil if there is no home directory.
func inHome(ws *workspace.Workspace, home string) approval.InHome {
	if !filepath.IsAbs(home) {
		return nil
	}
	form := func(path string, how approval.HomeMatch) string {
		if how.Folded {
			return fold.Path(path)
		}
		return path
	}
	matches := func(full, dir, glob string, how approval.HomeMatch) bool {
		rel, err := filepath.Rel(form(dir, how), form(full, how))
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		ok, err := doublestar.Match(form(glob, how), filepath.ToSlash(rel))
		return err == nil && ok
	}
	return func(path, glob string, how approval.HomeMatch) bool {
		dir, rest := doublestar.SplitPattern(glob)
		is := func(full string) bool {
			return matches(full, resolveLinks(home), glob, how) ||
				how.Links && matches(full, resolveLinks(filepath.Join(home, dir)), rest, how)
		}
		all := ws.AbsMatches(path)
		if how.Links {
			return slices.ContainsFunc(all, is)
		}
		return !slices.ContainsFunc(all, func(full string) bool { return !is(full) })
	}
}
