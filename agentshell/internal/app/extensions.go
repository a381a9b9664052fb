package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// loadExtensions reads the manifests of the user's extensions, and of those of the workspace that
// the user has allowed. It adds their secrets to r.secrets, so it must be called before other parts
// copy that.
func (r *project) loadExtensions(p Host) (list []extension.Source) {
	for _, name := range slices.Sorted(maps.Keys(r.cfg.Extensions)) {
		c := r.cfg.Extensions[name]
		for _, e := range c.Env {
			key, value, given := strings.Cut(e, "=")
			if !given {
				value = p.getenv(key)
			}
			if !given || secret.IsKey(key) {
				r.addSecrets(p, secret.Filled(key, value)...)
			}
		}
		dir := c.Folder(name, config.Dir(p.getenv), p.getenv("HOME"))
		m, err := extension.Load(dir)
		if err == nil && r.inWorkspace(filepath.Join(dir, extension.ManifestName)) {
			err = errors.New("its folder lies in the workspace, where the model can change it")
		}
		if err != nil {
			r.notices = append(r.notices, fmt.Sprintf("the extension %s is not used: %v", name, err))
			continue
		}
		list = append(list, extension.Source{Name: name, Dir: dir, Manifest: m,
			Env: environFor(c.Env, p.getenv, p.family.Programs)})
	}
	return append(list, r.workspaceExtensions(p)...)
}

// newExtensions creates the service that runs extensions, and adds list to it. It starts none. If
// there are no extensions, r.extensions stays nil.
func (r *project) newExtensions(p Host, list []extension.Source) {
	if len(list) == 0 && len(r.offeredExtensions.sources) == 0 {
		return
	}
	c := extension.Config{Dir: r.ws.Dir(), Family: p.family, Secrets: r.secrets, Version: r.version,
		Log: r.helperLog(config.StateDir(p.getenv), "extensions")}
	if confine := r.env.Confinement.Cell; confine != nil {
		c.Cell = func(cmd *exec.Cmd, dir string) (*sandbox.Cell, error) {
			return confine(cmd, tool.Reach{Program: dir})
		}
	}
	r.extensions = extension.NewService(c)
	for _, s := range list {
		if err := r.addExtension(s); err != nil {
			r.notices = append(r.notices, fmt.Sprintf("the extension %s is not used: %v", s.Name, err))
		}
	}
}

// toolKind returns the kind of a tool by the word in an extension's manifest.
func toolKind(word string) approval.Kind {
	switch word {
	case "reads":
		return approval.KindReads
	case "searches":
		return approval.KindSearches
	case "edits":
		return approval.KindEdits
	case "runs":
		return approval.KindRuns
	}
	return approval.KindOther
}

// addExtension adds an extension to the service, and its tools to the conversations.
func (r *project) addExtension(s extension.Source) error {
	e, err := r.extensions.Add(s)
	if err != nil || len(s.Manifest.Tools) == 0 {
		return err
	}
	var tools []tool.Tool
	for _, t := range s.Manifest.Tools {
		tools = append(tools, &tool.Foreign{Env: r.env, Server: s.Name, Tool: t.Name, Description: t.About,
			Schema: json.RawMessage(t.Schema), Extension: true, Kind: toolKind(t.Kind),
			Do: func(ctx context.Context, args json.RawMessage, report func(string)) (tool.Answer, error) {
				reply, err := e.Tool(ctx, t.Name, args, report)
				return tool.Answer{Text: reply.Text, Failed: reply.Failed}, err
			}})
	}
	return r.foreign.setTools("extension "+s.Name, tools)
}

// toldHooks tells extensions about tool calls, and also asks the user's hooks. It implements
// [agent.Hooks].
type toldHooks struct {
	hooks      agent.Hooks // The user's hooks; nil if there are none.
	extensions *extension.Service
}

// Ask implements [agent.Hooks]: it tells the extensions about the call, and returns the answer of
// the user's hooks.
func (h toldHooks) Ask(ctx context.Context, q hook.Question) (a hook.Answer) {
	switch q.On {
	case hook.Before:
		h.extensions.Event(extension.Event{Event: extension.CallAsked, Call: q.Call, Tool: q.Tool, Input: q.Input})
	case hook.After:
		h.extensions.Event(extension.Event{Event: extension.CallResult, Call: q.Call, Tool: q.Tool, OK: &q.OK,
			Text: q.Result})
	}
	if h.hooks == nil {
		return a
	}
	return h.hooks.Ask(ctx, q)
}

// hooksAndExtensions returns what is told about tool calls: the user's hooks, and the extensions.
func (r *project) hooksAndExtensions() agent.Hooks {
	if r.extensions == nil {
		return r.hooks()
	}
	return toldHooks{r.hooks(), r.extensions}
}

// tellTurn tells the extensions that a user's message has started a turn.
func (r *project) tellTurn(m provider.Message) {
	if r.extensions != nil && m.Role == provider.User {
		text := agent.AsTyped(m.MainText())
		r.extensions.Event(extension.Event{Event: extension.TurnBegin, Text: text})
	}
}

// plainExtension returns the function that runs the slash commands of extensions in a plain text
// conversation. It returns nil if there are no extensions. A command whose name is taken can be
// called by EXTENSION:COMMAND.
func (r *project) plainExtension() func(ctx context.Context, name, args string) ([]string, string, bool) {
	if r.extensions == nil {
		return nil
	}
	return func(ctx context.Context, name, args string) (lines []string, send string, found bool) {
		if name == "extensions" {
			lines, ok := r.extensions.Handle(ctx, args, shell.Builtin)
			if !ok {
				lines[0] = "! " + lines[0]
			}
			return lines, "", true
		}
		for _, c := range r.extensions.Commands(shell.Builtin) {
			if name != c.By && name != c.Extension.Name+":"+c.Name {
				continue
			}
			reply, err := c.Extension.Command(ctx, c.Name, args, 0, nil)
			if err != nil {
				return []string{"! /" + name + " failed: " + err.Error() + "."}, "", true
			}
			for _, row := range reply.Rows {
				lines = append(lines, row.Text())
			}
			if reply.Draft != "" {
				lines = append(lines, "For the prompt: "+reply.Draft)
			}
			return lines, reply.Send, true
		}
		return nil, "", false
	}
}

// missingProgram returns a message that says that the program of an extension does not exist or is
// not built, or "" if it can run.
func (p Host) missingProgram(m extension.Manifest, dir string) string {
	if err := m.Unbuilt(dir); err != nil {
		return err.Error()
	}
	if program := m.Command[0]; !strings.ContainsRune(program, '/') {
		if _, err := p.family.Programs.Path(program); err != nil {
			return program + " is not installed."
		}
	}
	return ""
}

// extensionFindings reports, for the doctor, the state of the extensions in the configuration file.
func (p Host) extensionFindings() (list []finding) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return nil // modelFindings reports the error
	}
	work, _ := p.workspaceDir("", false)
	for _, name := range slices.Sorted(maps.Keys(cfg.Extensions)) {
		f := finding{About: "extensions", Name: name}
		dir := cfg.Extensions[name].Folder(name, config.Dir(p.getenv), p.getenv("HOME"))
		m, err := extension.Load(dir)
		if err != nil {
			f.Value, f.Advice = "not used: "+err.Error(), "Correct the file, or remove [extensions."+name+"]."
		} else if isWithin(work, dir) {
			f.Value = "not used here: its folder lies in the workspace, where the model can change it"
			f.Advice = "Start agentshell in another directory."
		} else {
			f.Value = m.Summary()
			f.Advice = p.missingProgram(m, dir)
		}
		list = append(list, f)
	}
	return list
}
