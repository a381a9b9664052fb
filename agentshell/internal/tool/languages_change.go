package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// planned holds the file changes that a language server proposes, before they become a call.
type planned struct {
	changes []lsp.Change
	title   string
	nothing string // nothing is the text of the result if there are no changes.
	// notes tells the model about servers that failed or were left out.
	notes  []string
	run    *lsp.Command // run is a server command that has to run before the changes are known; nil: none has to.
	server lsp.Server   // server is the server that runs the command.
}

// propose asks the servers of a request for changes, and returns a call that proposes these to the
// user. It changes no file itself.
func (t *lspTool) propose(ctx context.Context, r lspRequest, call Call) (Call, error) {
	p, err := t.plan(ctx, r)
	if err != nil {
		return Call{}, asLSPError(err)
	}
	if p.run != nil {
		return t.askCommand(r, call, p), nil
	}
	return t.callOf(ctx, r.id, call, p)
}

// callOf returns a call that makes the planned changes, with one part for each file.
func (t *lspTool) callOf(ctx context.Context, id string, call Call, p planned) (Call, error) {
	if len(p.changes) == 0 {
		text := strings.Join(append([]string{p.nothing}, p.notes...), "\n")
		call.Run = func(context.Context, func(string)) (Result, error) {
			return t.clean(Result{Text: text, Summary: "(no changes)"}), nil
		}
		return call, nil
	}
	call.Mutates, call.Path = true, ""
	for i, c := range p.changes {
		number := t.memory.keep(c)
		var notes []string
		if i == 0 {
			notes = p.notes
		}
		part, err := t.change(ctx, id, c, notes)
		if err != nil {
			return Call{}, err
		}
		in, err := json.Marshal(map[string]string{"part": number})
		if err != nil {
			return Call{}, err
		}
		call.Parts = append(call.Parts, Part{in, part})
	}
	if len(call.Parts) == 1 {
		return call.Parts[0].Call, nil
	}
	return call, nil
}

// keep stores a planned change, so that it can be prepared again, and returns its number.
func (m *lspMemory) keep(c lsp.Change) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.plans) >= maxPlanned {
		clear(m.plans)
	}
	m.count++
	number := strconv.Itoa(m.count)
	m.plans[number] = c
	return number
}

// part prepares the stored change with that number again. If its file has changed meanwhile, both
// changes are merged; if that is impossible, part returns a conflict error.
func (t *lspTool) part(ctx context.Context, id, number string) (Call, error) {
	t.memory.mu.Lock()
	c, ok := t.memory.plans[number]
	t.memory.mu.Unlock()
	if !ok {
		return Call{}, invalidArgs("there is no planned change %q: call lsp again", titled(number, 20))
	}
	return t.change(ctx, id, c, nil)
}

// change returns the call that makes the planned change of one file.
func (t *lspTool) change(ctx context.Context, id string, c lsp.Change, notes []string) (Call, error) {
	f, err := loadTarget(ctx, t.env, c.Path)
	if err != nil {
		return Call{}, err
	}
	if err := t.env.readable(f.Path); err != nil {
		return Call{}, err
	}
	if f.Print.Exists != (c.Before != nil) {
		return Call{}, &Error{Code: "conflict", Text: shown(f.Path) + " has changed since: call lsp again"}
	}
	after := c.After
	if c.Before != nil && string(f.Data) != string(c.Before) {
		merged, clean := diff.Merge(c.Before, c.After, f.Data)
		if !clean || c.After == nil {
			return Call{}, &Error{Code: "conflict", Text: shown(f.Path) + " has changed since: call lsp again"}
		}
		after = merged
	}
	ch := change{env: t.env, call: id, tool: lspName, file: f, asked: t.env.Workspace.Abs(f.Path), notes: notes,
		target: wholeFile{}, after: after}
	switch {
	case after == nil:
		ch.target = removal{prune: t.emptyAfter(f.Path, c.Folder)}
	case c.Before == nil:
		if c.From != "" {
			ch.notes = append(ch.notes, "it was "+t.place(c.From))
			ch.target = wholeFile{mode: t.mode(ctx, c.From)}
		}
		w := (&writeFile{t.env}).change(id, f, ch.asked, after)
		ch.payload, ch.result = w.payload, w.result
		return ch.prepare()
	}
	t.describe(&ch)
	return ch.prepare()
}

// mode returns the permissions of a file that is to be renamed, or 0 if it does not exist.
func (t *lspTool) mode(ctx context.Context, full string) fs.FileMode {
	p, err := t.env.Workspace.Resolve(full)
	if err != nil {
		return 0
	}
	f, err := t.env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
	if err != nil || !f.Print.Exists {
		return 0
	}
	return f.Print.Mode
}

// emptyAfter returns the directories that are removed together with the file p if they become
// empty: those from the file's own up to folder, the deepest first. It returns none if folder is
// "".
func (t *lspTool) emptyAfter(p workspace.Path, folder string) (dirs []string) {
	if folder == "" {
		return nil
	}
	for at := path.Dir(p.Rel()); at != "."; at = path.Dir(at) {
		dirs = append(dirs, at)
		if strings.HasSuffix(filepath.ToSlash(folder), "/"+at) {
			return dirs
		}
	}
	return nil
}

// describe sets the proposal's payload and the result for a change of an existing file.
func (t *lspTool) describe(ch *change) {
	f := ch.file
	line := 1
	ch.payload = func(_ []byte, s assessment) approval.Payload {
		if ch.removes() {
			pay := editOf(f, s)
			pay.Removes, pay.Description = true, "Remove "+shown(f.Path)
			return pay
		}
		pay, _ := lineEdit(f, s)
		line = pay.MatchLine
		return pay
	}
	ch.result = func(r workspace.Receipt, s assessment) Result {
		if r.Removed {
			return Result{Text: "Removed " + r.Path.String() + ".", Summary: "removed"}
		}
		return Result{Text: t.env.header(r.Path, string(s.after)) + message(s, line, r.Path.String()),
			Summary: fmt.Sprintf("+%d -%d", s.diff.Stats.Added, s.diff.Stats.Removed),
			Data: EditResult{Path: r.Path.String(), ReplacementsMade: s.diff.Stats.Hunks, LinesChanged: s.changed,
				Message: message(s, line, r.Path.String())}}
	}
}

// plan asks the servers of a request what they would change for it.
func (t *lspTool) plan(ctx context.Context, r lspRequest) (p planned, err error) {
	switch r.Action {
	case "rename_file":
		return t.planMove(ctx, r)
	case "code_actions":
		return t.planAction(ctx, r)
	}
	p = planned{title: "rename", nothing: "Rename returned no edits"}
	err = t.with(ctx, r.servers[0], r.timeout, func(ctx context.Context, c *lsp.Client) error {
		params, err := t.where(ctx, c, r)
		if err != nil {
			return err
		}
		params["newName"] = r.NewName
		raw, err := c.Request(ctx, "textDocument/rename", params)
		if err != nil {
			return err
		}
		p.changes, err = t.carryOut(ctx, c, raw)
		return err
	})
	return p, err
}

// carryOut applies workspace edits of a server to copies of the files in memory, and returns the
// resulting changes. Nothing is written to disk.
func (t *lspTool) carryOut(ctx context.Context, c *lsp.Client, edits ...json.RawMessage) ([]lsp.Change, error) {
	var steps []lsp.Step
	for _, raw := range edits {
		more, err := lsp.ParseEdit(raw)
		if err != nil {
			return nil, err
		}
		steps = append(steps, more...)
	}
	return lsp.Plan(steps, t.files(ctx, c), c.Encoding)
}

// files returns the access to workspace files for [lsp.Plan]. Reading a file that must not be read
// or written is an error.
func (t *lspTool) files(ctx context.Context, c *lsp.Client) lsp.Files {
	return lsp.Files{
		Read: func(full string) ([]byte, error) {
			f, err := loadTarget(ctx, t.env, full)
			if err != nil {
				return nil, err
			}
			if err := t.env.readable(f.Path); err != nil {
				return nil, err
			}
			if t.env.Workspace.Abs(f.Path) != full {
				return nil, failed("%s is a link: a server cannot change what it leads to", t.place(full))
			}
			if !f.Print.Exists {
				return nil, nil
			}
			return append([]byte{}, f.Data...), nil
		},
		List: func(full string) ([]string, error) { return t.filesBelow(ctx, full) },
		Version: func(full string) int {
			if c == nil {
				return 0
			}
			return c.Version(full)
		},
	}
}

// filesBelow returns the absolute paths of all files in a folder and its subfolders, or none if the
// path is no folder. A symbolic link in the folder is an error.
func (t *lspTool) filesBelow(ctx context.Context, full string) (list []string, err error) {
	dir, err := t.env.Workspace.ResolveDir(full)
	if err != nil {
		return nil, nil //nolint:nilerr // it is a file, or nothing
	}
	err = walk(ctx, t.env.Workspace, dir, looks{ignored: true}, func(tree *workspace.Tree) error {
		if !tree.Mode().IsRegular() {
			return failed("%s is no plain file, and cannot be moved", t.env.Workspace.Abs(tree.Path()))
		}
		if list = append(list, t.env.Workspace.Abs(tree.Path())); len(list) > lsp.MaxChanges {
			return failed("%s has more than %d files", t.place(full), lsp.MaxChanges)
		}
		return nil
	})
	return list, err
}

// preview returns a list of the files that a rename would change.
func (t *lspTool) preview(ctx context.Context, r lspRequest) (Result, error) {
	p, err := t.plan(ctx, r)
	if err != nil {
		return Result{}, asLSPError(err)
	}
	if len(p.changes) == 0 {
		return Result{Text: strings.Join(append([]string{p.nothing}, p.notes...), "\n"), Summary: "(no changes)"}, nil
	}
	head := "Rename preview:"
	if r.Action == "rename_file" {
		head = "Rename preview: " + p.title
	}
	lines := []string{head}
	for _, c := range p.changes {
		st := diff.Make(c.Before, c.After, 0).Stats
		what := fmt.Sprintf("+%d -%d", st.Added, st.Removed)
		switch {
		case c.After == nil:
			what = "removed"
		case c.From != "":
			what += ", was " + t.place(c.From)
		case c.Before == nil:
			what += ", new"
		}
		lines = append(lines, fmt.Sprintf("%s: %s", t.place(c.Path), what))
	}
	return t.clean(Result{Text: strings.Join(append(lines, p.notes...), "\n") + "\n",
		Summary: count(len(p.changes), "file")}), nil
}

// maxMoved is the largest number of files in a folder that can be renamed.
const maxMoved = 1000

// renameServers returns the servers to ask about the renaming of a file: those for its language,
// and all others that are running.
func (t *lspTool) renameServers(_ context.Context, r lspRequest) ([]lsp.Server, error) {
	list := primary(t.service.Servers(r.full))
	for _, s := range primary(t.service.Workspace()) {
		if !slices.ContainsFunc(list, func(o lsp.Server) bool { return o.Name == s.Name }) &&
			t.service.Running(s.Name) {
			list = append(list, s)
		}
	}
	return list, nil
}

// planMove plans the renaming of a file or a folder, together with the changes that servers propose
// for it, such as updated imports.
func (t *lspTool) planMove(ctx context.Context, r lspRequest) (p planned, err error) {
	to, err := t.env.Workspace.Resolve(r.NewName)
	if err != nil {
		return p, err
	}
	dest := t.env.Workspace.Abs(to)
	list, err := t.filesBelow(ctx, r.full)
	if err != nil {
		return p, err
	}
	files := t.files(ctx, nil)
	if len(list) == 0 {
		data, err := files.Read(r.full)
		switch {
		case err != nil:
			return p, err
		case data == nil:
			return p, &workspace.Error{Kind: workspace.NotFound, Path: r.path.String()}
		}
		list = []string{r.full}
	}
	switch {
	case dest == r.full:
		return p, invalidArgs("new_name is the path that it has already")
	case exists(dest):
		return p, invalidArgs("%s exists already", shown(to))
	case len(list) > maxMoved:
		return p, invalidArgs("%s has more than %d files", shown(r.path), maxMoved)
	}
	var pairs []map[string]string
	for _, from := range list {
		name := dest + strings.TrimPrefix(from, r.full)
		pairs = append(pairs, map[string]string{"oldUri": lsp.URIOf(from), "newUri": lsp.URIOf(name)})
	}
	p.title = count(len(list), "file") + " → " + shown(to)
	var steps []lsp.Step
	encoding := lsp.UTF16
	for _, s := range r.servers {
		more, e, err := t.willRename(ctx, s, r, pairs)
		switch {
		case lsp.Unsupported(err):
		case err != nil:
			p.notes = append(p.notes, s.Name+": "+err.Error())
		case len(more) > 0 && len(steps) > 0 && e != encoding:
			p.notes = append(p.notes, s.Name+": its edits are left out, since it counts characters in another way")
		case len(more) > 0:
			steps, encoding = append(steps, more...), e
		}
	}
	steps = append(steps, lsp.MoveStep(r.full, dest))
	p.changes, err = lsp.Plan(steps, files, encoding)
	return p, err
}

// willRename asks a server what it would change if files are renamed. pairs holds the old and the
// new URI of each file.
func (t *lspTool) willRename(ctx context.Context, s lsp.Server, r lspRequest, pairs []map[string]string) (
	steps []lsp.Step, e lsp.Encoding, err error) {
	err = t.with(ctx, s, r.timeout, func(ctx context.Context, c *lsp.Client) error {
		if s.Handles(r.full) { // some know a project only once a file of it is open
			if _, err := t.open(ctx, c, r); err != nil {
				return err
			}
		}
		e = c.Encoding
		raw, err := c.Request(ctx, "workspace/willRenameFiles", map[string]any{"files": pairs})
		if err == nil {
			steps, err = lsp.ParseEdit(raw)
		}
		return err
	})
	return steps, e, err
}
