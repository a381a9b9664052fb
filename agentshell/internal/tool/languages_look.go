package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxMessages and the constants below limit the results of the tool lsp (lsp.md).
const (
	maxMessages      = 50 // maxMessages is the number of diagnostics that are shown of one file.
	maxGlobFiles     = 20
	maxSymbols       = 200
	maxContexts      = 50  // maxContexts is the number of locations that are shown with the lines around them.
	maxPlaces        = 500 // maxPlaces is the number of references that are shown at all.
	maxHover         = 8 << 10
	maxRaw           = 30 << 10 // maxRaw is the number of bytes that are shown of a server's raw answer.
	referenceRetries = 2
	referencePause   = 250 * time.Millisecond
)

// look carries out a request that changes no files.
func (t *lspTool) look(ctx context.Context, r lspRequest) (res Result, err error) {
	switch r.Action {
	case "diagnostics":
		return t.diagnostics(ctx, r)
	case "symbols":
		return t.symbols(ctx, r)
	case "reload":
		return t.reload(ctx, r), nil
	case "capabilities":
		return t.capabilities(ctx, r), nil
	case "code_actions":
		return t.listActions(ctx, r)
	case "rename", "rename_file":
		return t.preview(ctx, r)
	case "request":
		return t.raw(ctx, r)
	}
	s := r.servers[0]
	err = t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
		params, err := t.where(ctx, c, r)
		if err != nil {
			return err
		}
		switch r.Action {
		case "hover":
			res, err = hover(ctx, c, params)
		case "references":
			res, err = t.references(ctx, c, params)
		default:
			res, err = t.definition(ctx, c, r.Action, params)
		}
		return err
	})
	return t.clean(res), asLSPError(err)
}

// clean removes the user's keys from the text of a result.
func (t *lspTool) clean(r Result) Result {
	r.Text = t.env.Secrets.Redact(r.Text)
	return r
}

// asLSPError returns a language server's error in the form that the model gets. Errors of the tool
// itself and of a cancelled call are returned unchanged.
func asLSPError(err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Code: "tool_failed", Text: "LSP error: " + err.Error(), Err: err}
}

// hover asks a server for the type and the documentation of a symbol.
func hover(ctx context.Context, c *lsp.Client, params any) (Result, error) {
	raw, err := c.Request(ctx, "textDocument/hover", params)
	if err != nil {
		return Result{}, err
	}
	text := lsp.HoverText(raw)
	if text == "" {
		return Result{Text: "No hover information", Summary: "nothing"}, nil
	}
	return Result{Text: titleCut(text, maxHover), Summary: count(strings.Count(text, "\n")+1, "line")}, nil
}

// titleCut returns at most n bytes of text. If it was cut, a line at the end says so.
func titleCut(text string, n int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= n {
		return text
	}
	return width.Head(text, n) + "\n[cut]"
}

// definition asks a server for a definition, a type definition or an implementation, as action
// says.
func (t *lspTool) definition(ctx context.Context, c *lsp.Client, action string, params any) (Result, error) {
	method := map[string]string{"definition": "definition", "type_definition": "typeDefinition",
		"implementation": "implementation"}[action]
	noun := strings.ReplaceAll(action, "_", " ")
	raw, err := c.Request(ctx, "textDocument/"+method, params)
	if err != nil {
		return Result{}, err
	}
	places, err := lsp.Locations(raw)
	if err != nil {
		return Result{}, err
	}
	if len(places) == 0 {
		return Result{Text: "No " + noun + " found", Summary: "none"}, nil
	}
	text := fmt.Sprintf("Found %d %s(s):\n", len(places), noun)
	for _, p := range places[:min(len(places), maxContexts)] {
		text += t.contextOf(ctx, c, p)
	}
	return Result{Text: text, Summary: count(len(places), noun)}, nil
}

// references asks a server for all uses of a symbol. It asks again if only one is found, because a
// server that is still loading the project may know no others.
func (t *lspTool) references(ctx context.Context, c *lsp.Client, params map[string]any) (Result, error) {
	params["context"] = map[string]any{"includeDeclaration": true}
	var places []lsp.Location
	for try := 0; ; try++ {
		raw, err := c.Request(ctx, "textDocument/references", params)
		if err != nil {
			return Result{}, err
		}
		if places, err = lsp.Locations(raw); err != nil {
			return Result{}, err
		}
		if len(places) > 1 || try == referenceRetries {
			break
		}
		pause := time.NewTimer(referencePause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return Result{}, ctx.Err()
		}
	}
	if len(places) == 0 {
		return Result{Text: "No references found", Summary: "none"}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Found %d reference(s):\n", len(places))
	for i, p := range places[:min(len(places), maxPlaces)] {
		if i < maxContexts {
			b.WriteString(t.contextOf(ctx, c, p))
			continue
		}
		b.WriteString(t.placeOf(ctx, c, p) + "\n")
	}
	if more := len(places) - maxContexts; more > 0 {
		fmt.Fprintf(&b, "... %d additional reference(s) shown without context\n", min(more, maxPlaces-maxContexts))
	}
	if len(places) > maxPlaces {
		fmt.Fprintf(&b, "[%d more are not shown]\n", len(places)-maxPlaces)
	}
	return Result{Text: b.String(), Summary: count(len(places), "reference")}, nil
}

// placeOf returns a location as file:line:column.
func (t *lspTool) placeOf(ctx context.Context, c *lsp.Client, l lsp.Location) string {
	full, err := lsp.PathOf(l.URI)
	if err != nil {
		return diff.Escape(l.URI)
	}
	column := l.Range.Start.Character + 1
	if row, ok := t.row(ctx, full, l.Range.Start.Line); ok {
		column = c.Encoding.Runes(row, l.Range.Start.Character) + 1
	}
	return fmt.Sprintf("%s:%d:%d", t.place(full), l.Range.Start.Line+1, column)
}

// contextOf returns a location as file:line:column. Below it come the line and its neighbours, if
// the file is in the workspace and rules allow reading it.
func (t *lspTool) contextOf(ctx context.Context, c *lsp.Client, l lsp.Location) string {
	text := t.placeOf(ctx, c, l) + "\n"
	full, err := lsp.PathOf(l.URI)
	if err != nil {
		return text
	}
	for n := max(l.Range.Start.Line-1, 0); n <= l.Range.Start.Line+1; n++ {
		if row, ok := t.row(ctx, full, n); ok {
			text += fmt.Sprintf("  %d: %s\n", n+1, titled(strings.TrimRight(row, " \t"), maxSearchLine))
		}
	}
	return text
}

// row returns line n, counted from 0, of the file at an absolute path. It returns false if there is
// no such line, or the file must not be read.
func (t *lspTool) row(ctx context.Context, full string, n int) (string, bool) {
	p, err := t.env.Workspace.Resolve(full)
	if err != nil || t.env.readable(p) != nil {
		return "", false
	}
	text, exists, err := t.text(ctx, full)
	if err != nil || !exists {
		return "", false
	}
	for line := range strings.Lines(text) {
		if n == 0 {
			return strings.TrimRight(line, "\r\n"), true
		}
		n--
	}
	return "", false
}

// symbols lists the symbols of a file, or those in the workspace that match the query.
func (t *lspTool) symbols(ctx context.Context, r lspRequest) (res Result, err error) {
	if r.full == "" {
		return t.workspaceSymbols(ctx, r)
	}
	err = t.with(ctx, r.servers[0], r.timeout, func(ctx context.Context, c *lsp.Client) error {
		if _, err := t.open(ctx, c, r); err != nil {
			return err
		}
		raw, err := c.Request(ctx, "textDocument/documentSymbol",
			map[string]any{"textDocument": map[string]any{"uri": lsp.URIOf(r.full)}})
		if err != nil {
			return err
		}
		var list []lsp.Symbol
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &list); err != nil {
				return err
			}
		}
		var b strings.Builder
		n := writeSymbols(&b, list, 0, 0)
		if n == 0 {
			res = Result{Text: "No symbols in " + shown(r.path), Summary: "none"}
			return nil
		}
		res = Result{Text: fmt.Sprintf("Symbols in %s:\n%s", shown(r.path), b.String()), Summary: count(n, "symbol")}
		return nil
	})
	return t.clean(res), asLSPError(err)
}

// writeSymbols writes at most 2,000 symbols, with their children indented below them. n is the
// number of symbols that came before; the new total is returned.
func writeSymbols(b *strings.Builder, list []lsp.Symbol, depth, n int) int {
	for _, s := range list {
		if n++; n > 2000 || depth > 50 {
			continue
		}
		line := s.Location.Range.Start.Line
		if s.SelectionRange != nil {
			line = s.SelectionRange.Start.Line
		}
		fmt.Fprintf(b, "%s%s %s @ line %d\n", strings.Repeat("  ", depth), lsp.KindName(s.Kind), titled(s.Name, 200),
			line+1)
		n = writeSymbols(b, s.Children, depth+1, n)
	}
	return n
}

// workspaceSymbols asks each server of the request for symbols whose names contain the query.
func (t *lspTool) workspaceSymbols(ctx context.Context, r lspRequest) (Result, error) {
	var lines, notes []string
	for _, s := range r.servers {
		err := t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
			raw, err := c.Request(ctx, "workspace/symbol", map[string]any{"query": r.Query})
			if err != nil {
				return err
			}
			var list []lsp.Symbol
			if len(raw) > 0 {
				if err := json.Unmarshal(raw, &list); err != nil {
					return err
				}
			}
			for _, found := range list {
				if strings.Contains(strings.ToLower(found.Name), strings.ToLower(r.Query)) {
					lines = append(lines, fmt.Sprintf("%s %s @ %s", lsp.KindName(found.Kind), titled(found.Name, 200),
						t.placeOf(ctx, c, found.Location)))
				}
			}
			return nil
		})
		if err != nil {
			notes = append(notes, s.Name+": "+err.Error())
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) == 0 {
		return Result{Text: strings.Join(append([]string{fmt.Sprintf("No symbols matching %q", titled(r.Query, 80))},
			notes...), "\n"), Summary: "none"}, nil
	}
	text := fmt.Sprintf("Found %d symbol(s) matching %q:\n%s\n", len(lines), titled(r.Query, 80),
		strings.Join(lines[:min(len(lines), maxSymbols)], "\n"))
	if more := len(lines) - maxSymbols; more > 0 {
		text += fmt.Sprintf("... %d more\n", more)
	}
	return t.clean(Result{Text: text + strings.Join(notes, "\n"), Summary: count(len(lines), "symbol")}), nil
}

// status lists the language servers for this workspace and their states.
func (t *lspTool) status() Result {
	var lines []string
	for _, s := range t.service.Status() {
		lines = append(lines, s.Name+": "+s.Text(t.env.now()))
	}
	for _, s := range t.service.Workspace() {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, s.Name+":") }) {
			lines = append(lines, s.Name+": not started")
		}
	}
	if len(lines) == 0 {
		return Result{Text: "No language servers configured for this project", Summary: "none"}
	}
	return t.clean(Result{Text: "Active language servers:\n" + strings.Join(lines, "\n") + "\n",
		Summary: count(len(lines), "server")})
}

// reload makes the servers of a request read their projects again.
func (t *lspTool) reload(ctx context.Context, r lspRequest) Result {
	var lines []string
	for _, s := range r.servers {
		ctx, cancel := context.WithTimeout(ctx, r.timeout)
		how, err := t.service.Reload(ctx, s)
		cancel()
		if err != nil {
			lines = append(lines, fmt.Sprintf("Failed to reload %s: %v", s.Name, err))
			continue
		}
		lines = append(lines, how+" "+s.Name)
	}
	return t.clean(Result{Text: strings.Join(lines, "\n") + "\n", Summary: count(len(lines), "server")})
}

// capabilities returns the capabilities that each server of a request has declared.
func (t *lspTool) capabilities(ctx context.Context, r lspRequest) Result {
	var b strings.Builder
	for _, s := range r.servers {
		err := t.with(ctx, s, r.timeout, func(_ context.Context, c *lsp.Client) error {
			fmt.Fprintf(&b, "%s:\n  capabilities: %s\n", s.Name, indented(c.Capabilities, "  "))
			return nil
		})
		if err != nil {
			fmt.Fprintf(&b, "%s: failed to start (%v)\n", s.Name, err)
		}
	}
	return t.clean(Result{Text: titleCut(b.String(), maxRaw), Summary: count(len(r.servers), "server")})
}

// indented returns raw JSON with line breaks and indentation, or "{}" if it is empty or invalid.
func indented(raw json.RawMessage, prefix string) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Indent(&b, raw, prefix, "  ") != nil {
		return "{}"
	}
	return b.String()
}

// raw sends a request with the method and parameters that the model has given.
func (t *lspTool) raw(ctx context.Context, r lspRequest) (res Result, err error) {
	s := r.servers[0]
	err = t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
		var params any = map[string]any{}
		if r.full != "" {
			if _, err := t.open(ctx, c, r); err != nil {
				return err
			}
			params = map[string]any{"textDocument": map[string]any{"uri": lsp.URIOf(r.full)}}
			if r.Line > 0 {
				if params, err = t.where(ctx, c, r); err != nil {
					return err
				}
			}
		}
		if r.Payload != "" {
			params = json.RawMessage(r.Payload)
		}
		answer, err := c.Request(ctx, r.Query, params)
		if err != nil {
			return failed("LSP error from %s on %s: %v", s.Name, titled(r.Query, 80), err)
		}
		text := "null"
		var plain string
		switch {
		case json.Unmarshal(answer, &plain) == nil && len(answer) > 0 && answer[0] == '"':
			text = plain
		case len(answer) > 0:
			text = indented(answer, "")
			if string(answer) == "null" {
				text = "null"
			}
		}
		res = Result{Text: fmt.Sprintf("%s ← %s:\n%s\n", s.Name, titled(r.Query, 80), titleCut(text, maxRaw)),
			Summary: bytesWord(len(answer))}
		return nil
	})
	return t.clean(res), asLSPError(err)
}
