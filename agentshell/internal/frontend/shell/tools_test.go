package shell

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestToolsAreListedWithTheStateOfWhatServesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		helpers := []Helper{{"language server", helper.Status{Name: "gopls", State: helper.NotStarted, Reach: "all"}}}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Programs.Servers = &someServers{list: []mcp.Status{{Name: "files", State: mcp.Ready, Tools: 14}}}
			cfg.Programs.Tools = func() []string { return []string{"bash", "lsp"} }
			cfg.Programs.Helpers = func() []Helper { return helpers }
		})
		s.pass(time.Second)
		s.Type("/tools")
		s.Press("enter")
		s.holds("2 tools of the model: bash, lsp", "MCP server files  ready, 14 tools",
			"language server gopls  not started  (all)")
		helpers[0].Status = helper.Status{Name: "gopls", State: helper.Failed, Why: "exit \x1b[31m2", Reach: "all",
			Install: "go install gopls"}
		s.Type("/tools")
		s.Press("enter")
		s.holds("language server gopls  failed: exit ␛[31m2  (all). To install it: go install")
	})
}

func TestWithoutToolsThatIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(*Config) {})
		s.pass(time.Second)
		s.Type("/tools")
		s.Press("enter")
		s.holds("The model has no tools.")
	})
}
