package acp

import (
	"context"
	"fmt"
	"strings"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// permissionChoice is one option of an approval question, and the answer that it stands for.
type permissionChoice struct {
	wire.PermissionOption
	answer approval.Answer
	rule   string // The rule that is stored before the answer is used; "" if there is none.
}

// Ask asks the user about a proposal with session/request_permission of the client. Anything but
// the choice of an approving option denies it. If the file has changed meanwhile, Ask returns
// approval.Stale, so that the user is asked about the new change. Ask implements
// [approval.Approver].
func (s *session) Ask(ctx context.Context, p *approval.Proposal) (answer approval.Answer, err error) {
	if s.sandboxOffer.Before(ctx, p, s.parts.Sandbox, s, s.sendNotice) {
		s.reportOptions()
		return approval.Stale{ID: p.ID}, nil // the sandbox is on now: the call is prepared anew
	}
	if p.Call == "" { // the question does not belong to a tool call of the model
		id := s.callFor(p.ID).id
		s.startCall(agent.ToolStart{ID: p.ID, Name: p.Tool, Title: p.Payload.Line(), Proposal: p})
		defer func() {
			_, yes := answer.(approval.Yes)
			_, here := answer.(approval.Here)
			yes = yes || here
			status := wire.ToolCallStatusFailed
			if yes && err == nil {
				status = wire.ToolCallStatusCompleted
			}
			s.mu.Lock()
			delete(s.calls, p.ID)
			s.mu.Unlock()
			s.send(wire.UpdateToolCall(id, wire.WithUpdateStatus(status)))
		}()
		copied := *p
		copied.Call = p.ID
		p = &copied
	}
	known, title := p.Call, p.Payload.Line()
	if p.By != "" {
		known, title = agentCall(p.By, p.Call), p.By+": "+title
	}
	for {
		choices := s.choices(p)
		req := wire.RequestPermissionRequest{SessionId: s.id, ToolCall: wire.ToolCallUpdate{
			ToolCallId: s.callID(ctx, known), Title: wire.Ptr(visibleText(title)), Meta: agentMeta(p.By),
			Kind:   wire.Ptr(kindOf(p.Tool)),
			Status: wire.Ptr(wire.ToolCallStatusPending), Content: s.proposalContent(p),
			Locations: s.locations(p.Path)}}
		for _, option := range choices {
			req.Options = append(req.Options, option.PermissionOption)
		}
		var response wire.RequestPermissionResponse
		err := s.server.conn.request(ctx, wire.ClientMethodSessionRequestPermission, req, &response)
		switch {
		case err != nil:
			return approval.No{ID: p.ID}, err
		case response.Outcome.Selected == nil:
			return approval.Stop{ID: p.ID}, nil
		}
		picked := permissionChoice{answer: approval.No{ID: p.ID}}
		if p.Tool == offerTool {
			picked.answer = approval.Stop{ID: p.ID} // a no would be stored, so it must be explicit
		}
		for _, option := range choices {
			if option.OptionId == response.Outcome.Selected.OptionId {
				picked = option
			}
		}
		switch picked.answer.(type) {
		case approval.No, approval.Stop, approval.StopAgent:
			return picked.answer, nil
		}
		if p.Changed(ctx) != nil {
			s.sendNotice(
				"The file has changed meanwhile, so nothing was done. You are asked about the change as it is now.")
			return approval.Stale{ID: p.ID}, nil
		}
		if picked.rule == "" {
			return picked.answer, nil
		}
		if err := s.parts.Policy.GrantTo(picked.rule, approval.Grantee{Agent: p.By}); err == nil {
			return picked.answer, nil
		} else {
			s.sendNotice("The rule was not stored, so nothing was approved: " + err.Error())
		}
	}
}

// choices returns the options of the question about proposal p. If the proposal is flagged, the
// approving option names the flags, and no rule is offered (PANE-5).
func (s *session) choices(p *approval.Proposal) (list []permissionChoice) {
	add := func(id, name string, kind wire.PermissionOptionKind, a approval.Answer) *permissionChoice {
		list = append(list,
			permissionChoice{PermissionOption: wire.PermissionOption{OptionId: wire.PermissionOptionId(id),
				Name: visibleText(name), Kind: kind}, answer: a})
		return &list[len(list)-1]
	}
	if prompts, ok := p.Payload.(approval.Prompts); ok && prompts.Here {
		add("yes", "Use it in all workspaces", wire.PermissionOptionKindAllowAlways, approval.Yes{ID: p.ID})
		add("here", "Use it in this workspace", wire.PermissionOptionKindAllowAlways, approval.Here{ID: p.ID})
		add("no", "Not now", wire.PermissionOptionKindRejectOnce, approval.No{ID: p.ID})
		return list
	}
	if p.Tool == offerTool {
		add("yes", "Use them, and do not ask until they change", wire.PermissionOptionKindAllowAlways,
			approval.Yes{ID: p.ID})
		add("no", "Do not use them, and do not ask until they change", wire.PermissionOptionKindRejectAlways,
			approval.No{ID: p.ID})
		add("later", "Not now", wire.PermissionOptionKindRejectOnce, approval.Stop{ID: p.ID})
		return list
	}
	_, plan := p.Payload.(approval.Plan)
	verb := "Approve"
	switch {
	case plan:
		verb = "Go on by this plan"
	case p.File():
		verb = "Apply this change"
	}
	if len(p.Flags) > 0 {
		var names []string
		for _, f := range p.Flags {
			names = append(names, f.Name)
		}
		verb += ", although it is flagged: " + strings.Join(names, ", ")
	}
	add("yes", verb, wire.PermissionOptionKindAllowOnce, approval.Yes{ID: p.ID})
	if plan && s.parts.Policy.Edits() {
		add("edits", "Go on by this plan, and change files without asking",
			wire.PermissionOptionKindAllowAlways, approval.Yes{ID: p.ID, Mode: approval.ModeEdits})
	}
	if p.Flagged(approval.FlagHardLink) && !p.Remove {
		name := "Write into the file itself, so that all of its names change; you are asked again"
		if p.InPlace {
			name = "Make a new file instead, and leave the other names as they are; you are asked again"
		}
		add("in-place", name, wire.PermissionOptionKindAllowOnce, approval.InPlace{ID: p.ID})
	}
	if p.Subject.Tool != "" {
		for i, rule := range s.parts.Policy.Offers(p.Subject) {
			name := "In this session always: "
			if p.By != "" {
				name = "In this session always for " + p.By + ": "
			}
			name += strings.ReplaceAll(rule, approval.RuleSeparator, " and ")
			add(fmt.Sprintf("always-%d", i+1), name, wire.PermissionOptionKindAllowAlways,
				approval.Yes{ID: p.ID}).rule = rule
		}
	}
	add("no", "Deny", wire.PermissionOptionKindRejectOnce, approval.No{ID: p.ID})
	if p.By != "" {
		add("stop-agent", "Deny, and stop "+p.By, wire.PermissionOptionKindRejectOnce, approval.StopAgent{ID: p.ID})
	}
	return list
}

// proposalContent returns what the client shows about a proposal: facts as text, and the file
// before and after the change.
func (s *session) proposalContent(p *approval.Proposal) (out []wire.ToolCallContent) {
	lines := p.Above()
	binary := p.Flagged(approval.FlagBinary)
	if binary {
		lines = append(lines, p.Sums()...)
	}
	if lines = append(lines, p.Below()...); len(lines) > 0 {
		out = append(out, textContent(strings.Join(lines, "\n")))
	}
	if !binary {
		out = append(out, s.diffContent(p)...)
	}
	return out
}

// diffContent returns the file before and after the change, as content for the client. It returns
// nil if the proposal changes no file, or a binary one.
func (s *session) diffContent(p *approval.Proposal) []wire.ToolCallContent {
	if !p.File() || p.Flagged(approval.FlagBinary) {
		return nil
	}
	name := s.absPath(p.Path)
	if name == "" {
		name = visibleText(p.Path) // for example, a file in an archive
	}
	if p.Before == nil {
		return []wire.ToolCallContent{wire.ToolDiffContent(name, string(p.After))}
	}
	return []wire.ToolCallContent{wire.ToolDiffContent(name, string(p.After), string(p.Before))}
}
