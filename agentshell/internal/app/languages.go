package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// newLanguages returns the language servers for the workspace, without starting one. It returns nil
// if the user has not turned them on.
func (r *project) newLanguages(ctx context.Context, p Host, confine tool.Confine) *lsp.Service {
	if !r.cfg.LSP.Enabled {
		return nil
	}
	table, err := languageTable(config.Dir(p.getenv), nil)
	if err != nil {
		r.notices = append(r.notices, "language servers: "+err.Error())
		return nil
	}
	table = r.workspaceLanguages(ctx, p, table)
	c := lsp.Config{Table: table, Dir: r.ws.Dir(), Env: tool.HelperEnviron(p.environ),
		Family: p.family, Secrets: r.secrets,
		Version: r.version, Report: r.cfg.LSP.Diagnostics, Format: r.cfg.LSP.Format,
		Log: r.helperLog(config.StateDir(p.getenv), "lsp")}
	if confine != nil {
		c.Cell = func(cmd *exec.Cmd, _ string) (*sandbox.Cell, error) {
			return confine(cmd, tool.Reach{})
		}
	}
	return lsp.NewService(c)
}

// helperLog returns a function that opens the log file of a helper program, in the directory folder
// of the state directory. It returns nil if there is no state directory.
func (r *project) helperLog(stateDir, folder string) func(name string) io.Writer {
	if stateDir == "" {
		return nil
	}
	return func(name string) io.Writer {
		dir := filepath.Join(stateDir, folder)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil
		}
		log, err := child.OpenLog(filepath.Join(dir, filepath.Base(name)+".log"))
		if err != nil {
			return nil
		}
		return r.secrets.Writer(log)
	}
}

// languageFindings reports which language servers are installed that fit the current directory, and
// how to install the others.
func (p Host) languageFindings() (list []finding) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.LSP.Enabled {
		return []finding{{About: "code", Name: "language servers", Value: "off",
			Advice: "enabled = true below [lsp] in the config file lets the model ask language servers about code."}}
	}
	table, err := languageTable(config.Dir(p.getenv), nil)
	if err != nil {
		return []finding{{About: "code", Name: "language servers", Value: err.Error(), Bad: true}}
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil
	}
	service := lsp.NewService(lsp.Config{Table: table, Dir: dir, Family: p.family})
	for _, s := range service.Fitting() {
		f := finding{About: "code", Name: s.Name, Value: "installed"}
		if _, _, _, err := service.Start(s); err != nil {
			f.Value, f.Advice = "not installed", s.Install
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		list = append(list, finding{About: "code", Name: "language servers", Value: "none for this folder"})
	}
	return list
}

// helperStates returns the states of the long-running programs that tools use, without MCP servers.
func (c *conversation) helperStates() (list []shell.Helper) {
	add := func(kind string, states []helper.Status) {
		for _, s := range states {
			list = append(list, shell.Helper{Kind: kind, Status: s})
		}
	}
	if c.helpers.languages != nil {
		add("language server", languageStates(c.helpers.languages))
	}
	if c.helpers.debugger != nil {
		add("debugger", c.helpers.debugger.Status())
	}
	if c.cells != nil {
		add("cells of", c.cells.Status())
	}
	return list
}

// languageStates returns the state of each language server that has been used, or that fits the
// workspace.
func languageStates(service *lsp.Service) []helper.Status {
	used := service.Status()
	for _, server := range service.Workspace() {
		if !slices.ContainsFunc(used, func(s helper.Status) bool { return s.Name == server.Name }) {
			_, reach, _, _ := service.Start(server)
			used = append(used, helper.Status{Name: server.Name, State: helper.NotStarted, Reach: reach})
		}
	}
	return used
}

// codeNews collects lines for the user about what language servers have found after file changes.
// The zero value is empty. It is safe for several goroutines.
type codeNews struct {
	mu   sync.Mutex
	rows []string
}

// add adds lines for the user.
func (n *codeNews) add(rows ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rows = append(n.rows, rows...)
}

// take returns the lines that were collected since the last call.
func (n *codeNews) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows := n.rows
	n.rows = nil
	return rows
}

// diagnosticsWait is how long the result of a file change waits for language servers to find
// problems; what they find later is sent with the next request. maxNewDiagnostics is the number of
// their lines that the model is sent.
const (
	diagnosticsWait   = 2 * time.Second
	maxNewDiagnostics = 20
)

// newDiagnostics returns a text for the model with the problems that language servers have found in
// changed files, or nil if there are none. It waits at most for limit.
func (c *conversation) newDiagnostics(limit time.Duration) []string {
	if c.helpers.languages == nil {
		return nil
	}
	var lines []string
	for _, n := range c.helpers.languages.News(limit) {
		c.codeNews.add(c.secrets.Redact(n.Summary()))
		lines = append(lines, n.Lines...)
	}
	if len(lines) == 0 {
		return nil
	}
	if more := len(lines) - maxNewDiagnostics; more > 0 {
		lines = append(lines[:maxNewDiagnostics], fmt.Sprintf("[%d more]", more))
	}
	text := "[language servers find what the change has brought:]\n" + strings.Join(lines, "\n")
	return []string{c.secrets.Redact(text)}
}
