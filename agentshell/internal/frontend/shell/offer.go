package shell

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Offer is what a workspace brings, which is used only after one question that shows it whole.
type Offer struct {
	What     string // "the commands, skills and rules of this workspace"
	Question string // a sentence above the text
	Text     string // of all files
	Files    int
	Commands []Command
	Skills   []string // their names
	Rules    []string // on the stream
	Servers  []string // "the MCP server x"
	Notices  []string // what is left out, and why
	// Decide keeps the answer, and lets the skills be read. It is called beside the loop while no
	// turn runs.
	Decide func(use bool) error
}

// offers reports whether p is the question of an Offer.
func offers(p *approval.Proposal) bool {
	_, is := p.Payload.(approval.Prompts)
	return is
}

// asksAgain returns the MCP server whose question p is, and reports whether the one before it was
// not answered.
func asksAgain(p *approval.Proposal) (server string, again bool) {
	f, is := p.Payload.(approval.Form)
	return f.Server, is && f.Again
}

// put asks about an offer. What is neither taken nor declined is asked again in the next session.
func (sh *Shell) put(ctx context.Context, o Offer) (then func()) {
	p := &approval.Proposal{ID: rand.Text(), Tool: "workspace", Payload: approval.Prompts{
		Base: approval.Base{Kind: "prompts", Description: "Use " + o.What}, What: o.What, Question: o.Question,
		Text: o.Text, Files: o.Files}}
	answer, err := sh.Ask(ctx, p)
	yes, use := answer.(approval.Yes)
	use = use && yes.ID == p.ID
	if _, no := answer.(approval.No); err != nil || !use && !no {
		return func() {
			sh.append(notice, words(true, upper(o.What)+" are not used now; you are asked again in the next session."))
		}
	}
	if err := o.Decide(use); err != nil {
		return func() {
			sh.append(notice, problem("Your answer was not kept, so "+o.What+" are not used: "+err.Error()))
		}
	}
	if !use {
		return func() {
			sh.append(notice, words(true, upper(o.What)+" are not used. You are asked again when they change."))
		}
	}
	return func() {
		sh.cfg.Commands = append(sh.cfg.Commands, o.Commands...)
		names := slices.Clone(o.Servers)
		for _, c := range o.Commands {
			names = append(names, "/"+c.Name)
		}
		for _, s := range o.Skills {
			names = append(names, "the skill "+s)
		}
		for _, r := range o.Rules {
			names = append(names, "the rule "+r)
		}
		sh.append(notice, words(true, append([]string{"Of this workspace: " + strings.Join(names, ", ") + "."},
			o.Notices...)...))
	}
}

// upper returns a sentence that begins with s.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
