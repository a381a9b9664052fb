package agent

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Message is a message of the person with its attachments.
type Message struct {
	Text     string
	Attached string // content of the files that it names; "": none
	Pictures []picture.Picture
	Origin   provider.Origin // of Text
	Force    string          // the tool that the first answer has to call, where the provider can force it

	// Lines are command lines that run first, decided like those of the model. Fill returns the
	// text with their outputs, in place of Text. If one is denied, nothing is sent.
	Lines []string
	Fill  func(outputs []string) string

	// OnArrival begins a turn with what has come for the model instead of a message: ended jobs and
	// messages of agents. Without any the turn ends at once.
	OnArrival bool

	notes []string // further texts for the model
}

// asProviderMessage returns the message in the form of the conversation.
func (m Message) asProviderMessage() provider.Message {
	var parts []provider.Part
	for _, p := range m.Pictures {
		parts = append(parts, provider.Image{Picture: p})
	}
	if parts = append(parts, provider.Text{Text: m.Text, Origin: m.Origin}); m.Attached != "" {
		parts = append(parts, provider.Text{Text: m.Attached, Origin: provider.Attached})
	}
	if len(m.notes) > 0 {
		parts = append(parts, provider.Text{Text: strings.Join(m.notes, "\n\n"), Origin: provider.Aside})
	}
	return provider.Message{Role: provider.User, Parts: parts}
}

// shellMessage returns a message with the role User that the shell has made.
func shellMessage(origin provider.Origin, text string) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: text, Origin: origin}}}
}

// addSteering adds what the person has sent meanwhile to the conversation. It is called after the
// results of calls and before the next request, when every call has its result.
func (t *turn) addSteering() error {
	for _, m := range t.agent.cfg.Inbox.Steering(t.ctx) {
		t.on(Steered{m.Text})
		t.progress.changed()
		if err := t.addMessage(t.withMode(m).asProviderMessage()); err != nil {
			return err
		}
	}
	return nil
}

// addArrived adds what has come for the model without the person: ended jobs, and messages of other
// agents. It reports whether there was anything. It is called when every call has its result.
func (t *turn) addArrived() (added bool, err error) {
	reported, err := t.reportJobs()
	if err != nil {
		return reported, err
	}
	heard, err := t.addMail()
	return reported || heard, err
}

// addOutdated tells the model which files that it has read others have changed since. It is called
// before a request: alone it is no reason for one.
func (t *turn) addOutdated() error {
	var lines []string
	for _, o := range t.agent.cfg.Inbox.Outdated() {
		lines = append(lines, o.Line())
		t.on(Notice{o.Notice()})
	}
	if len(lines) == 0 {
		return nil
	}
	t.progress.changed()
	return t.addMessage(shellMessage(provider.Outdated, strings.Join(lines, "\n")))
}

// addFindings tells the model what language servers have found of its changes, where that came too
// late for a result. Alone it is no reason for a request, either.
func (t *turn) addFindings() error {
	texts := t.agent.cfg.Inbox.Findings()
	if len(texts) == 0 {
		return nil
	}
	t.progress.changed()
	return t.addMessage(shellMessage(provider.Findings, strings.Join(texts, "\n")))
}

// addMail adds what other agents have sent meanwhile to the conversation, and reports whether there
// was anything.
func (t *turn) addMail() (added bool, err error) {
	for _, m := range t.agent.cfg.Inbox.Mail() {
		t.on(Heard{m.Text})
		t.progress.changed()
		added = true
		m.Origin = provider.Peer
		if err := t.addMessage(m.asProviderMessage()); err != nil {
			return added, err
		}
	}
	return added, nil
}
