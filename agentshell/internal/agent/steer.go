package agent

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Message is a message of the user, with attachments.
type Message struct {
	Text     string
	Attached string // the contents of the files that Text mentions; "": none
	Pictures []picture.Picture
	Origin   provider.Origin // what kind of text Text is, such as typed or made by the shell
	Force    string          // the name of a tool that the first answer must call, if the provider can force that

	// Lines are shell commands that run before the message is sent, with approval like those of the
	// model. Fill gets their outputs, and returns the text that is sent in place of Text. If a
	// command is denied, nothing is sent.
	Lines []string
	Fill  func(outputs []string) string

	// OnArrival starts the turn without a text, only for news that the model has not got yet: ended
	// jobs and messages of other agents. If there is no news, the turn ends at once.
	OnArrival bool

	notes []string // further texts for the model, which the user did not type
}

// asProviderMessage returns the message as it is stored in the conversation.
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

// shellMessage returns a message with the role User whose text the shell has written.
func shellMessage(origin provider.Origin, text string) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: text, Origin: origin}}}
}

// addSteering adds to the conversation the messages that the user has sent during the turn. It is
// called before a request, when every call has its result.
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

// addArrived adds the news that can start a turn without the user: ended jobs, and messages of
// other agents. added is false if there was none. It is called when every call has its result.
func (t *turn) addArrived() (added bool, err error) {
	reported, err := t.reportJobs()
	if err != nil {
		return reported, err
	}
	heard, err := t.addMail()
	return reported || heard, err
}

// addOutdated tells the model which of the files that it has read were changed by others since. It
// is called before a request, and never causes one.
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

// addFindings tells the model which errors language servers have found in its changes, if they came
// too late for the result of the call. It is called before a request, and never causes one.
func (t *turn) addFindings() error {
	texts := t.agent.cfg.Inbox.Findings()
	if len(texts) == 0 {
		return nil
	}
	t.progress.changed()
	return t.addMessage(shellMessage(provider.Findings, strings.Join(texts, "\n")))
}

// addMail adds to the conversation the messages that other agents have sent. added is false if
// there was none.
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
