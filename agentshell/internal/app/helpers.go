package app

import (
	"context"
	"errors"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/browser"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/ssh"
)

// helpers holds the long-running programs and connections that tools use, such as language servers,
// for one workspace. Each starts when it is first used. A field is nil if the user has not turned
// it on.
type helpers struct {
	languages *lsp.Service
	debugger  *dap.Service
	ssh       *ssh.Service
	browser   *browser.Service
	github    *github.Service
}

// newHelpers returns the helpers that the user has turned on, without starting them. confine runs
// them in a sandbox; if it is nil, they run without one.
func (r *project) newHelpers(ctx context.Context, p Host, confine tool.Confine) helpers {
	return helpers{languages: r.newLanguages(ctx, p, confine), debugger: r.newDebugger(p, confine), ssh: r.newSSH(p),
		github: r.newGitHub(p), browser: r.newBrowser(p, confine)}
}

// close ends all helpers, and waits until they have ended.
func (h helpers) close() {
	var wg sync.WaitGroup
	if h.languages != nil {
		wg.Go(h.languages.Close)
	}
	if h.debugger != nil {
		wg.Go(h.debugger.Close)
	}
	if h.ssh != nil {
		wg.Go(h.ssh.Close)
	}
	if h.github != nil {
		wg.Go(h.github.Close)
	}
	if h.browser != nil {
		wg.Go(h.browser.Close)
	}
	wg.Wait()
}

// addHelperTools adds the tools that need a helper to the conversation, as far as it may use them.
func (c *conversation) addHelperTools() error {
	put := func(name string, isOn bool, tools func() []tool.Tool) error {
		if !isOn || !c.mayCall(name) {
			return nil
		}
		return c.tools.Put(name, tools())
	}
	h, answers := c.helpers, c.model
	if c.agentModel != nil {
		answers = c.agentModel
	}
	return errors.Join(
		put(tool.LanguagesOwner, h.languages != nil,
			func() []tool.Tool { return tool.Languages(c.env, h.languages) }),
		c.offerSight(answers),
		put(tool.DebugOwner, h.debugger != nil, func() []tool.Tool { return tool.Debug(c.env, h.debugger) }),
		put(tool.CellsOwner, c.cfg.Eval.Enabled, c.newCells),
		put(tool.SSHOwner, h.ssh != nil, func() []tool.Tool { return tool.SSH(c.env, h.ssh) }),
		put(tool.GitHubName, h.github != nil, func() []tool.Tool { return tool.GitHub(c.env) }),
		put(tool.BrowserOwner, h.browser != nil, func() []tool.Tool { return tool.Browser(c.env, h.browser) }),
	)
}
