package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// editFile is the tool edit_file. It replaces an exact text in a file.
type editFile struct{ env Env }

type editArgs struct {
	Path       string `json:"path" doc:"File to edit, relative to the workspace."`
	OldString  string `json:"old_string" doc:"The exact text to replace, without line numbers. It must occur exactly once unless replace_all is true."`
	NewString  string `json:"new_string" doc:"The text to put in its place; empty to delete."`
	ReplaceAll bool   `json:"replace_all,omitempty" doc:"Replace every occurrence."`
}

// EditResult is the structured result of an edit (EDIT-6).
type EditResult struct {
	Path             string `json:"path"`
	ReplacementsMade int    `json:"replacements_made"`
	LinesChanged     int    `json:"lines_changed"`
	Message          string `json:"message"`
}

func (t *editFile) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindEdits}
}

func (t *editFile) Spec() provider.Tool {
	return provider.Tool{
		Name: "edit_file", Schema: schemaOf[editArgs](),
		Description: "Replace an exact text in a file. The user sees the difference and decides before anything is " +
			"written. Line endings of the file are kept; write line breaks as \\n.",
	}
}

func (t *editFile) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[editArgs](input)
	if err != nil {
		return Call{}, err
	}
	f, asked, notes, err := loadMeant(ctx, t.env, args.Path)
	switch {
	case err != nil:
		return Call{}, err
	case args.OldString == "":
		return Call{}, invalidArgs("old_string is empty; use write_file to create a file")
	case !f.Print.Exists:
		return Call{}, &workspace.Error{Kind: workspace.NotFound, Path: f.Path.String()}
	}
	if err := t.env.readable(f.Path); err != nil { // its errors would quote the file
		return Call{}, err
	}
	if err := workspace.Text(f.Path, f.Data); err != nil {
		return Call{}, err
	}
	old, fresh := lf(args.OldString), lf(args.NewString)
	if old == fresh {
		return Call{}, invalidArgs("old_string and new_string are the same: the edit is a no-op")
	}
	text := normalise(f.Data)
	at := text.find(old)
	switch {
	case len(at) == 0:
		return Call{}, notFound(f.Path.String(), text.norm, old)
	case args.ReplaceAll:
	case len(at) > 1:
		return Call{}, &EditNotUniqueError{Lines: text.lines(at)}
	default:
		// Which of two places that overlap is meant, nobody can tell either.
		if again := strings.Index(text.norm[at[0]+1:], old); again >= 0 {
			return Call{}, &EditNotUniqueError{Lines: text.lines([]int{at[0], at[0] + 1 + again})}
		}
	}
	c := change{env: t.env, call: id, tool: "edit_file", file: f, asked: asked, notes: notes, target: wholeFile{},
		after: text.replace(at, old, fresh)}
	line := text.lines(at[:1])[0]
	c.payload = func(_ []byte, s assessment) approval.Payload {
		pay := editOf(f, s)
		pay.Description = fmt.Sprintf("Edit %s: %s", shown(f.Path), strings.ToLower(summary(s, line)))
		pay.OldString, pay.NewString, pay.ReplaceAll = args.OldString, args.NewString, args.ReplaceAll
		pay.MatchLine, pay.MatchCount = line, len(at)
		head, tail := around(text.norm, at[0], at[0]+len(old))
		pay.ContextBefore, pay.ContextAfter = strings.TrimSuffix(head, "\n"), strings.TrimSuffix(tail, "\n")
		return pay
	}
	c.result = func(r workspace.Receipt, s assessment) Result {
		made := len(at)
		if s.revised {
			made = 0 // what was written is not what old_string and new_string say
		}
		e := EditResult{Path: r.Path.String(), ReplacementsMade: made, LinesChanged: s.changed,
			Message: message(s, line, r.Path.String())}
		text := e.Message
		if !s.revised {
			text += fmt.Sprintf("\nreplacements made: %d, lines changed: %d", e.ReplacementsMade, e.LinesChanged)
		}
		return Result{Text: text, Summary: fmt.Sprintf("+%d -%d", s.diff.Stats.Added, s.diff.Stats.Removed), Data: e}
	}
	return c.formatted(ctx).prepare()
}

// summary returns a short description of an edit, such as "Replace 5 lines" or "Add 1 line at line
// 1" (PAY-35).
func summary(s assessment, line int) string {
	switch st := s.diff.Stats; {
	case st.Removed == 0 && st.Added > 0:
		return fmt.Sprintf("Add %s at line %d", count(st.Added, "line"), line)
	case st.Added == 0 && st.Removed > 0:
		return fmt.Sprintf("Remove %s at line %d", count(st.Removed, "line"), line)
	}
	return "Replace " + count(s.changed, "line")
}

// message returns the summary of an edit in the past tense, with the line and the path (EDIT-6).
func message(s assessment, line int, path string) string {
	m := summary(s, line)
	for now, then := range map[string]string{"Add ": "Added ", "Remove ": "Removed ", "Replace ": "Replaced "} {
		if rest, ok := strings.CutPrefix(m, now); ok {
			m = then + rest
		}
	}
	if !strings.Contains(m, " at line ") {
		m += fmt.Sprintf(" at line %d", line)
	}
	return m + " in " + path
}

// lf returns s in the form in which texts are matched: with LF for CRLF, and without a byte order
// mark (EDIT-8, EDIT-9).
func lf(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, workspace.BOM), "\r\n", "\n")
}

// text holds a file's content in the form in which texts are matched, and what is needed to map
// offsets in it back to the original bytes.
type text struct {
	// raw is the file's original bytes.
	raw  []byte
	bom  int    // bom is the length of the byte order mark in bytes.
	norm string // norm is the content without the byte order mark and with LF for CRLF.
	crs  []int  // crs holds the offsets in norm of the line breaks that were CRLF, in ascending order.
}

// normalise returns the content raw in the form in which texts are matched.
func normalise(raw []byte) *text {
	t := &text{raw: raw}
	if bytes.HasPrefix(raw, []byte(workspace.BOM)) {
		t.bom = len(workspace.BOM)
	}
	body := raw[t.bom:]
	out := make([]byte, 0, len(body))
	for i, c := range body {
		if c == '\r' && i+1 < len(body) && body[i+1] == '\n' {
			t.crs = append(t.crs, len(out))
			continue
		}
		out = append(out, c)
	}
	t.norm = string(out)
	return t
}

// find returns the offsets in norm of all matches of old, from left to right and without overlaps
// (EDIT-7).
func (t *text) find(old string) (at []int) {
	for i := 0; ; {
		n := strings.Index(t.norm[i:], old)
		if n < 0 {
			return at
		}
		at = append(at, i+n)
		i += n + len(old)
	}
}

// lines returns the line numbers of offsets in norm, which must be in ascending order.
func (t *text) lines(at []int) []int {
	var ls []int
	line, from := 1, 0
	for _, x := range at {
		line += strings.Count(t.norm[from:x], "\n")
		from = x
		ls = append(ls, line)
	}
	return ls
}

// replace returns the content with old replaced by fresh at each of the offsets. All other bytes
// stay. A line that the replacement keeps also keeps its line ending. A new line takes the ending
// of the line that it replaces, else of its neighbour, else of most lines of the file, else LF
// (FS-60).
func (t *text) replace(at []int, old, fresh string) []byte {
	out := make([]byte, 0, len(t.raw)+len(at)*(len(fresh)-len(old)))
	done, cr := 0, 0 // in raw; CRs before
	raw := func(x int) int {
		for cr < len(t.crs) && t.crs[cr] < x {
			cr++
		}
		return t.bom + x + cr
	}
	usual := t.usual()
	for _, x := range at {
		from := raw(x)
		to := raw(x + len(old))
		out = append(out, t.raw[done:from]...)
		out = append(out, relined(t.raw, from, to, fresh, usual)...)
		done = to
	}
	return append(out, t.raw[done:]...)
}

// usual returns the line ending that most lines have.
func (t *text) usual() string {
	if 2*len(t.crs) > strings.Count(t.norm, "\n") {
		return "\r\n"
	}
	return "\n"
}

// relined returns the text fresh with the line endings that it must have as the replacement of
// raw[from:to]. usual is the ending of most lines.
func relined(raw []byte, from, to int, fresh, usual string) []byte {
	neighbour := endingBefore(raw, from)
	if neighbour == "" {
		neighbour = endingAfter(raw, to)
	}
	if neighbour == "" {
		neighbour = usual
	}
	var olds []string // endings of the replaced lines
	for l := range strings.Lines(string(raw[from:to])) {
		olds = append(olds, endOf(l))
	}
	ends := make([]string, strings.Count(fresh, "\n")) // of the new lines; "" is not known yet
	paired := diff.Make([]byte(lf(string(raw[from:to]))), []byte(fresh), 0)
	i, j := 0, 0
	keep := func(n int) {
		for ; i < n; i, j = i+1, j+1 {
			if i < len(olds) && j < len(ends) {
				ends[j] = olds[i]
			}
		}
	}
	for _, h := range paired.Hunks {
		first := h.OldStart - 1
		if h.OldLines == 0 {
			first = h.OldStart
		}
		keep(first)
		for k := 0; k < h.NewLines; k++ {
			if k < h.OldLines && i+k < len(olds) && j+k < len(ends) {
				ends[j+k] = olds[i+k]
			}
		}
		i, j = i+h.OldLines, j+h.NewLines
	}
	keep(len(olds))
	var out []byte
	last := neighbour
	if len(olds) > 0 && olds[0] != "" && endingBefore(raw, from) == "" {
		last = olds[0]
	}
	n := 0
	for l := range strings.Lines(fresh) {
		body, ended := strings.CutSuffix(l, "\n")
		out = append(out, body...)
		if !ended {
			break
		}
		if ends[n] == "" {
			ends[n] = last
		}
		last = ends[n]
		out = append(out, last...)
		n++
	}
	return out
}

// endOf returns the line ending of a line, or "" if it has none.
func endOf(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return ""
}

// endingBefore returns the last line ending before offset i, or "".
func endingBefore(raw []byte, i int) string {
	n := bytes.LastIndexByte(raw[:i], '\n')
	if n < 0 {
		return ""
	}
	return endOf(string(raw[max(0, n-1) : n+1]))
}

// endingAfter returns the first line ending after offset i, or "".
func endingAfter(raw []byte, i int) string {
	n := bytes.IndexByte(raw[i:], '\n')
	if n < 0 {
		return ""
	}
	return endOf(string(raw[max(i, i+n-1) : i+n+1]))
}

// editOf returns a payload with the fields that are the same for all edits of a file.
func editOf(f workspace.File, s assessment) approval.Edit {
	return approval.Edit{
		Base: approval.Base{Kind: "edit", Path: f.Path.String(), Sandbox: f.Path.Root()}, MatchCount: 1,
		UnifiedDiff: s.unified, DiffLines: diff.CountLines(s.unified), FileLines: workspace.Lines(f.Data),
		FileBytes: len(f.Data), BaseFingerprint: f.Print.String(), Flags: s.names,
	}
}

// around returns up to three whole lines before and after the match s[from:to] (PAY-33).
func around(s string, from, to int) (before, after string) {
	start := strings.LastIndexByte(s[:from], '\n') + 1
	head := s[:start]
	i := len(head)
	for n := 0; n < 3 && i > 0; n++ {
		i = strings.LastIndexByte(head[:i-1], '\n') + 1
	}
	before = head[i:]
	tail := s[to:]
	if to == from || s[to-1] != '\n' { // the rest of the last matched line is not context
		j := strings.IndexByte(tail, '\n')
		if j < 0 {
			return before, ""
		}
		tail = tail[j+1:]
	}
	return before, firstLines(tail, 3)
}
