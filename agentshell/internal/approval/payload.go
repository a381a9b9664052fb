package approval

import (
	"fmt"
	"strings"
)

// Payload is a typed body (PAY-2). A front end that does not know the type shows Line and asks.
type Payload interface {
	Type() string
	// Line is the description: one line that says everything essential (PAY-3).
	Line() string
}

// Base holds the fields of every payload (PAY-20).
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

	// Part is "entry" if an entry of an archive is written, "row" if a row of a database; "": the
	// file. What follows is about that.
	Part          string `json:"part,omitempty"`
	FileExists    bool   `json:"file_exists"`
	ExistingLines *int   `json:"existing_lines"`
	ExistingBytes *int   `json:"existing_bytes"`

	UnifiedDiff     string   `json:"unified_diff"`
	DiffLines       int      `json:"diff_lines"`
	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
}

// What returns the noun for what is written.
func (w Write) What() string {
	if w.Part != "" {
		return w.Part
	}
	return "file"
}

// Overwrites returns the fact that something is there already (PAY-52), or "".
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
}

// Undo is the payload of taking a change back.
type Undo struct {
	Base
	Change     int   `json:"change"`      // that is taken back
	With       []int `json:"with"`        // later changes of the same file that go with it
	FileExists bool  `json:"file_exists"` // now
	Removes    bool  `json:"removes"`     // the file goes: the change had created it
	// Dirs are directories below the root that the change had made, the deepest first: they go with
	// the file as far as they are empty then.
	Dirs []string `json:"dirs"`

	UnifiedDiff string `json:"unified_diff"`
	DiffLines   int    `json:"diff_lines"`

	BaseFingerprint string   `json:"base_fingerprint"`
	Flags           []string `json:"flags"`
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

// Read is the payload of a read that must be asked (PAY-40); it never holds content.
type Read struct {
	Base
	FileLines  int  `json:"file_lines"`
	FileBytes  int  `json:"file_bytes"`
	FileExists bool `json:"file_exists"`
}

// Page is the payload of a read of a page of the internet, whose host was not asked for yet.
type Page struct {
	Base
	URL  string `json:"url"`
	Host string `json:"host"` // with its port
}

// Command is the payload of bash.
type Command struct {
	Base
	Command  string `json:"command"`
	TimeoutS int    `json:"timeout_s"`
	// Simple are the literal simple commands, one string each; Opaque says why no allow rule may
	// cover it, or "".
	Simple []string `json:"simple"`
	Opaque string   `json:"opaque"`
	// Effects are what the command line says it does to files; it can do more (Note).
	Effects []Effect `json:"effects"`
	Note    string   `json:"note"` // "can change any file", or where it is confined
}

// Plan is the payload of a plan that ends plan mode.
type Plan struct {
	Base
	Plan string `json:"plan"` // Markdown
}

// Prompts is the payload of what a workspace offers: commands, skills and rules, or MCP servers.
type Prompts struct {
	Base
	What     string `json:"what"`
	Question string `json:"question"`
	Text     string `json:"text"` // of all files
	Files    int    `json:"files"`
}

// Form is the payload of what an MCP server asks, by its Kind: "form", questions, of which the
// proposal's After is the text with the answers, which the person edits and sends; "page", to open
// one; "sampling", to ask the model.
type Form struct {
	Base
	Server  string `json:"server"`
	Message string `json:"message"`
	Text    string `json:"text"` // of the form, the page's address, what the model is asked
	// Again: the last question of the server was not answered. The person may stop it.
	Again bool `json:"again,omitempty"`
}

// Generic is the payload of every other call: its description and, for a foreign tool, its schema
// and arguments (HARN-15).
type Generic struct {
	Base
	Detail string `json:"detail"`
}
