package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// RulesOptions holds the options of `agentshell rules`.
type RulesOptions struct {
	Import struct {
		File       string `arg:"" help:"The settings, such as .claude/settings.json."`
		Write      bool   `help:"Keep the allow rules. Without it they are only shown."`
		Everywhere bool   `help:"Keep them for all workspaces."`
		Workspace  string `placeholder:"DIR" default:"." help:"The workspace for which they are kept. Default: the current directory."`
	} `cmd:"" help:"Show how the rules in another program's settings are taken over. --write keeps them: agentshell rules import .claude/settings.json"`
}

// Rules handles `agentshell rules import FILE`: it shows or stores the approval rules in the
// settings of another program. It stores only rules that allow. Rules that ask or deny belong in
// the configuration file, which the user writes.
func (p Host) Rules(f RulesOptions) (int, error) {
	o := f.Import
	text, err := regular.ReadFile(o.File)
	if err != nil {
		return 0, usageError{err}
	}
	list, others, err := approval.ImportRules(text)
	if err != nil {
		return 0, UsageErrorf("%s: %w", o.File, err)
	}
	for i, imported := range list {
		list[i] = checkImported(imported)
	}
	keep := p.showImported(list)
	for _, line := range others {
		PrintLine(p.Stdout, "not taken  %s", visibleText(line))
	}
	switch {
	case len(keep) == 0:
		return headless.ExitDone, nil
	case !o.Write:
		PrintLine(p.Stdout, "Nothing was written. --write keeps the allow rules.")
		return headless.ExitDone, nil
	}
	dir, err := realPath(o.Workspace)
	if err != nil {
		return 0, UsageErrorf("--workspace: %w", err)
	}
	store := grant.Store{File: filepath.Join(config.Dir(p.getenv), rulesFile), Workspace: dir}
	for _, rule := range keep {
		if err := store.Keep(rule, o.Everywhere); err != nil {
			return 0, err
		}
	}
	PrintLine(p.Stdout, "%d rules are kept in %s. /rules lists them.", len(keep), store.File)
	return headless.ExitDone, nil
}

// checkImported returns i without its rules, and with a reason, if no tool of agentshell accepts
// one of them.
func checkImported(i approval.Imported) approval.Imported {
	for _, text := range i.Rules {
		r, err := approval.ParseRule(i.Action, text)
		if err == nil {
			err = tool.Traits().Check(r)
		}
		if err != nil {
			i.Rules, i.Why = nil, err.Error()
			return i
		}
	}
	return i
}

// showImported prints how the rules of another program are translated. It returns the rules that
// allow and can be stored.
func (p Host) showImported(list []approval.Imported) (keep []string) {
	all, file := map[approval.Action][]string{}, filepath.Join(config.Dir(p.getenv), "config.toml")
	for _, i := range list {
		if i.Why != "" {
			PrintLine(p.Stdout, "not taken  %s %s: %s", i.Action, visibleText(i.From), visibleText(i.Why))
			continue
		}
		for _, rule := range i.Rules {
			PrintLine(p.Stdout, "%-9s  %s", i.Action, visibleText(rule))
			if i.Action == approval.Allow && !slices.Contains(keep, rule) {
				keep = append(keep, rule)
			} else if i.Action != approval.Allow {
				all[i.Action] = append(all[i.Action], fmt.Sprintf("%q", rule))
			}
		}
	}
	for _, a := range []approval.Action{approval.Ask, approval.Deny} {
		if len(all[a]) > 0 {
			PrintLine(p.Stdout, "For the config file %s: %s = [%s]", visibleText(file), a,
				visibleText(strings.Join(all[a], ", ")))
		}
	}
	return keep
}

// visibleText returns s with its control and hidden characters made visible.
func visibleText(s string) string {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(strings.TrimRight(s, "\n"))
	return s
}
