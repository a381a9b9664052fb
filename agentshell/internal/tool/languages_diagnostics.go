package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// matched returns the absolute paths of the files for which diagnostics are requested: one file, or
// those that match a glob and have a language server. more is true if the glob matches more than
// maxGlobFiles.
func (t *lspTool) matched(ctx context.Context, r lspRequest) (list []string, more bool, err error) {
	if r.full != "" {
		return []string{r.full}, false, nil
	}
	if !doublestar.ValidatePattern(r.File) {
		return nil, false, invalidArgs("%q is no glob", titled(r.File, 80))
	}
	err = walk(ctx, t.env.Workspace, t.env.Workspace.RootPath(), looks{}, func(tree *workspace.Tree) error {
		if !tree.Mode().IsRegular() || !doublestar.MatchUnvalidated(r.File, tree.Path().Rel()) ||
			t.env.readable(tree.Path()) != nil {
			return nil
		}
		full := t.env.Workspace.Abs(tree.Path())
		if len(t.service.Servers(full)) == 0 {
			return nil
		}
		if len(list) == maxGlobFiles {
			more = true
			return errEnough
		}
		list = append(list, full)
		return nil
	})
	return list, more, err
}

// globServers returns the servers for the files that match the request's glob, or an error if there
// are none.
func (t *lspTool) globServers(ctx context.Context, r lspRequest) (servers []lsp.Server, err error) {
	list, _, err := t.matched(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, full := range list {
		for _, s := range t.service.Servers(full) {
			if !slices.ContainsFunc(servers, func(o lsp.Server) bool { return o.Name == s.Name }) {
				servers = append(servers, s)
			}
		}
	}
	if len(servers) == 0 {
		return nil, failed("No file with a language server matches %q", titled(r.File, 80))
	}
	return servers, nil
}

// diagnostics returns the diagnostics of each requested file from all servers for it.
func (t *lspTool) diagnostics(ctx context.Context, r lspRequest) (Result, error) {
	list, more, err := t.matched(ctx, r)
	if err != nil {
		return Result{}, err
	}
	wait := t.waits.single
	var b strings.Builder
	if len(list) > 1 || r.full == "" {
		wait = t.waits.batch
	}
	if more {
		fmt.Fprintf(&b, "[only the first %d files]\n", maxGlobFiles)
	}
	found := 0
	for _, full := range list {
		lines, notes, err := t.diagnose(ctx, r, full, wait)
		if err != nil {
			return Result{}, asLSPError(err)
		}
		found += len(lines)
		if r.full == "" {
			fmt.Fprintf(&b, "%s: ", t.place(full))
		}
		switch {
		case len(lines) == 0 && len(notes) > 0:
			b.WriteString("no diagnostics\n")
		case len(lines) == 0:
			b.WriteString("OK\n")
		default:
			fmt.Fprintf(&b, "%s:\n%s\n", count(len(lines), "diagnostic"),
				strings.Join(lines[:min(len(lines), maxMessages)], "\n"))
			if over := len(lines) - maxMessages; over > 0 {
				fmt.Fprintf(&b, "... %d more\n", over)
			}
		}
		for _, n := range notes {
			b.WriteString(n + "\n")
		}
	}
	return t.clean(Result{Text: b.String(), Summary: count(found, "diagnostic")}), nil
}

// diagnose returns the diagnostics of one file as lines, and notes about servers that failed or did
// not answer within wait. It returns an error only if every server fails.
func (t *lspTool) diagnose(ctx context.Context, r lspRequest, full string, wait time.Duration) (lines, notes []string,
	err error) {
	failures := 0
	var last error
	servers := t.service.Servers(full)
	for _, s := range servers {
		err := t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
			text, exists, err := t.text(ctx, full)
			if err != nil || !exists {
				return &workspace.Error{Kind: workspace.NotFound, Path: t.place(full)}
			}
			list, complete, err := c.Diagnose(ctx, full, text, wait)
			if err != nil {
				return err
			}
			if !complete {
				notes = append(notes, fmt.Sprintf("[%s gave none for this text within %v]", s.Name, wait))
			}
			lines = append(lines, t.diagnosticLines(full, text, c, s, list)...)
			return nil
		})
		if err != nil {
			failures, last = failures+1, err
			notes = append(notes, fmt.Sprintf("[%s: %v]", s.Name, err))
		}
	}
	if failures == len(servers) {
		return nil, nil, last
	}
	return lines, notes, nil
}

// diagnosticLines returns diagnostics as lines of the form "FILE:LINE:COLUMN: SEVERITY: MESSAGE
// (SOURCE)".
func (t *lspTool) diagnosticLines(full, text string, c *lsp.Client, s lsp.Server, list []lsp.Diagnostic) (
	lines []string) {
	rows := strings.Split(strings.TrimPrefix(text, workspace.BOM), "\n")
	for _, d := range lsp.SortDiagnostics(list) {
		column := d.Range.Start.Character
		if n := d.Range.Start.Line; n >= 0 && n < len(rows) {
			column = c.Encoding.Runes(strings.TrimSuffix(rows[n], "\r"), column)
		}
		source := s.Name
		if d.Source != "" {
			source = titled(d.Source, 60)
		}
		if code := strings.Trim(string(d.Code), `"`); code != "" && code != "null" && len(code) < 80 {
			source += " " + titled(code, 80)
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s: %s (%s)", t.place(full), d.Range.Start.Line+1, column+1,
			d.SeverityName(), titled(strings.Join(strings.Fields(d.Message), " "), 400), source))
	}
	return lines
}

// projectChecks lists the commands that check a whole project. The first entry whose marker file
// exists at the top of the workspace is used.
var projectChecks = []struct{ marker, about, command string }{
	{"Cargo.toml", "Rust", "cargo check --message-format=short"},
	{"go.work", "Go", "go build ./..."},
	{"go.mod", "Go", "go build ./..."},
	{"tsconfig.json", "TypeScript", "npx tsc --noEmit"},
	{"pyproject.toml", "Python", "pyright"},
	{"setup.py", "Python", "pyright"},
	{"requirements.txt", "Python", "pyright"},
}

// maxCheckLines is the number of lines of a project check's output that the model gets.
const maxCheckLines = 50

// checkWorkspace prepares a call that checks the whole project by a shell command. It is a call of
// bash, and the same rules and questions apply.
func (t *lspTool) checkWorkspace(ctx context.Context, r lspRequest) (Call, error) {
	for _, check := range projectChecks {
		p, err := t.env.Workspace.Resolve(check.marker)
		if err != nil {
			continue
		}
		if f, err := t.env.Workspace.Snapshot(ctx, p, workspace.MaxProposal); err != nil || !f.Print.Exists {
			continue
		}
		in, err := json.Marshal(map[string]any{"command": check.command, "timeout_s": int(r.timeout.Seconds())})
		if err != nil {
			return Call{}, err
		}
		call, err := (&bash{env: t.env}).Prepare(ctx, r.id, in)
		if err != nil {
			return Call{}, err
		}
		shorten := func(run work) work {
			return func(ctx context.Context, progress func(string)) (Result, error) {
				res, err := run(ctx, progress)
				res.Text = fmt.Sprintf("Workspace diagnostics (%s):\n%s", check.about,
					shortenCheck(res.Text, maxCheckLines))
				return res, err
			}
		}
		call.Run, call.Own = shorten(call.Run), shorten(call.Own)
		call.Reading, call.Reads = nil, nil
		return call, nil
	}
	return Call{}, failed("Workspace diagnostics are not known for this kind of project")
}

// shortenCheck returns the first n lines of a command's output, the number of lines left out, and
// the lines in brackets at the end, which say how the command ended.
func shortenCheck(text string, n int) string {
	lines := slices.Collect(strings.Lines(text))
	end := len(lines)
	for end > n && strings.HasPrefix(lines[end-1], "[") {
		end--
	}
	if end <= n {
		return text
	}
	return strings.Join(lines[:n], "") + "... " + count(end-n, "more line") + "\n" + strings.Join(lines[end:], "")
}
