package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/browser"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"mvdan.cc/sh/v3/syntax"
)

// logins, noteApp and startsFree tell the user in a proposal what a tab of an application can do.
const (
	logins = "the tab has the logins of that browser: what the model does there is done in your name. Its network, " +
		"downloads and files are not confined"
	noteApp    = "works on a page of an application, with its logins"
	startsFree = "the application starts outside of any sandbox, with your files"
)

// prepareAttach prepares a call that opens a tab of another application, such as one made with
// Electron. It always asks the user, and shows the whole address or command line. Only the
// unconfined mode answers the question; no rule does.
func (t *browserTool) prepareAttach(id string, args browserArgs, o browser.Open) (Call, error) {
	app, err := t.app(*args.App)
	if err != nil {
		return Call{}, err
	}
	if len(args.Network) > 0 {
		return Call{}, invalidArgs("network is about the browser: the network of an application is its own")
	}
	if o.App = app; args.URL != "" {
		address, _, err := browser.Parse(args.URL)
		if err != nil {
			return Call{}, invalidArgs("%v", err)
		}
		o.URL = address
	}
	line := attachLine(app, o)
	if t.env.Secrets.Contains([]byte(line)) {
		return Call{}, invalidArgs("the call holds a key that must not leave this machine")
	}
	call := Call{Title: BrowserName + " open " + titled(args.Name, maxTabName) + " " + titled(line, 200), Mutates: true,
		Name: app.Path}
	if app.Endpoint != nil {
		call.Name = app.Endpoint.Host.Name
	}
	call.Proposal = t.attachProposal(id, app, line, args)
	call.Proposal.Subject = call.Subject(BrowserName)
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		ctx, cancel := context.WithTimeout(ctx, args.time())
		defer cancel()
		return t.open(ctx, o)
	}
	return call, nil
}

// app checks the argument app of a call, and returns the application that it describes.
func (t *browserTool) app(a browserApp) (*browser.App, error) {
	app := &browser.App{Path: a.Path, Args: a.Args, Target: a.Target}
	switch {
	case (a.CDPURL == "") == (a.Path == ""):
		return nil, invalidArgs("app takes cdp_url or path")
	case a.CDPURL != "" && len(a.Args) > 0:
		return nil, invalidArgs("args are for an application that is started by its path")
	case a.CDPURL != "":
		return app, t.checkEndpoint(app, a.CDPURL)
	}
	for _, arg := range a.Args {
		if strings.HasPrefix(arg, "--remote-debugging-") || strings.ContainsRune(arg, 0) {
			return nil, invalidArgs("%s is no argument for an application: its port is chosen when it starts",
				shownLine(arg))
		}
	}
	if !filepath.IsAbs(app.Path) {
		app.Path = filepath.Join(t.env.Workspace.Dir(), app.Path)
	}
	info, err := os.Stat(app.Path)
	switch {
	case err != nil:
		return nil, &Error{Code: "not_found", Text: shownLine(app.Path) + " is not there", Err: err}
	case info.IsDir():
		return nil, invalidArgs("%s is a directory: name the program in it", shownLine(app.Path))
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
		return nil, invalidArgs("%s is no program", shownLine(app.Path))
	}
	return app, nil
}

// checkEndpoint parses the address of an application's DevTools port into app. The address must be
// on this machine, or on a host that is allowed already.
func (t *browserTool) checkEndpoint(app *browser.App, address string) (err error) {
	if app.Endpoint, err = browser.ParseEndpoint(address); err != nil {
		return invalidArgs("%v", err)
	}
	if !app.Endpoint.Loopback() && !t.service.Hosts().Has(app.Endpoint.Host) {
		return invalidArgs("%v; only addresses of this machine can be attached to, and hosts of network in the config "+
			"file", proxy.Refusal{Host: app.Endpoint.Host})
	}
	return nil
}

// attachLine returns what the call does, for the proposal: the address that it attaches to, or the
// complete command line that it starts.
func attachLine(app *browser.App, o browser.Open) string {
	var line string
	if app.Endpoint != nil {
		line = "attach to " + app.Endpoint.String()
	} else {
		words := []string{quotedWord(app.Path), "--remote-debugging-port=0"}
		for _, a := range app.Args {
			words = append(words, quotedWord(a))
		}
		line = strings.Join(words, " ")
	}
	if app.Target != "" {
		line += fmt.Sprintf("\n# its page %q", app.Target)
	}
	if o.URL != "" {
		line += "\n# goes to " + o.URL
	}
	return line
}

// quotedWord returns a word with the quotes that bash needs.
func quotedWord(text string) string {
	if quoted, err := syntax.Quote(text, syntax.LangBash); err == nil {
		return quoted
	}
	return fmt.Sprintf("%q", text)
}

// attachProposal returns the question whether a tab of an application may be opened.
func (t *browserTool) attachProposal(id string, app *browser.App, line string, args browserArgs) *approval.Proposal {
	root := t.env.Workspace.RootPath()
	p := &approval.Proposal{ID: t.env.newID(), Call: id, Tool: BrowserName, Payload: approval.Command{
		Base: approval.Base{Kind: "command", Path: root.String(), Sandbox: root.Root(),
			Description: "Open a tab of an application: " + diff.Escape(line)},
		Command: line, TimeoutS: int(args.time().Seconds()), Simple: []string{}, Effects: []approval.Effect{},
		Note: noteApp, What: "a tab of an application"},
		Notes: []string{noteApp}, Flags: []approval.Flag{{Name: approval.FlagOutside, Text: logins}}}
	if app.Endpoint == nil {
		p.Notes = append(p.Notes, startsFree)
	}
	if n := approval.CountHidden(line); n > 0 {
		p.Flags = append(p.Flags, approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character")})
	}
	return p
}
