package approval

import (
	"fmt"
	"strings"
)

// Payload is the part of a proposal that depends on its type (PAY-2). A front end that does not
// know the type shows Line and asks.
type Payload interface {
	Type() string
	// Line returns a description in one line, with everything essential (PAY-3).
	Line() string
}

// Base has the fields of every payload (PAY-20).
type Base struct {
	Kind        string `json:"type"`
	Description string `json:"description"`
	Path        string `json:"path"`
	Sandbox     string `json:"sandbox"`
}

// Type returns the payload's discriminator.
func (b Base) Type() string { return b.Kind }

// Line returns the description.
func (b Base) Line() string { return b.Description }

// Write is the payload of write_file (PAY-21 to 25).
type Write struct {
	Base
	Content      string `json:"content"`
	ContentLines int    `json:"content_lines"`
	ContentBytes int    `json:"content_bytes"`

	Preview          string `json:"preview"`
	PreviewTruncated bool   `json:"preview_truncated"`

	// Part is "entry" for an entry of an archive and "row" for a row of a database; "" stands for
	// the whole file. The following fields are about that part.
	Part          string `json:"part,omitempty"`
	FileExists    bool   `json:"file_exists"`
	ExistingLines *int   `json:"existing_lines"`
	ExistingBytes *int   `json:"existing_bytes"`

	UnifiedDiff     string   `json:"unified_diff"`
	DiffLines       int      `json:"diff_lines"`
	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
}

// What returns a noun for what is written.
func (w Write) What() string {
	if w.Part != "" {
		return w.Part
	}
	return "file"
}

// Overwrites returns a warning if something exists already (PAY-52), or "".
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

// OverwritesShort returns the same warning for a narrow row.
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

// Edit is the payload of edit_file (PAY-30 to 35).
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

	Removes bool `json:"removes,omitempty"` // the file is removed
}

// Undo is the payload of undoing a change.
type Undo struct {
	Base
	Change     int   `json:"change"`      // the number of the change that is undone
	With       []int `json:"with"`        // later changes of the same file that are undone with it
	FileExists bool  `json:"file_exists"` // now
	Removes    bool  `json:"removes"`     // the file is removed, because the change had created it
	// Dirs are directories below the root that the change had created, the deepest first. They are
	// removed with the file if they are empty then.
	Dirs []string `json:"dirs"`

	UnifiedDiff string `json:"unified_diff"`
	DiffLines   int    `json:"diff_lines"`

	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
}

// KindForget is the kind of an Undo that removes a note of memory, and takes no change back.
const KindForget = "forget"

// KindRemove is the kind of an Undo that removes a file as an agent did in its copy of the
// workspace, and takes no change back.
const KindRemove = "remove"

// Verb returns what the undo does, in a word.
func (u Undo) Verb() string {
	if u.Kind == KindForget || u.Kind == KindRemove {
		return u.Kind
	}
	return "undo"
}

// Removal returns the warning of an undo that removes its file, or "". The names are untrusted
// text.
func (u Undo) Removal() string {
	switch {
	case !u.Removes:
		return ""
	case len(u.Dirs) == 0:
		return "This removes the file"
	}
	return "This removes the file and what is empty then of " + strings.Join(u.Dirs, ", ")
}

// Read is the payload of a read that needs approval (PAY-40). It has no content of the file.
type Read struct {
	Base
	FileLines  int  `json:"file_lines"`
	FileBytes  int  `json:"file_bytes"`
	FileExists bool `json:"file_exists"`
}

// Page is the payload of reading a page of the internet from a host that was not approved yet.
type Page struct {
	Base
	URL  string `json:"url"`
	Host string `json:"host"` // with its port
}

// Search is the payload of a search of the web.
type Search struct {
	Base
	Query string `json:"query"`
	Reach string `json:"reach"` // the services that it goes to, with their hosts
}

// ExactOnly stands before the reason why no pattern covers a command.
const ExactOnly = "only a rule for this exact line can allow it: "

// Command is the payload of bash.
type Command struct {
	Base
	Command  string `json:"command"`
	TimeoutS int    `json:"timeout_s"`
	// Simple are the literal simple commands, one string each. Opaque is the reason why no allow
	// rule can cover the command, or "".
	Simple []string `json:"simple"`
	Opaque string   `json:"opaque"`
	// Effects are what the line says it does to files. It can do more (see Note).
	Effects []Effect `json:"effects"`
	Note    string   `json:"note"` // "can change any file", or how it is confined
	// What says what is run, such as "a program in dlv"; "": a command.
	What string `json:"what,omitempty"`
}

// Plan is the payload of a plan, with which plan mode ends.
type Plan struct {
	Base
	Plan string `json:"plan"` // Markdown
}

// Prompts is the payload of what a workspace brings along: commands, skills and rules, or MCP
// servers. It is also that of the question about the sandbox, which has no files.
type Prompts struct {
	Base
	What     string `json:"what"`
	Question string `json:"question"`
	Text     string `json:"text"` // of all files
	Files    int    `json:"files"`
	Unit     string `json:"unit,omitempty"` // what Files counts; "": file
	Here     bool   `json:"here,omitempty"` // it can be answered for this workspace only
	// Verb says what is done with What if the person has asked for it: write, add; "": use.
	Verb  string `json:"verb,omitempty"`
	Patch bool   `json:"patch,omitempty"` // Text is a unified diff
	// Whole tells that a yes on a screen counts only when each row was in sight.
	Whole bool `json:"-"`
}

// Merge is the payload of a merge of an agent's branch into the one that is checked out.
type Merge struct {
	Base
	Branch      string `json:"branch"`
	Into        string `json:"into"`
	Files       int    `json:"files"`
	UnifiedDiff string `json:"unified_diff"` // of all files
}

// Publish is the payload of what goes to a code host, or comes from one into the repository.
type Publish struct {
	Base
	Verb        string `json:"verb"` // create, push, check out
	What        string `json:"what"`
	Text        string `json:"text"`         // all that is sent or done, in full
	UnifiedDiff string `json:"unified_diff"` // of what is pushed
}

// Form is the payload of a request of an MCP server. Its Kind is "form", "page" or "sampling". For
// "form" the proposal's After is the text with the answers, which the person edits and sends.
// "page" asks to open a page, and "sampling" to ask the model.
type Form struct {
	Base
	Server  string `json:"server"`
	Message string `json:"message"`
	Text    string `json:"text"` // the form, the address of the page, or what the model is asked
	// Again is true if the person did not answer the server's last request. They may stop the
	// server.
	Again bool `json:"again,omitempty"`
}

// Generic is the payload of every other call: its description and, for a foreign tool, its schema
// and arguments (HARN-15).
type Generic struct {
	Base
	Detail string `json:"detail"`
}
