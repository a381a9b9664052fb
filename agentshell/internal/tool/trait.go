package tool

import (
	"maps"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Traits returns what all tools of this package say of themselves, by the names that rules and
// calls have for them.
func Traits() approval.Tools { return maps.Clone(traits()) }

// Quiet reports whether the summary of what the tool name gives is enough for a person.
func Quiet(name string) bool { return traits()[name].SummaryOnly }

// traits is made once: whoever shows a conversation asks for each call in it (Quiet). The names
// stand here because a tool says its name together with its schema, and each start would make the
// schemas of all tools.
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
