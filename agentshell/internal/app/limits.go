package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
)

// modelInfo returns a function that returns the context window, the limits and the prices of a
// model: from the configuration file, else from the built-in table. If script is true, the table is
// not used.
func modelInfo(cfg config.Config, script bool) func(name string) window.Model {
	return func(name string) window.Model {
		var m window.Model
		if !script {
			m, _ = window.Lookup(name)
		}
		configured := cfg.Models[name]
		m.Window, m.Output = cmp.Or(configured.Window, m.Window), cmp.Or(configured.Output, m.Output)
		if configured.Input > 0 || configured.Answer > 0 {
			m.Price = window.Price{Input: configured.Input, Output: configured.Answer,
				CacheRead: cmp.Or(configured.CacheRead, configured.Input), CacheWrite: cmp.Or(configured.CacheWrite,
					configured.Input)}
		}
		return m
	}
}

// modelInfo returns the context window, the limits and the prices of a model. A server without a
// key has no prices but those of the configuration.
func (r *project) modelInfo(name string) window.Model {
	m := modelInfo(r.cfg, r.script)(name)
	if own := r.cfg.Models[name]; r.keyless && own.Input == 0 && own.Answer == 0 && own.Provider == "" &&
		own.KeyEnv == "" && len(own.KeyCommand) == 0 {
		m.Price = window.Price{}
	}
	return m
}

// isWindowAssumed reports whether the size of a model's context window is not known.
func (r *project) isWindowAssumed(name string) bool {
	_, known := window.Lookup(name)
	return !known && !r.script && r.cfg.Models[name].Window == 0
}

// changeModel makes agent a use the model of that name from now on, and stores the choice.
func (r *conversation) changeModel(a *agent.Agent, name string) error {
	m, err := r.newModel(name)
	if err != nil {
		return err
	}
	err = r.useModel(a, m)
	r.noteChoice()
	return err
}

// useModel makes agent a use the model m from now on. It adapts the tools to the model.
func (r *conversation) useModel(a *agent.Agent, m provider.Model) error {
	a.SetModel(m)
	r.limitForeignTools(m.Name())
	return r.offerSight(m)
}

// limitForeignTools sets how much of the model's context window the tools of MCP servers may take.
// If they take more, they are hidden.
func (r *conversation) limitForeignTools(model string) {
	percent := cmp.Or(r.cfg.HideToolsAt, 10)
	tokens := r.modelInfo(model).Window * percent / 100
	r.tools.HideIf(func(specs []provider.Tool) bool { return tokens > 0 && window.FixedTokens("", specs) > tokens })
}

// artifactScheme is the beginning of the addresses by which the model reads texts of the session
// log.
const artifactScheme = "artifact://"

// conversationName is the name after artifactScheme by which the model reads the whole
// conversation.
const conversationName = "conversation"

// sources tells where the model can read what a compaction leaves out: in the session log. The
// result is empty if there is no log.
func (r *conversation) sources() window.Sources {
	if r.log == nil {
		return window.Sources{}
	}
	return window.Sources{Conversation: artifactScheme + conversationName,
		Keep: func(text string) string { return artifactScheme + r.log.TextName(text) }}
}

// addresses returns what read_file can read besides files, by the scheme of the address.
func (r *conversation) addresses() tool.Addresses {
	artifact := func(_ context.Context, id string) (string, error) {
		switch {
		case tool.IsOutput(id):
			return r.outputs.Text(id)
		case strings.HasPrefix(id, pastedPrefix):
			return readPasted(r.pastedDir, id)
		case r.log == nil:
			return "", fmt.Errorf("no log of this session is kept")
		case id != conversationName:
			return r.log.Text(id)
		}
		messages, err := r.log.FullConversation()
		return window.Transcript(messages), err
	}
	skillText := func(_ context.Context, name string) (string, error) { return r.skills.Read(name) }
	all := tool.Addresses{strings.TrimSuffix(artifactScheme, "://"): artifact, skill.Scheme: skillText,
		"rule": r.ruleText}
	if r.env.Memory != nil {
		all[memory.Scheme] = r.env.Memory.Notes.Address
	}
	return all
}

// ruleText returns the text of the rule of that name, if the rule is in use.
func (r *conversation) ruleText(_ context.Context, name string) (string, error) {
	for _, rule := range r.rules() {
		if rule.Name == name {
			return rule.Text, nil
		}
	}
	return "", errors.New("there is no such rule")
}

// modelLine describes a model for /model. known is false if the size of its context window is
// assumed.
func modelLine(m window.Model, known bool) string {
	var parts []string
	if m.Window > 0 {
		parts = append(parts, fmt.Sprintf("window: %d tokens", m.Window))
	}
	if !known {
		parts = append(parts, "(assumed; [models.\"NAME\"] in the config file can say: window, output, price_input, "+
			"price_output)")
	}
	if p := m.Price; p.Known() {
		price := fmt.Sprintf("price of a million tokens: $%g, answers $%g", p.Input, p.Output)
		if p.Date != "" {
			price += ", as of " + p.Date
		}
		parts = append(parts, price)
	}
	return strings.Join(parts, " ")
}

// windowText returns the size of a context window, such as "200k tokens" or "1M tokens".
func windowText(tokens int) string {
	if tokens < 1_000_000 {
		return fmt.Sprintf("%dk tokens", tokens/1000)
	}
	return fmt.Sprintf("%gM tokens", math.Round(float64(tokens)/1e4)/100)
}

// shortModelLine describes a model with a few words, for a list.
func shortModelLine(m window.Model) string {
	var parts []string
	if m.Window > 0 {
		parts = append(parts, windowText(m.Window))
	}
	if m.Price.Known() {
		parts = append(parts, fmt.Sprintf("$%g in, $%g out", m.Price.Input, m.Price.Output))
	}
	return strings.Join(parts, ", ")
}
