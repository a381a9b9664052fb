package tool

import (
	"maps"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Traits returns the traits of all tools in this package, by tool name.
func Traits() approval.Tools { return maps.Clone(traits()) }

// Quiet reports whether front ends show only the summary of the named tool's results to the user,
// and not the text for the model.
func Quiet(name string) bool { return traits()[name].SummaryOnly }

// traits returns the traits of all tools, by tool name. They are computed only once, because Quiet
// is called for each call of a displayed conversation. The names are listed here, and not taken
// from the Spec methods, because a Spec includes the tool's schema, which is slow to build.
var traits = sync.OnceValue(func() approval.Tools {
	return approval.Tools{
		"bash":           (&bash{}).Traits(),
		"checkpoint":     (&checkpoint{}).Traits(),
		"diff":           (&diffFiles{}).Traits(),
		"edit_file":      (&editFile{}).Traits(),
		"find":           (&find{}).Traits(),
		"irc":            (&irc{}).Traits(),
		"job":            (&jobTool{}).Traits(),
		"list_dir":       (&listDir{}).Traits(),
		"rewind":         rewind{}.Traits(),
		"search":         (&search{}).Traits(),
		"todo":           (&todoTool{}).Traits(),
		"write_file":     (&writeFile{}).Traits(),
		AskName:          (&ask{}).Traits(),
		BrowserName:      (&browserTool{}).Traits(),
		DebugName:        (&debugTool{}).Traits(),
		EvalName:         (&evalTool{}).Traits(),
		GitHubName:       (&githubTool{}).Traits(),
		ReadName:         (&readFile{}).Traits(),
		TaskName:         (&task{}).Traits(),
		YieldName:        (&Yield{}).Traits(),
		editName:         (&edit{}).Traits(),
		inspectImageName: (&inspectImage{}).Traits(),
		lspName:          (&lspTool{}).Traits(),
		planName:         (&plan{}).Traits(),
		recallName:       (&recall{}).Traits(),
		searchToolsName:  (&searchTools{}).Traits(),
		sshName:          (&sshTool{}).Traits(),
		webSearchName:    (&webSearch{}).Traits(),
	}
})
