package agent

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Message is what the person says, with what they brought.
type Message struct {
	Text     string
	Attached string // what goes with it because it names files; "" for nothing
	Pictures []picture.Picture

	aside []string // what the model is told with it
}

// message returns it as the conversation has it.
func (m Message) message() provider.Message {
	var parts []provider.Part
	for _, p := range m.Pictures {
		parts = append(parts, provider.Image{Picture: p})
	}
	if parts = append(parts, provider.Text{Text: m.Text}); m.Attached != "" {
		parts = append(parts, provider.Text{Text: m.Attached, Origin: provider.Attached})
	}
	if len(m.aside) > 0 {
		parts = append(parts, provider.Text{Text: strings.Join(m.aside, "\n\n"), Origin: provider.Aside})
	}
	return provider.Message{Role: provider.User, Parts: parts}
}

// told returns a message of the role User that the shell has made.
func told(origin provider.Origin, text string) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: text, Origin: origin}}}
}

// steer puts what the person has said meanwhile into the conversation: between the results of the
// calls and the next request, where no call is without its result.
func (t *turn) steer() error {
	for _, m := range t.agent.cfg.Inbox.Steering(t.ctx) {
		t.on(Steered{m.Text})
		t.progress.changed()
		if err := t.add(t.inMode(m).message()); err != nil {
			return err
		}
	}
	return nil
}
