package agent

import (
	"github.com/scrollkeep/scrollkeep/agentshell/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// Message is what the person says, with the pictures that they brought.
type Message struct {
	Text     string
	Pictures []picture.Picture
}

// message is it as the conversation has it.
func (m Message) message() provider.Message {
	var parts []provider.Part
	for _, p := range m.Pictures {
		parts = append(parts, provider.Image{Picture: p})
	}
	return provider.Message{Role: provider.User, Parts: append(parts, provider.Text{Text: m.Text})}
}

// steer puts what the person has said meanwhile into the conversation: between the results of the
// calls and the next request, where no call is without its result.
func (t *turn) steer() error {
	if t.agent.cfg.Steer == nil {
		return nil
	}
	for _, m := range t.agent.cfg.Steer(t.ctx) {
		t.on(Steered{m.Text})
		if err := t.add(t.inMode(m).message()); err != nil {
			return err
		}
	}
	return nil
}
