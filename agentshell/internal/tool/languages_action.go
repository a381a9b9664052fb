package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// offeredAction is a code action together with the server that offers it.
type offeredAction struct {
	server lsp.Server
	action lsp.CodeAction
}

// actions asks all servers of a request for the code actions at its position. notes names servers
// that failed; if all of them fail, actions returns an error.
func (t *lspTool) actions(ctx context.Context, r lspRequest) (list []offeredAction, notes []string, err error) {
	var last error
	for _, s := range r.servers {
		err := t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
			found, err := t.actionsOf(ctx, c, r)
			for _, a := range found {
				list = append(list, offeredAction{s, a})
			}
			return err
		})
		if err != nil {
			last = err
			notes = append(notes, s.Name+": "+err.Error())
		}
	}
	if len(notes) == len(r.servers) {
		return nil, nil, last
	}
	return list, notes, nil
}

// actionsOf asks one server for code actions. The request includes the diagnostics of the line,
// without which most servers offer no fixes.
func (t *lspTool) actionsOf(ctx context.Context, c *lsp.Client, r lspRequest) ([]lsp.CodeAction, error) {
	text, err := t.open(ctx, c, r)
	if err != nil {
		return nil, err
	}
	found, _, err := c.Diagnose(ctx, r.full, text, t.waits.single)
	if err != nil && !lsp.Unsupported(err) {
		return nil, err
	}
	pos, err := symbolPosition(text, max(r.Line, 1), r.Symbol, c.Encoding)
	if err != nil {
		return nil, err
	}
	about := []json.RawMessage{}
	for _, d := range found {
		if d.Range.Start.Line <= pos.Line && pos.Line <= d.Range.End.Line {
			about = append(about, d.Raw)
		}
	}
	context := map[string]any{"diagnostics": about, "triggerKind": 1}
	if r.Query != "" && !r.changes() {
		context["only"] = []string{r.Query}
	}
	params := map[string]any{"textDocument": map[string]any{"uri": lsp.URIOf(r.full)},
		"range": lsp.Range{Start: pos, End: pos}, "context": context}
	raw, err := c.Request(ctx, "textDocument/codeAction", params)
	if err != nil {
		return nil, err
	}
	var list []lsp.CodeAction
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(a lsp.CodeAction) bool { return a.Disabled != nil }), nil
}

// actionLines returns a numbered line for each action, counted from 0.
func actionLines(list []offeredAction) (lines []string) {
	for i, a := range list[:min(len(list), maxSymbols)] {
		kind := a.action.Kind
		if kind == "" {
			kind = "action"
		}
		lines = append(lines, fmt.Sprintf("%d: [%s] %s", i, titled(kind, 60), titled(a.action.Title, 200)))
	}
	return lines
}

// listActions returns the list of code actions at the request's position.
func (t *lspTool) listActions(ctx context.Context, r lspRequest) (Result, error) {
	list, notes, err := t.actions(ctx, r)
	if err != nil {
		return Result{}, asLSPError(err)
	}
	if len(list) == 0 {
		return t.clean(Result{Text: strings.Join(append([]string{"No code actions"}, notes...), "\n"),
			Summary: "none"}), nil
	}
	lines := append([]string{fmt.Sprintf("%d code action(s):", len(list))}, actionLines(list)...)
	return t.clean(Result{Text: strings.Join(append(lines, notes...), "\n") + "\n",
		Summary: count(len(list), "action")}), nil
}

// choose returns the action whose number is query, or else the first one whose title contains
// query. It returns false if there is none.
func choose(list []offeredAction, query string) (offeredAction, bool) {
	if n, err := strconv.Atoi(query); err == nil && n >= 0 && n < len(list) {
		return list[n], true
	}
	for _, a := range list {
		if strings.Contains(strings.ToLower(a.action.Title), strings.ToLower(query)) {
			return a, true
		}
	}
	return offeredAction{}, false
}

// planAction plans the changes of the code action that the request's query names.
func (t *lspTool) planAction(ctx context.Context, r lspRequest) (p planned, err error) {
	if r.Query == "" {
		return p, invalidArgs("query is missing: the number of an action, or a part of its title")
	}
	list, _, err := t.actions(ctx, r)
	if err != nil {
		return p, err
	}
	chosen, ok := choose(list, r.Query)
	if !ok {
		return p, failed("No code action matches %q. Available actions:\n%s", titled(r.Query, 80),
			strings.Join(actionLines(list), "\n"))
	}
	p = planned{title: chosen.action.Title, server: chosen.server,
		nothing: fmt.Sprintf("Action %q changes nothing", titled(chosen.action.Title, 200))}
	err = t.with(ctx, chosen.server, r.timeout, func(ctx context.Context, c *lsp.Client) error {
		return t.resolveAction(ctx, c, chosen.action, &p)
	})
	return p, err
}

// resolveAction determines the changes of a code action, and stores them in p. If the action needs
// a server command, the command is run only if it is known to do nothing but propose edits.
// Otherwise it is stored in p.run, so that the user is asked about it.
func (t *lspTool) resolveAction(ctx context.Context, c *lsp.Client, a lsp.CodeAction, p *planned) error {
	command, runs := a.CommandOf()
	if !hasEdit(a) && !(runs && a.Kind == "" && len(a.Edit) == 0) {
		if raw, err := c.Request(ctx, "codeAction/resolve", a.Raw); err == nil {
			var resolved lsp.CodeAction
			if json.Unmarshal(raw, &resolved) == nil && resolved.Title != "" {
				a = resolved
				command, runs = a.CommandOf()
			}
		}
	}
	var err error
	switch {
	case hasEdit(a):
		if p.changes, err = t.carryOut(ctx, c, a.Edit); err == nil && runs {
			p.notes = append(p.notes, "the command of the server that belongs to it was not run: "+
				titled(command.Command, 100))
		}
		return err
	case !runs:
		return failed("Action %q has no workspace edit or command to apply", titled(a.Title, 200))
	case !p.server.OnlyEdits(command.Command):
		p.run = &command
		return nil
	}
	_, edits, err := c.RunCommand(ctx, command)
	if err != nil {
		return err
	}
	p.changes, err = t.carryOut(ctx, c, edits...)
	return err
}

// hasEdit reports whether a code action contains its file changes.
func hasEdit(a lsp.CodeAction) bool { return len(a.Edit) > 0 && string(a.Edit) != "null" }

// askCommand returns a call that makes the server run the command in p.run. The call asks the user,
// because the effects of the command are unknown.
func (t *lspTool) askCommand(r lspRequest, call Call, p planned) Call {
	command := *p.run
	arguments, _ := json.MarshalIndent(command.Arguments, "", "  ")
	pay := approval.Generic{Base: approval.Base{Kind: "foreign", Sandbox: "lsp",
		Description: fmt.Sprintf("Have the language server %s run %s", p.server.Name, titled(command.Command, 100))},
		Detail: "action\n" + p.title + "\n\ncommand\n" + command.Command + "\n\narguments\n" + string(arguments) + "\n"}
	t.ask(r, &call, pay)
	call.Run = func(ctx context.Context, _ func(string)) (res Result, err error) {
		err = t.with(ctx, p.server, r.timeout, func(ctx context.Context, c *lsp.Client) error {
			answer, edits, err := c.RunCommand(ctx, command)
			if err != nil {
				return err
			}
			changes, err := t.carryOut(ctx, c, edits...)
			if err != nil {
				return err
			}
			lines := []string{fmt.Sprintf("Applied %q:", titled(p.title, 200)),
				"Executed command: " + titled(command.Command, 100), titleCut(string(answer), 2<<10)}
			if len(changes) > 0 {
				lines = append(lines,
					"It wants to change files. To propose a change, call lsp with {\"part\": \"NUMBER\"}:")
			}
			for _, change := range changes {
				lines = append(lines, t.memory.keep(change)+": "+t.place(change.Path))
			}
			res = Result{Text: strings.Join(lines, "\n") + "\n", Summary: "command run"}
			return nil
		})
		return t.clean(res), asLSPError(err)
	}
	return call
}

// ask adds a proposal to a call that asks the user before it runs. The payload shows everything
// that the call sends to the server.
func (t *lspTool) ask(r lspRequest, call *Call, pay approval.Generic) {
	call.Path, call.Mutates = "", true
	call.Proposal = &approval.Proposal{ID: t.env.newID(), Call: r.id, Tool: lspName, Payload: pay,
		Notes: []string{"what it changes is not known before"}}
	call.Proposal.Subject = call.Subject(lspName)
}

// harmlessRequests lists the prefixes of LSP methods that only query.
var harmlessRequests = []string{"textDocument/", "callHierarchy/", "typeHierarchy/", "workspace/symbol",
	"workspaceSymbol/", "completionItem/", "codeAction/", "codeLens/", "documentLink/", "inlayHint/",
	"workspace/diagnostic"}

// askRequest adds a proposal to a call for a raw LSP request, unless its method only queries.
func (t *lspTool) askRequest(r lspRequest, call *Call) {
	for _, begin := range harmlessRequests {
		if strings.HasPrefix(r.Query, begin) {
			return
		}
	}
	t.ask(r, call, approval.Generic{Base: approval.Base{Kind: "foreign", Sandbox: "lsp",
		Description: fmt.Sprintf("Send %s to the language server %s", titled(r.Query, 100), r.servers[0].Name)},
		Detail: "method\n" + r.Query + "\n\nparameters\n" + r.Payload + "\n"})
}
