package app

import (
	"context"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// answerFindings reports, for the doctor, which model would answer: the provider, its address, the
// key and the model. It also reports servers with models on this machine. A key is sent only to the
// address that the shell would send it to, and only if that is on this machine or in a private
// network.
func (p Host) answerFindings(ctx context.Context, cfg config.Config) (list []finding) {
	s := p.chosenService(settings{provider: firstSet("", cfg.Provider)})
	own := s.relevantConfig(cfg)
	e := &endpoints{p: p, cfg: cfg, service: s, baseKey: p.getenv(s.keyName)}
	base := e.baseEndpoint()
	here := findLocalServers(ctx, commonLocalServers)

	list = append(list, finding{About: "model", Name: "provider", Value: s.name})
	model := finding{About: "model", Name: "model", Value: own.Model}
	if base.url != "" {
		address := finding{About: "model", Name: "address", Value: config.ShownURL(base.url), From: "base_url"}
		if p.getenv(s.urlName) != "" {
			address.From = s.urlName
		}
		var names []string
		if base.mayOmitKey() {
			address, names = e.askForModels(ctx, address)
		}
		if model.Value == "" && base.key == "" && base.token == "" && len(own.KeyCommand) == 0 {
			model.Value, model.From = "none", ""
			model.Advice = "The server lists no models: name one with --model, or with model in the config file."
			if len(names) > 0 {
				model.Value, model.From, model.Advice = names[0], "the first that the server lists", ""
			}
		}
		list = append(list, address)
	}
	if model.Value == "" {
		model.Value = s.defaultModel + " (default)"
	}
	for _, l := range here {
		if strings.TrimSuffix(l.url, "/") != strings.TrimSuffix(base.url, "/") {
			list = append(list, finding{About: "model", Name: "server here", Value: l.name + " with " +
				firstNames(l.models), From: l.url})
		}
	}
	return append(list, p.keyFinding(s, base, own.KeyCommand, here), model)
}

// askForModels asks the server at the base endpoint for its models. It adds to address what the
// server lists, or why it lists nothing.
func (e *endpoints) askForModels(ctx context.Context, address finding) (finding, []string) {
	const timeout = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	names, err := e.listModels(ctx)
	switch {
	case err != nil:
		address.Advice = "It lists no models"
		if address.Value != config.Hidden { // the error would show a hidden address
			address.Advice += ": " + e.p.environSecrets().With(e.keys()...).Redact(err.Error())
		}
	case len(names) == 0:
		address.Advice = "It answers, and lists no models."
	default:
		address.Value += " with " + firstNames(names)
	}
	return address, names
}

// keyFinding reports where the key for the base endpoint comes from or, if there is none, what the
// user can do.
func (p Host) keyFinding(s service, base endpoint, command []string, here []localServer) finding {
	key := finding{About: "model", Name: "key", Value: "none"}
	switch {
	case base.key != "":
		key.Value, key.From = "set", s.keyName
		if _, err := s.model(endpoint{key: base.key, url: base.url, insecure: base.insecure}); err != nil {
			key.Value, key.Bad = err.Error(), true
		}
	case base.token != "":
		key.Value, key.From = "set", s.tokenName
	case len(command) > 0:
		key.Value, key.From = "printed by "+command[0], "key_command"
	case base.mayOmitKey():
		key.Value = "none, and this address needs none"
	default:
		key.Advice = "Set " + strings.Join(keyNames(), " or ") + ", or key_command in the config file. Or ask a " +
			"server of your own: set OPENAI_BASE_URL to its address"
		if len(here) > 0 {
			key.Advice += ", such as " + here[0].url
		}
		key.Advice += ". --demo needs none."
	}
	return key
}
