package app

import (
	"net"
	"os"
	"os/exec"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/browser"
)

// newBrowser returns the browser for the tool browser, without starting it. It returns nil if the
// user has not turned the tool on. If commands run in a sandbox, the browser does, too, and can
// read only its own files.
func (r *project) newBrowser(p Host, confine tool.Confine) *browser.Service {
	if !r.cfg.Browser.Enabled {
		return nil
	}
	c := browser.Config{Program: r.cfg.Browser.Program, Env: tool.HelperEnviron(p.environ), TempDir: p.tempDir,
		Dir: r.ws.Dir(), Hosts: r.allowedHosts(), Family: p.family, Secrets: r.secrets,
		OwnSandbox: os.Getuid() != 0}
	if confine != nil && runtime.GOOS == "linux" { // on other systems a sandbox has no network
		c.Cell = func(cmd *exec.Cmd, dir string, out func(net.Listener)) (*sandbox.Cell, error) {
			return r.cell(sandbox.Policy{Workspace: dir, Environ: cmd.Env, Proxy: out}, cmd, nil)
		}
	}
	return browser.NewService(c)
}

// browserFindings reports, for the doctor, whether the tool browser can be used.
func (p Host) browserFindings() []finding {
	f := finding{About: "browser", Name: "program", Value: "off",
		Advice: "enabled = true below [browser] in the config file lets the model look at pages in a browser."}
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.Browser.Enabled {
		return []finding{f}
	}
	s := browser.NewService(browser.Config{Program: cfg.Browser.Program, Family: p.family})
	f.Value, f.Advice = s.Program(), ""
	if err := s.Find(); err != nil {
		f.Value, f.Advice, f.Bad = err.Error(), browser.Install, true
	}
	return []finding{f}
}
