package app

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// known returns what is known of a model: what the config file says, else our table. Of a script
// nothing is known but what the config file says.
func known(cfg config.Config, script bool) func(name string) window.Model {
	return func(name string) window.Model {
		var m window.Model
		if !script {
			m, _ = window.Lookup(name)
		}
		own := cfg.Models[name]
		m.Window, m.Output = cmp.Or(own.Window, m.Window), cmp.Or(own.Output, m.Output)
		if own.Input > 0 || own.Answer > 0 {
			m.Price = window.Price{Input: own.Input, Output: own.Answer,
				CacheRead: cmp.Or(own.CacheRead, own.Input), CacheWrite: cmp.Or(own.CacheWrite, own.Input)}
		}
		return m
	}
}

// room tells how much of a model's window the tools of servers may take.
func (r *conversation) room(model string) {
	percent := cmp.Or(r.cfg.HideToolsAt, 10)
	tokens := known(r.cfg, r.script)(model).Window * percent / 100
	r.tools.HideIf(func(specs []provider.Tool) bool { return tokens > 0 && window.FixedTokens("", specs) > tokens })
}

// scheme is that of what the session log holds.
const scheme = "artifact://"

// everything is the address of all that was said.
const everything = "conversation"

// sources returns where the model reads again what a compaction leaves out: the log of the session
// that is open, if one is kept.
func (r *conversation) sources() window.Sources {
	if r.log == nil {
		return window.Sources{}
	}
	return window.Sources{Conversation: scheme + everything,
		Keep: func(text string) string { return scheme + r.log.TextName(text) }}
}

// addresses returns what read_file reads beside files.
func (r *conversation) addresses() tool.Addresses {
	said := func(_ context.Context, id string) (string, error) {
		switch {
		case tool.IsOutput(id):
			return r.outputs.Text(id)
		case strings.HasPrefix(id, pastedName):
			return pastedAs(r.pasted, id)
		case r.log == nil:
			return "", fmt.Errorf("no log of this session is kept")
		case id != everything:
			return r.log.Text(id)
		}
		messages, err := r.log.FullConversation()
		return window.Transcript(messages), err
	}
	kept := func(_ context.Context, name string) (string, error) { return r.skills.Read(name) }
	return tool.Addresses{strings.TrimSuffix(scheme, "://"): said, skill.Scheme: kept}
}

// about says what is known of a model, for /model.
func about(m window.Model, known bool) string {
	var said []string
	if m.Window > 0 {
		said = append(said, fmt.Sprintf("window: %d tokens", m.Window))
	}
	if !known {
		said = append(said, "(assumed; [models.\"NAME\"] in the config file can say: window, output, price_input, "+
			"price_output)")
	}
	if p := m.Price; p.Known() {
		price := fmt.Sprintf("price of a million tokens: $%g, answers $%g", p.Input, p.Output)
		if p.Date != "" {
			price += ", as of " + p.Date
		}
		said = append(said, price)
	}
	return strings.Join(said, " ")
}

// inShort returns what is known of a model in a few words, for a list.
func inShort(m window.Model) string {
	var said []string
	if m.Window > 0 {
		said = append(said, fmt.Sprintf("%d k tokens", m.Window/1000))
	}
	if m.Price.Known() {
		said = append(said, fmt.Sprintf("$%g in, $%g out", m.Price.Input, m.Price.Output))
	}
	return strings.Join(said, ", ")
}
