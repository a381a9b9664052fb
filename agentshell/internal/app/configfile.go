package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
)

// configFile shows the settings of a session with their origins, and changes settings in the
// configuration file. It implements [shell.Settings].
type configFile struct {
	project *project
	host    Host
}

// All implements [shell.Settings]: it returns all settings with their values and origins.
func (c configFile) All() (list []shell.Setting, err error) {
	f, err := config.ReadFile(config.Dir(c.host.getenv))
	if err != nil {
		return nil, err
	}
	for _, s := range config.Settings() {
		one := shell.Setting{Name: s.Name, Value: s.Default, From: "default", About: s.About, Choices: c.choices(s)}
		if line := f.Line(s); line > 0 {
			one.Value, one.From = s.Text(f.Config), "config.toml:"+strconv.Itoa(line)
			if !strings.HasSuffix(one.Value, config.Hidden) {
				one.Typed = plainValue(s, one.Value)
			}
		} else if s.ByHand {
			one.Value = "none"
		}
		if s.ByHand {
			one.ByHand = "It is changed in the file itself: " + cmp.Or(f.Path, "there is none") + "."
		}
		if value, from := c.override(s); from != "" {
			one.Value, one.From = value, from
		}
		one.Value = c.project.secrets.Redact(one.Value)
		list = append(list, one)
	}
	return list, nil
}

// plainValue returns a value as the user types it: a text without quotes, if it has no special
// characters.
func plainValue(s config.Setting, value string) string {
	if s.Kind() == config.KindText {
		if text, err := strconv.Unquote(value); err == nil && !strings.ContainsAny(text, "\"\\'") {
			return text
		}
	}
	return value
}

// choices returns the values that a setting can have. It returns nil if any value is possible.
func (c configFile) choices(s config.Setting) []string {
	switch {
	case s.Name == "theme":
		var names []string
		all, _ := c.host.themes().All()
		for _, t := range all {
			names = append(names, t.Name)
		}
		return names
	case s.Kind() == config.KindSwitch:
		return []string{"true", "false"}
	}
	return s.Choices
}

// override returns the value of a setting that is not taken from the configuration file, and where
// it comes from, such as a flag. Both are "" if nothing overrides the file.
func (c configFile) override(s config.Setting) (value, from string) {
	r := c.project
	o := r.settings.Options
	flag := func(set bool, value, name string) (string, string) {
		if !set {
			return "", ""
		}
		return value, name
	}
	switch s.Name {
	case "provider":
		return flag(o.Provider != "", o.Provider, "--provider")
	case "model":
		return flag(o.Model != "", o.Model, "--model")
	case "effort":
		return flag(o.Effort != "", o.Effort, "--effort")
	case "mode":
		return flag(o.Mode != "", o.Mode, "--mode")
	case "max_steps":
		return flag(o.MaxTurns != 0, strconv.Itoa(o.MaxTurns), "--max-turns")
	case "max_cost":
		return flag(o.MaxCost != 0, fmt.Sprint(o.MaxCost), "--max-cost")
	case "allow", "ask", "deny":
		given := map[string][]string{"allow": o.Allow, "ask": o.Ask, "deny": o.Deny}[s.Name]
		inFile := map[string][]string{"allow": r.cfg.Allow, "ask": r.cfg.Ask, "deny": r.cfg.Deny}[s.Name]
		return flag(len(given) > 0, strings.Join(slices.Concat(inFile, given), ", "), "config.toml and --"+s.Name)
	case "add_dirs":
		return flag(len(o.AddDir) > 0, strings.Join(slices.Concat(r.cfg.AddDirs, o.AddDir), ", "),
			"config.toml and --add-dir")
	case "base_url":
		name := serviceNamed(r.service).urlName
		return flag(name != "" && c.host.getenv(name) != "", config.ShownURL(c.host.getenv(name)), name)
	case "key_command":
		name := serviceNamed(r.service).keyName
		return flag(name != "" && c.host.getenv(name) != "", "not used", "the key is in "+name)
	case "github.host":
		return flag(r.cfg.GitHub.Host == "" && c.host.getenv("GH_HOST") != "", c.host.getenv("GH_HOST"), "GH_HOST")
	case "sandbox":
		use, known := c.host.answers(aboutSandbox).Lookup(r.ws.Dir(), sandboxAnswer)
		if known && r.cfg.Sandbox != "off" {
			return map[bool]string{true: "on", false: "off"}[use], "your answer for this workspace"
		}
	}
	return "", ""
}

// Change implements [shell.Settings]: it prepares a change of the configuration file, which the
// user has to approve.
func (c configFile) Change(name, typed string) (shell.SettingChange, error) {
	f, err := config.ReadFile(config.Dir(c.host.getenv))
	if err != nil {
		return shell.SettingChange{}, err
	}
	all := config.Settings()
	i := slices.IndexFunc(all, func(s config.Setting) bool { return s.Name == name })
	if i < 0 {
		return shell.SettingChange{}, errors.New("there is no setting " + name)
	}
	if c.project.secrets.Redact(typed) != typed {
		return shell.SettingChange{}, errors.New("the value holds a secret; key_command and key_env keep it " +
			"out of the file")
	}
	if choices := c.choices(all[i]); name == "theme" && !slices.Contains(append(choices, "default"),
		strings.Trim(typed, `"`)) {
		return shell.SettingChange{}, fmt.Errorf("there is no theme %s; there are %s", typed,
			strings.Join(choices, ", "))
	}
	change, err := f.Change(all[i], typed)
	if err != nil {
		return shell.SettingChange{}, err
	}
	if change.Old == change.New {
		return shell.SettingChange{}, nil
	}
	result := shell.SettingChange{Patch: change.Patch(), Write: change.Write,
		Question: "Write this into " + change.Path + "? Everything else in it stays.",
		Since:    "It holds from the next start of agentshell."}
	if now := map[string]string{"model": "/model", "mode": "/mode", "effort": "/effort",
		"sandbox": "/sandbox", "add_dirs": "/add-dir"}[name]; now != "" {
		result.Since += " " + now + " changes this session."
	}
	if _, from := c.override(all[i]); strings.HasPrefix(from, "--") {
		result.Since += " This session runs with " + from + "."
	}
	if slices.Contains([]string{"theme", "status", "title", "keys.vim"}, name) {
		result.Since = "It holds from now on."
		result.Appearance = func() shell.Appearance {
			cfg, _ := config.Load(config.Dir(c.host.getenv)) // it cannot fail: the file was written a moment ago
			look, _ := c.host.appearance(c.project, cfg)
			return look
		}
	}
	result.Question = c.project.secrets.Redact(result.Question)
	result.Patch = c.project.secrets.Redact(result.Patch)
	return result, nil
}

// appearance returns the theme and the other settings for the look of the shell, by the
// configuration cfg. notices are about a theme that cannot be used.
func (p Host) appearance(r *project, cfg config.Config) (look shell.Appearance, notices []string) {
	_, thinking := r.chosenAnswering()
	look = shell.Appearance{Vim: cfg.Vim, Thinking: thinking, Themes: p.themes(),
		SetTitle: cfg.Title == nil || *cfg.Title, Status: cfg.Status,
		Branch: func() string { return briefing.Branch(r.dir) }}
	look.Theme, notices = p.loadTheme(cfg.Theme)
	return look, notices
}
