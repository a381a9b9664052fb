package keymap

// Context is a set of places in the shell where a key can be pressed.
type Context uint16

// The contexts. Where the user types text, a key that types a character cannot be bound.
const (
	Prompt     Context = 1 << iota // the prompt, and keys that act on the shell while it has the focus
	Field                          // another text field
	Completion                     // the prompt while completions are on the screen
	Search                         // the search in the history of prompts
	List                           // a list on the screen, such as /tree
	Pane                           // reading a proposed change of a file
	Pager                          // reading the output of a tool call
	Decision                       // approving or denying a tool call: these keys cannot be changed
)

// typing holds the contexts in which letters are typed as text.
const typing = Prompt | Field | Completion | Search | List

// Action is something that the user can do with keys.
type Action struct {
	Name     string // The name in the configuration, such as "word-left".
	About    string // A short description for the user.
	Group    string // The title of the group in which the action is listed.
	Contexts Context
	Keys     []string // The built-in keys. If there is room for only one, the first is shown.
	Fixed    bool     // The keys cannot be changed.
	NeedsKey bool     // The user cannot remove all keys of the action.

	codeKey string // The key by which the program's code knows the action; "": the first of Keys.
}

// The titles of the groups, in the order in which they are listed.
const (
	inPrompt = "In the prompt"
	editing  = "Editing text"
	offering = "While something is offered to complete the prompt"
	finding  = "In the search of the history"
	inList   = "In a list: /tree, /rewind, /resume"
	reading  = "Reading a change, or the output of a call"
	inPager  = "In the output of a call only"
	deciding = "In the pane that shows a change (these cannot be changed)"
)

// actions lists all actions, in the order in which they are listed for the user.
var actions = []Action{
	{Name: "submit", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Enter"}, NeedsKey: true,
		About: "send; while a turn runs: queue, to go in before its next step"},
	{Name: "newline", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+J", "Alt+Enter", "Shift+Enter"},
		About: "a new line; also a backslash before {submit}"},
	{Name: "stop", Group: inPrompt, Contexts: Prompt, Keys: []string{"Esc"}, NeedsKey: true,
		About: "stop the turn; queued messages return to the prompt"},
	{Name: "interrupt", Group: inPrompt, Contexts: Prompt | Field | Completion | Search | List | Pager,
		Keys:  []string{"Ctrl+C"},
		Fixed: true, About: "stop the turn, or clear the prompt; twice: quit"},
	{Name: "delete-or-quit", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+D"},
		About: "quit, in an empty prompt; else delete to the right"},
	{Name: "suspend", Group: inPrompt, Contexts: Prompt | Field | Completion | Search | Pane,
		Keys: []string{"Ctrl+Z"}, Fixed: true,
		About: "suspend"},
	{Name: "redraw", Group: inPrompt, Contexts: Prompt | Field | Completion | Search | Pane, Keys: []string{"Ctrl+L"},
		Fixed: true,
		About: "draw the screen again"},
	{Name: "up", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Up"},
		About: "the row above, then older messages; in an empty prompt: take the last queued message back"},
	{Name: "down", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Down"},
		About: "the row below, then newer messages"},
	{Name: "history-previous", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+P"},
		About: "older message"},
	{Name: "history-next", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+N"}, About: "newer message"},
	{Name: "history-search", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+R"},
		About: "search history"},
	{Name: "complete", Group: inPrompt, Contexts: Prompt | Completion, Keys: []string{"Tab"},
		About: "complete a command after /, a file after @, a path after !"},
	{Name: "mode", Group: inPrompt, Contexts: Prompt, Keys: []string{"Shift+Tab"},
		About: "next mode: ask, edits, plan"},
	{Name: "tree", Group: inPrompt, Contexts: Prompt, Keys: []string{"Alt+G"},
		About: "open /tree; also {stop} twice in an empty prompt"},
	{Name: "output", Group: inPrompt, Contexts: Prompt | Field, Keys: []string{"Ctrl+O"},
		About: "all output of the last call; on a collapsed paste: show its text"},
	{Name: "editor", Group: inPrompt, Contexts: Prompt, Keys: []string{"Ctrl+G"},
		About: "edit the prompt in your editor (VISUAL, EDITOR)"},
	{Name: "paste-picture", Group: inPrompt, Contexts: Prompt, Keys: []string{"Ctrl+V"},
		About: "paste the picture of the clipboard, or its text"},

	{Name: "left", Group: editing, Contexts: Prompt | Field, Keys: []string{"Left", "Ctrl+B"},
		About: "one character left"},
	{Name: "right", Group: editing, Contexts: Prompt | Field, Keys: []string{"Right", "Ctrl+F"},
		About: "one character right"},
	{Name: "word-left", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Left", "Alt+Left", "Alt+B"},
		About: "one word left"},
	{Name: "word-right", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Right", "Alt+Right", "Alt+F"},
		About: "one word right"},
	{Name: "line-start", Group: editing, Contexts: Prompt | Field, Keys: []string{"Home", "Ctrl+A"},
		About: "start of the line"},
	{Name: "line-end", Group: editing, Contexts: Prompt | Field, Keys: []string{"End", "Ctrl+E"},
		About: "end of the line"},
	{Name: "text-start", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Home", "Alt+<"},
		About: "start of the text"},
	{Name: "text-end", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+End", "Alt+>"},
		About: "end of the text"},
	{Name: "mark-left", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+Left"},
		About: "mark one character to the left"},
	{Name: "mark-right", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+Right"},
		About: "mark one character to the right"},
	{Name: "mark-up", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+Up"},
		About: "mark a row up"},
	{Name: "mark-down", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+Down"},
		About: "mark a row down"},
	{Name: "mark-word-left", Group: editing, Contexts: Prompt | Field,
		Keys:  []string{"Ctrl+Shift+Left", "Alt+Shift+Left"},
		About: "mark a word to the left"},
	{Name: "mark-word-right", Group: editing, Contexts: Prompt | Field,
		Keys:  []string{"Ctrl+Shift+Right", "Alt+Shift+Right"},
		About: "mark a word to the right"},
	{Name: "mark-line-start", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+Home"},
		About: "mark to the start of the line"},
	{Name: "mark-line-end", Group: editing, Contexts: Prompt | Field, Keys: []string{"Shift+End"},
		About: "mark to the end of the line"},
	{Name: "mark-text-start", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Shift+Home"},
		About: "mark to the start of the text"},
	{Name: "mark-text-end", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Shift+End"},
		About: "mark to the end of the text"},
	{Name: "delete-left", Group: editing, Contexts: Prompt | Field,
		Keys:  []string{"Backspace", "Shift+Backspace", "Ctrl+H"},
		About: "delete to the left"},
	{Name: "delete-right", Group: editing, Contexts: Prompt | Field, Keys: []string{"Delete"},
		About: "delete to the right"},
	{Name: "delete-word-left", Group: editing, Contexts: Prompt | Field,
		Keys:  []string{"Alt+Backspace", "Ctrl+Backspace"},
		About: "cut the word to the left"},
	{Name: "delete-word-right", Group: editing, Contexts: Prompt | Field,
		Keys:  []string{"Alt+D", "Alt+Delete", "Ctrl+Delete"},
		About: "cut the word to the right"},
	{Name: "delete-to-space", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+W"},
		About: "cut to the left, up to a space"},
	{Name: "delete-to-start", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+U"},
		About: "cut to the start of the line"},
	{Name: "delete-to-end", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+K"},
		About: "cut to the end of the line"},
	{Name: "yank", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+Y"}, About: "insert what was cut"},
	{Name: "yank-older", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+Y"},
		About: "then: what was cut before that"},
	{Name: "undo", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+_", "Ctrl+/", "Ctrl+7", "Ctrl+-"},
		About: "undo"},
	{Name: "redo", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+_", "Alt+/"}, About: "redo"},
	{Name: "transpose", Group: editing, Contexts: Prompt | Field, Keys: []string{"Ctrl+T"},
		About: "swap two characters"},
	{Name: "transpose-words", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+T"},
		About: "swap two words"},
	{Name: "upper-case", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+U"},
		About: "word in upper case"},
	{Name: "lower-case", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+L"},
		About: "word in lower case"},
	{Name: "capitalize", Group: editing, Contexts: Prompt | Field, Keys: []string{"Alt+C"},
		About: "word with a capital"},

	{Name: "offer-accept", Group: offering, Contexts: Completion, Keys: []string{"Enter"},
		About: "take the chosen one; a whole command is sent"},
	{Name: "offer-previous", Group: offering, Contexts: Completion, Keys: []string{"Up", "Ctrl+P"}, About: "previous"},
	{Name: "offer-next", Group: offering, Contexts: Completion, Keys: []string{"Down", "Ctrl+N"}, About: "next"},
	{Name: "offer-close", Group: offering, Contexts: Completion, Keys: []string{"Esc"}, About: "close"},

	{Name: "search-older", Group: finding, Contexts: Search, Keys: []string{"Ctrl+R"}, About: "next older match"},
	{Name: "search-accept", Group: finding, Contexts: Search, Keys: []string{"Enter"},
		About: "take it, without sending it"},
	{Name: "search-cancel", Group: finding, Contexts: Search, Keys: []string{"Esc", "Ctrl+G"},
		About: "back to what was there"},
	{Name: "search-delete", Group: finding, Contexts: Search, Keys: []string{"Backspace", "Ctrl+H"},
		About: "delete to the left"},

	{Name: "list-choose", Group: inList, Contexts: List, Keys: []string{"Enter"}, About: "choose", NeedsKey: true},
	{Name: "list-close", Group: inList, Contexts: List, Keys: []string{"Esc"},
		About:    "clear what was typed, then close",
		NeedsKey: true},
	{Name: "list-previous", Group: inList, Contexts: List, Keys: []string{"Up", "Ctrl+P"}, About: "previous"},
	{Name: "list-next", Group: inList, Contexts: List, Keys: []string{"Down", "Ctrl+N"}, About: "next"},
	{Name: "list-page-up", Group: inList, Contexts: List, Keys: []string{"PageUp", "Left"}, About: "one page up"},
	{Name: "list-page-down", Group: inList, Contexts: List, Keys: []string{"PageDown", "Right"},
		About: "one page down"},
	{Name: "list-top", Group: inList, Contexts: List, Keys: []string{"Home"}, About: "the first one"},
	{Name: "list-end", Group: inList, Contexts: List, Keys: []string{"End"}, About: "the last one"},
	{Name: "list-delete", Group: inList, Contexts: List, Keys: []string{"Backspace"}, About: "delete what was typed"},
	{Name: "tree-label", Group: inList, Contexts: List, Keys: []string{"L"}, codeKey: "Alt+N",
		About: "/tree: label an entry"},
	{Name: "tree-summary", Group: inList, Contexts: List, Keys: []string{"Ctrl+S"},
		About: "/tree: go there, and sum up what is left"},
	{Name: "tree-filter", Group: inList, Contexts: List, Keys: []string{"Tab", "Ctrl+O"}, About: "/tree: next filter"},
	{Name: "tree-filter-back", Group: inList, Contexts: List, Keys: []string{"Shift+Tab", "Ctrl+Shift+O"},
		About: "/tree: previous filter"},
	{Name: "tree-said-and-called", Group: inList, Contexts: List, Keys: []string{"Alt+D"},
		About: "/tree: what was said and called"},
	{Name: "tree-without-tools", Group: inList, Contexts: List, Keys: []string{"Alt+T"}, About: "/tree: without tools"},
	{Name: "tree-yours", Group: inList, Contexts: List, Keys: []string{"Alt+U"}, About: "/tree: your messages"},
	{Name: "tree-named", Group: inList, Contexts: List, Keys: []string{"Alt+L"}, About: "/tree: named"},
	{Name: "tree-everything", Group: inList, Contexts: List, Keys: []string{"Alt+A"}, About: "/tree: everything"},

	{Name: "row-down", Group: reading, Contexts: Pane | Pager, Keys: []string{"j", "Down"}, About: "one row down"},
	{Name: "row-up", Group: reading, Contexts: Pane | Pager, Keys: []string{"k", "Up"}, About: "one row up"},
	{Name: "page-down", Group: reading, Contexts: Pane | Pager, Keys: []string{"Space", "PageDown"},
		About: "one page down"},
	{Name: "page-up", Group: reading, Contexts: Pane | Pager, Keys: []string{"b", "PageUp"}, About: "one page up"},
	{Name: "half-page-down", Group: reading, Contexts: Pane | Pager, Keys: []string{"Ctrl+D"},
		About: "half a page down"},
	{Name: "half-page-up", Group: reading, Contexts: Pane | Pager, Keys: []string{"Ctrl+U"}, About: "half a page up"},
	{Name: "top", Group: reading, Contexts: Pane | Pager, Keys: []string{"g", "Home"}, About: "top"},
	{Name: "end", Group: reading, Contexts: Pane | Pager, Keys: []string{"G", "End"}, About: "end"},
	{Name: "next-hunk", Group: reading, Contexts: Pane, Keys: []string{"]"}, About: "next hunk"},
	{Name: "previous-hunk", Group: reading, Contexts: Pane, Keys: []string{"["}, About: "previous hunk"},
	{Name: "find", Group: reading, Contexts: Pane | Pager, Keys: []string{"/"}, About: "search"},
	{Name: "next-match", Group: reading, Contexts: Pane | Pager, Keys: []string{">"}, About: "next match"},
	{Name: "previous-match", Group: reading, Contexts: Pane | Pager, Keys: []string{"<"}, About: "previous match"},
	{Name: "wrap", Group: reading, Contexts: Pane | Pager, Keys: []string{"w"}, About: "wrap or cut long rows"},
	{Name: "scroll-left", Group: reading, Contexts: Pane | Pager, Keys: []string{"Left"},
		About: "sideways, while they are cut"},
	{Name: "scroll-right", Group: reading, Contexts: Pane | Pager, Keys: []string{"Right"}, About: "sideways"},
	{Name: "leave", Group: reading, Contexts: Field | Pager, Fixed: true, Keys: []string{"Esc"},
		About: "close the search or the field, then leave"},

	{Name: "pager-close", Group: inPager, Contexts: Pager, Keys: []string{"q", "Ctrl+O"}, About: "close"},
	{Name: "pager-next-match", Group: inPager, Contexts: Pager, Keys: []string{"n"}, About: "next match"},
	{Name: "pager-previous-match", Group: inPager, Contexts: Pager, Keys: []string{"N"}, About: "previous match"},
	{Name: "next-call", Group: inPager, Contexts: Pager, Keys: []string{"]"}, About: "output of the next call"},
	{Name: "previous-call", Group: inPager, Contexts: Pager, Keys: []string{"["}, About: "output of the previous call"},
	{Name: "cancel-job", Group: inPager, Contexts: Pager, Keys: []string{"x"}, About: "/jobs: end the background job"},

	{Name: "approve", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"y"},
		About: "approve this once; a flagged change takes Y"},
	{Name: "approve-flagged", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"Y"},
		About: "approve a flagged change"},
	{Name: "approve-plan", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"m"},
		About: "approve a plan, and allow file changes from then on; y: each is asked"},
	{Name: "approve-always", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"a"},
		About: "always allow calls like this: choose a rule"},
	{Name: "approve-here", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"h"},
		About: "use the sandbox in this workspace only"},
	{Name: "deny", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"n"}, About: "deny"},
	{Name: "stop-agent", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"D"},
		About: "deny, and stop the agent that asks; all others go on"},
	{Name: "deny-reason", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"r"},
		About: "deny with a reason for the model"},
	{Name: "deny-and-stop", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"Esc", "Ctrl+C"},
		About: "close field, search or full screen, else deny and stop; Ctrl+C denies and stops at once"},
	{Name: "decide", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"Tab"},
		About: "give the pane the keys, while something stands in the prompt; then the next agent that waits"},
	{Name: "edit-proposal", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"e", "Ctrl+G"},
		About: "edit the proposal; the result is shown again"},
	{Name: "choose-hunks", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"s"},
		About: "choose hunks, with ] [ and Space; the result is shown again"},
	{Name: "write-in-place", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"i"},
		About: "a file of several names: write into it, or make a new one"},
	{Name: "stop-server", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"x"},
		About: "stop an MCP server that asks again and again"},
	{Name: "next-proposal", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"}"},
		About: "next of several changes"},
	{Name: "previous-proposal", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"{"},
		About: "previous of several changes"},
	{Name: "answer-all", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"A"},
		About: "one answer for all you have seen"},
	{Name: "view", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"v"},
		About: "next view: diff, new version, old version"},
	{Name: "full-screen", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"f"},
		About: "full screen, and back"},
	{Name: "pane-help", Group: deciding, Contexts: Decision, Fixed: true, Keys: []string{"?"},
		About: "the keys that work now, and back"},
	{Name: "choose-rule", Group: deciding, Contexts: Decision, Fixed: true,
		Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, About: "a rule of the list of key a"},
}
