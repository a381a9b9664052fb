package approval

import (
	"fmt"
	"strings"
)

// Payload is the part of a proposal that depends on the kind of call (PAY-2). A front end that does
// not know the type shows Line and asks.
type Payload interface {
	Type() string
	// Line returns a one-line description with all that is essential (PAY-3).
	Line() string
}

// Base holds the fields that all payloads have (PAY-20).
type Base struct {
	Kind        string `json:"type"`
	Description string `json:"description"`
	Path        string `json:"path"`
	Sandbox     string `json:"sandbox"`
}

// Type returns the kind of the payload, by which front ends distinguish them.
func (b Base) Type() string { return b.Kind }

// Line returns the description of the call.
func (b Base) Line() string { return b.Description }

// Write is the payload for a call of write_file (PAY-21 to 25).
type Write struct {
	Base
	Content      string `json:"content"`
	ContentLines int    `json:"content_lines"`
	ContentBytes int    `json:"content_bytes"`

	Preview          string `json:"preview"`
	PreviewTruncated bool   `json:"preview_truncated"`

	// Part is "entry" for an entry of an archive, "row" for a row of a database, and "" for a whole
	// file. The following fields are about that part.
	Part          string `json:"part,omitempty"`
	FileExists    bool   `json:"file_exists"`
	ExistingLines *int   `json:"existing_lines"`
	ExistingBytes *int   `json:"existing_bytes"`

	UnifiedDiff     string   `json:"unified_diff"`
	DiffLines       int      `json:"diff_lines"`
	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
}

// What returns a noun for the thing that is written: file, entry or row.
func (w Write) What() string {
	if w.Part != "" {
		return w.Part
	}
	return "file"
}

// Overwrites returns a warning if the file or part exists already (PAY-52), or "".
func (w Write) Overwrites() string {
	switch {
	case !w.FileExists || w.ExistingLines == nil:
		return ""
	case w.Part == "row" && w.ContentLines == 0:
		return "This will delete the row"
	}
	return fmt.Sprintf("This will overwrite existing %s (was %s, now %s)", w.What(), lines(*w.ExistingLines),
		lines(w.ContentLines))
}

// OverwritesShort returns a shorter form of the warning of Overwrites, for narrow windows.
func (w Write) OverwritesShort() string {
	if long := w.Overwrites(); long == "" || w.Part == "row" && w.ContentLines == 0 {
		return long
	}
	return fmt.Sprintf("Overwrites %s: %s, now %d", w.What(), lines(*w.ExistingLines), w.ContentLines)
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// Edit is the payload for a call of edit_file (PAY-30 to 35).
type Edit struct {
	Base
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`

	UnifiedDiff string `json:"unified_diff"`
	DiffLines   int    `json:"diff_lines"`

	MatchLine     int    `json:"match_line"`
	MatchCount    int    `json:"match_count"`
	ContextBefore string `json:"context_before"`
	ContextAfter  string `json:"context_after"`

	FileLines int `json:"file_lines"`
	FileBytes int `json:"file_bytes"`

	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`

	Removes bool `json:"removes,omitempty"` // the edit removes the file
}

// Undo is the payload for undoing a file change.
type Undo struct {
	Base
	Change     int   `json:"change"`      // the number of the file change to undo
	With       []int `json:"with"`        // the numbers of later changes of the same file that are undone as well
	FileExists bool  `json:"file_exists"` // the file exists now
	Removes    bool  `json:"removes"`     // the file is removed, because the change had created it
	// Dirs lists directories that the change had created, relative to the root, deepest first. They
	// are removed with the file if they are empty then.
	Dirs []string `json:"dirs"`

	UnifiedDiff string `json:"unified_diff"`
	DiffLines   int    `json:"diff_lines"`

	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
}

// KindForget is the kind of an Undo that deletes a note of the memory, and undoes no change.
const KindForget = "forget"

// KindRemove is the kind of an Undo that removes a file because a sub-agent has removed it in its
// copy of the workspace. It undoes no change.
const KindRemove = "remove"

// Verb returns a verb for what the call does: undo, forget or remove.
func (u Undo) Verb() string {
	if u.Kind == KindForget || u.Kind == KindRemove {
		return u.Kind
	}
	return "undo"
}

// Removal returns a warning if the undo removes its file, or "". The names in it are untrusted.
func (u Undo) Removal() string {
	switch {
	case !u.Removes:
		return ""
	case len(u.Dirs) == 0:
		return "This removes the file"
	}
	return "This removes the file and what is empty then of " + strings.Join(u.Dirs, ", ")
}

// Read is the payload for reading a file that needs approval (PAY-40). It contains nothing of the
// file's content.
type Read struct {
	Base
	FileLines  int  `json:"file_lines"`
	FileBytes  int  `json:"file_bytes"`
	FileExists bool `json:"file_exists"`
}

// Page is the payload for reading a web page from a host that was not approved yet.
type Page struct {
	Base
	URL  string `json:"url"`
	Host string `json:"host"` // the host of the page, with its port
}

// Search is the payload for a web search.
type Search struct {
	Base
	Query string `json:"query"`
	Reach string `json:"reach"` // the services that get the query, with their hosts
}

// ExactOnly is the text before the reason why no rule with a * covers a command.
const ExactOnly = "only a rule for this exact line can allow it: "

// Command is the payload for a call of bash.
type Command struct {
	Base
	Command  string `json:"command"`
	TimeoutS int    `json:"timeout_s"`
	// Simple lists the simple commands in the line. A word that is not literal is shown as an
	// ellipsis. Opaque is the reason why no rule with a * covers the line, or "".
	Simple []string `json:"simple"`
	Opaque string   `json:"opaque"`
	// Effects lists what the line does to files according to its words. It may do more, see Note.
	Effects []Effect `json:"effects"`
	Note    string   `json:"note"` // "can change any file", or how the command is confined
	// What says what is run if it is not a shell command, such as "a program in dlv".
	What string `json:"what,omitempty"`
}

// Plan is the payload for the plan that the model proposes at the end of plan mode.
type Plan struct {
	Base
	Plan string `json:"plan"` // the plan as Markdown
}

// Prompts is the payload for the commands, skills, rules or MCP servers that a workspace contains.
// It is also used, without files, for the question whether the sandbox should be used.
type Prompts struct {
	Base
	What     string `json:"what"`
	Question string `json:"question"`
	Text     string `json:"text"` // the content of all files
	Files    int    `json:"files"`
	Unit     string `json:"unit,omitempty"` // a noun for the things that Files counts; "": file
	Here     bool   `json:"here,omitempty"` // the question allows the answer that applies to this workspace only
	// Verb says what the user has asked to do with What: write or add; "": use.
	Verb  string `json:"verb,omitempty"`
	Patch bool   `json:"patch,omitempty"` // Text is a unified diff
	// Whole says that a yes counts only after each row of Text was visible on the screen.
	Whole bool `json:"-"`
}

// Merge is the payload for merging the branch of a sub-agent into the branch that is checked out.
type Merge struct {
	Base
	Branch      string `json:"branch"`
	Into        string `json:"into"`
	Files       int    `json:"files"`
	UnifiedDiff string `json:"unified_diff"` // the diff of all files
}

// Publish is the payload for a call that sends something to a code host such as GitHub, or fetches
// something from there into the repository.
type Publish struct {
	Base
	Verb        string `json:"verb"` // create, push or check out
	What        string `json:"what"`
	Text        string `json:"text"`         // the full text that is sent, or a full description of the action
	UnifiedDiff string `json:"unified_diff"` // the diff of a push
}

// Form is the payload for a request of an MCP server. Its Kind is "form", "page" or "sampling". For
// "form", After of the proposal is a text that the user fills in and sends. "page" asks to open a
// web page, and "sampling" to ask the model.
type Form struct {
	Base
	Server  string `json:"server"`
	Message string `json:"message"`
	Text    string `json:"text"` // the form, the address of the page, or the request to the model
	// Again is true if the user has dismissed the server's last request without an answer. Then the
	// user is offered to stop the server.
	Again bool `json:"again,omitempty"`
}

// Generic is the payload for every other call. For a tool of an MCP server, Detail contains its
// schema and the arguments (HARN-15).
type Generic struct {
	Base
	Detail string `json:"detail"`
}
