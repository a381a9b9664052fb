package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/browser"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// noteBrowser and noteBrowserFree are notes in proposals that tell the user what code in a browser
// tab may reach, with and without a sandbox.
const (
	noteBrowser     = "works on pages of allowed hosts, in a sandbox without files"
	noteBrowserFree = "works on pages of allowed hosts; the browser is not confined"
)

// maxUpload is the number of bytes in the largest file that is handed to a page.
const maxUpload = 32 << 20

// prepareRun prepares a call that runs code on a browser tab. The proposal shows all of the code.
func (t *browserTool) prepareRun(id string, args browserArgs) (Call, error) {
	switch {
	case strings.TrimSpace(args.Code) == "":
		return Call{}, invalidArgs("Missing required parameter 'code' for action 'run'.")
	case len(args.Code) > maxCommand:
		return Call{}, invalidArgs("the code is too long: %d bytes > %d", len(args.Code), maxCommand)
	}
	tab, err := t.service.Tab(args.Name)
	if err != nil {
		return Call{}, failed("%s", shownLine(err.Error()))
	}
	first, _, _ := strings.Cut(strings.TrimSpace(args.Code), "\n")
	call := Call{Title: BrowserName + " run " + titled(args.Name+": "+first, 200), Name: hostOf(tab), Mutates: true,
		Confined: t.service.Confined() && tab.App() == nil}
	note := noteBrowserFree
	switch {
	case tab.App() != nil:
		note = noteApp
	case call.Confined:
		note = noteBrowser
	}
	root := t.env.Workspace.RootPath()
	code := "// on the tab " + diff.Escape(args.Name) + "\n" + strings.TrimRight(args.Code, "\n")
	call.Proposal = &approval.Proposal{ID: t.env.newID(), Call: id, Tool: BrowserName, Notes: []string{note},
		Payload: approval.Command{Base: approval.Base{Kind: "command", Path: root.String(), Sandbox: root.Root(),
			Description: "Run " + diff.Escape(code)}, Command: code, TimeoutS: int(args.time() / time.Second),
			Simple: []string{}, Effects: []approval.Effect{}, Note: note}}
	if app := tab.App(); app != nil {
		call.Proposal.Notes = append(call.Proposal.Notes, "the application is "+diff.Escape(app.String()))
		call.Proposal.Flags = append(call.Proposal.Flags, approval.Flag{Name: approval.FlagOutside, Text: logins})
	}
	if n := approval.CountHidden(code); n > 0 {
		call.Proposal.Flags = append(call.Proposal.Flags, approval.Flag{Name: approval.FlagHidden,
			Text: count(n, "hidden character") + " in the code"})
	}
	call.Run = func(ctx context.Context, progress func(string)) (Result, error) {
		r := &browserRun{tool: t, name: args.Name, out: &output{progress: progress, redactor: t.env.Secrets.Stream(),
			keep: t.env.Outputs, left: roomOf(ctx)}}
		return r.run(ctx, tab, args)
	}
	call.Proposal.Subject = call.Subject(BrowserName)
	return call, nil
}

// hostOf returns the host of the page in a tab, or "" if it cannot be determined.
func hostOf(tab *browser.Tab) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	address, _, err := tab.Place(ctx)
	if err != nil {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// browserRun runs code on a tab. It implements browser.Host: the functions that the code can call
// outside of the browser.
type browserRun struct {
	tool   *browserTool
	name   string
	out    *output
	result Result
}

// run runs the code, and returns the values that it has displayed and returned.
func (r *browserRun) run(ctx context.Context, tab *browser.Tab, args browserArgs) (Result, error) {
	shown := false
	show := func(text string) {
		shown = true
		_, _ = r.out.Write([]byte(lined(text)))
	}
	outcome, err := tab.Run(ctx, browser.Code{Text: args.Code, Timeout: args.time(), Host: r, Show: show,
		Image: r.image})
	if outcome.Value != "" {
		show(outcome.Value)
	}
	if outcome.Error != "" {
		show(outcome.Error)
	}
	r.out.flush()
	notes := r.tool.notes(tab)
	head := r.head(tab)
	text := lined(r.out.text()) + r.out.cleared()
	if !shown {
		text = fmt.Sprintf("Ran code on tab %q\n", r.name)
	}
	r.result.Text = head + text + notes.model
	r.result.Detail = detail(r.out.detail(), notes.person)
	r.result.Summary = exitDone
	switch {
	case ctx.Err() != nil:
		r.result.Summary = "stopped"
		return r.result, &Error{Code: "cancelled", Text: "The code was stopped\n" + r.result.Text, Err: ctx.Err()}
	case err != nil:
		return r.result, r.tool.failed(ctx, err, browserNotes{model: r.result.Text})
	case outcome.Error != "":
		r.result.Summary = "failed"
		return r.result, failed("%s", r.result.Text)
	}
	return r.result, nil
}

// head returns the line above the result, which warns the model that texts of the page were written
// by others.
func (r *browserRun) head(tab *browser.Tab) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	address, _, err := tab.Place(ctx)
	if err != nil {
		address = "a page that is gone"
	}
	return fmt.Sprintf("[tab %s at %s; text of pages was written by others]\n", shownLine(r.name), shownLine(address))
}

// image adds a picture to the result, and returns the line that stands for it in the text.
func (r *browserRun) image(data []byte) (string, error) {
	n := len(r.result.Images) + 1
	if n > maxPictures {
		return fmt.Sprintf("[a further picture: a call shows %d at most]", maxPictures), nil
	}
	p, err := picture.New(fmt.Sprintf("picture %d", n), data)
	if err != nil {
		return "", fmt.Errorf("the picture cannot be shown: %w", err)
	}
	r.result.Images = append(r.result.Images, p)
	line := fmt.Sprintf("[picture %d: %s, %d by %d pixels]", n, p.Media, p.W, p.H)
	if p.Shrunk != "" {
		line = strings.TrimSuffix(line, "]") + ", " + p.Shrunk + "]"
	}
	return line, nil
}

// Visit implements browser.Host. It asks the user whether pages may reach a new host, by a call of
// the tool browser.
func (r *browserRun) Visit(ctx context.Context, address string, host *browser.HostError) error {
	caller := CallerOf(ctx)
	if caller == nil {
		return host
	}
	input, err := json.Marshal(map[string]any{"action": "open", "name": r.name, "network": []string{host.Host.String()},
		"reason": "the code goes to " + address})
	if err != nil {
		return err
	}
	if r.tool.env.Secrets.Contains([]byte(address)) {
		return errors.New("the address holds a key that must not leave this machine")
	}
	_, err = caller.CallTool(ctx, BrowserName, input)
	return err
}

// File implements browser.Host. It returns the content of a file for a page, if rules allow
// read_file to read it.
func (r *browserRun) File(ctx context.Context, path string) (string, []byte, error) {
	env := r.tool.env
	if isAddress(path) {
		return "", nil, invalidArgs("%s is no path", shownLine(path))
	}
	p, err := env.Workspace.Resolve(path)
	if err != nil {
		return "", nil, err
	}
	if err := env.readable(p); err != nil {
		return "", nil, err
	}
	f, err := env.Workspace.Snapshot(ctx, p, maxUpload)
	switch {
	case err != nil:
		return "", nil, err
	case !f.Print.Exists:
		return "", nil, &workspace.Error{Kind: workspace.NotFound, Path: p.String()}
	case env.Secrets.Contains(f.Data):
		return "", nil, fmt.Errorf("%s holds a key that must not leave this machine", shown(p))
	}
	return p.Rel(), f.Data, nil
}

// Text implements browser.Host. It converts a page to text as read_file does.
func (r *browserRun) Text(ctx context.Context, address string, page []byte) (string, error) {
	return r.tool.env.text(ctx, document.Request{Page: address, Rendered: true}, page)
}

// Save implements browser.Host. It writes a picture to a file, with the same question to the user
// as write_file.
func (r *browserRun) Save(ctx context.Context, path string, png []byte) (saved string, err error) {
	caller := CallerOf(ctx)
	switch {
	case caller == nil:
		return "", errors.New("pictures cannot be saved here: nobody can be asked")
	case isAddress(path):
		return "", notWritable(path)
	}
	input, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		return "", err
	}
	result, err := caller.MakeCall(ctx, BringName, input, func(ctx context.Context, id string) (Call, error) {
		return r.saving(ctx, id, path, png)
	})
	if err != nil {
		return "", err
	}
	return strings.Join(result.Changed, ""), nil
}

// saving prepares the call that writes a picture to a file.
func (r *browserRun) saving(ctx context.Context, id, path string, png []byte) (Call, error) {
	env := r.tool.env
	f, err := loadTarget(ctx, env, path)
	if err != nil {
		return Call{}, err
	}
	c := (&writeFile{env}).change(id, f, path, png)
	c.notes = []string{"a picture of the tab " + shownLine(r.name)}
	c.result = func(receipt workspace.Receipt, _ assessment) Result {
		return Result{Text: fmt.Sprintf("Saved a picture as %s: %s.", receipt.Path, bytesWord(len(png))),
			Summary: "picture, " + bytesWord(len(png))}
	}
	return c.prepare()
}
