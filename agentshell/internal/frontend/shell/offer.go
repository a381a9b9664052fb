package shell

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Offer describes files that come with a workspace, such as commands, skills, rules and MCP
// servers. The shell uses them only after the user has said yes to a question that shows all of
// their text.
type Offer struct {
	What     string // The subject of the question, such as "the commands, skills and rules of this workspace".
	Question string // A sentence above the text.
	Text     string // The full text of all files.
	// The number of files in Text.
	Files int
	Unit  string // The noun for what Files counts; "": "file".
	// The slash commands that the files define.
	Commands []Command
	Skills   []string // The names of the skills.
	Told     []string // The names of rules that were written for other programs. The model gets their text.
	Rules    []string // The names of stream rules, which watch the model's output.
	Agents   []string // The names of the kinds of agents.
	Servers  []string // The MCP servers, such as "the MCP server x".
	Notices  []string // Lines to show that name the files that are not used, and why.
	// Decide stores the user's answer, and makes the skills readable after a yes. It is called
	// outside of the event loop while no turn runs.
	Decide func(use bool) error
	// Settle is called instead of Decide, if it is not nil. It carries out the user's answer, and
	// returns lines to show about the outcome. It may ask further questions.
	Settle func(ctx context.Context, yes bool) string
	// Deed is asked about and carried out instead of all fields above; nil: there is none.
	Deed *approval.Deed
}

// isOffer reports whether p asks about a text of the workspace or the shell, such as an [Offer],
// and not about a tool call of the model.
func isOffer(p *approval.Proposal) bool {
	_, is := p.Payload.(approval.Prompts)
	return is
}

// mustBeSeen reports whether p can be approved only after each of its rows was on the screen.
func mustBeSeen(p *approval.Proposal) bool {
	prompts, _ := p.Payload.(approval.Prompts)
	return prompts.Whole
}

// askedFor reports whether p asks about something that the user has requested by a command, such as
// /config.
func askedFor(p *approval.Proposal) bool {
	prompts, ok := p.Payload.(approval.Prompts)
	return ok && prompts.Verb != ""
}

// repeatedServerQuestion returns the name of the MCP server that asks p, or "". repeated reports
// whether the user has left an earlier question of this server unanswered.
func repeatedServerQuestion(p *approval.Proposal) (server string, repeated bool) {
	form, ok := p.Payload.(approval.Form)
	return form.Server, ok && form.Again
}

// askOffer asks the user about an offer, and returns a function that shows and applies the result
// on the event loop. If the user answers neither yes nor no, the next session asks again.
func (sh *Shell) askOffer(ctx context.Context, offer Offer) (then func()) {
	if offer.Deed != nil {
		return sh.carry(ctx, *offer.Deed)
	}
	p := &approval.Proposal{ID: rand.Text(), Tool: "workspace", Payload: approval.Prompts{
		Base: approval.Base{Kind: "prompts",
			Description: "Use " + offer.What}, What: offer.What, Question: offer.Question,
		Text: offer.Text, Files: offer.Files, Unit: offer.Unit, Whole: true}}
	answer, err := sh.Ask(ctx, p)
	yes, use := answer.(approval.Yes)
	use = use && yes.ID == p.ID
	if _, no := answer.(approval.No); err != nil || !use && !no {
		return func() {
			sh.addBlock(notice,
				paragraphs(true, capitalized(offer.What)+" are not used now; you are asked again in the next session."))
		}
	}
	if offer.Settle != nil {
		line := offer.Settle(ctx, use)
		return func() { sh.addBlock(notice, paragraphs(true, strings.Split(line, "\n")...)) }
	}
	if err := offer.Decide(use); err != nil {
		return func() {
			sh.addBlock(notice, problem("Your answer was not kept, so "+offer.What+" are not used: "+err.Error()))
		}
	}
	if !use {
		return func() {
			sh.addBlock(notice,
				paragraphs(true, capitalized(offer.What)+" are not used. You are asked again when they change."))
		}
	}
	return func() {
		sh.cfg.Prompt.Commands = append(sh.cfg.Prompt.Commands, offer.Commands...)
		names := slices.Clone(offer.Servers)
		for _, c := range offer.Commands {
			names = append(names, "/"+c.Name)
		}
		for _, s := range offer.Skills {
			names = append(names, "the skill "+s)
		}
		for _, r := range offer.Told {
			names = append(names, "the rule "+r)
		}
		for _, r := range offer.Rules {
			names = append(names, "the rule "+r)
		}
		for _, a := range offer.Agents {
			names = append(names, "the agent "+a)
		}
		sh.addBlock(notice, paragraphs(true, append([]string{"Of this workspace: " + strings.Join(names, ", ") + "."},
			offer.Notices...)...))
	}
}

// capitalized returns s, which is not empty, with a capital first letter.
func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
