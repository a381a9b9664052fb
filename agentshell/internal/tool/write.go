package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// previewLines is the number of lines of the new content in the payload of a write proposal
// (PAY-22).
const previewLines = 50

// writeFile is the tool write_file. It creates a file or replaces its content.
type writeFile struct{ env Env }

type writeArgs struct {
	Path    string `json:"path" doc:"File to create or replace, relative to the workspace. Missing directories are created."`
	Content string `json:"content" doc:"The whole new content."`
}

func (t *writeFile) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindEdits}
}

func (t *writeFile) Spec() provider.Tool {
	shared := ""
	if t.env.Team.Local != nil {
		shared = " local://NAME as path is a text beside the workspace that all agents of this session read, such as " +
			"background that several assignments name; nobody is asked."
	}
	return provider.Tool{
		Name: "write_file", Schema: schemaOf[writeArgs](),
		Description: "Create a file or replace its whole content. The user sees the difference and decides before " +
			"anything is written. Use " + t.env.editor() + " for a small change of an existing file. ARCHIVE:MEMBER " +
			"as " +
			"path writes a member of a zip or tar; DATABASE:TABLE adds a row to an SQLite database and " +
			"DATABASE:TABLE:KEY changes one, with a JSON object of columns and values as content, or deletes it, " +
			"with none. Of a notebook (.ipynb) also takes cells, as read_file gives them." + shared,
	}
}

func (t *writeFile) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[writeArgs](input)
	if err != nil {
		return Call{}, err
	}
	if strings.HasPrefix(args.Path, conflictScheme) {
		return t.conflict(ctx, id, args)
	}
	if isNote(args.Path) {
		return t.note(ctx, id, args)
	}
	if name, is := t.env.local(args.Path); is {
		return t.local(name, args.Content), nil
	}
	note := ""
	if !isAddress(args.Path) {
		if args.Path, note, err = t.env.meantNew(args.Path); err != nil {
			return Call{}, err
		}
	}
	c, err := t.planned(ctx, id, args)
	if err != nil {
		return Call{}, err
	}
	if note != "" {
		c.notes = append([]string{note}, c.notes...)
	}
	return c.prepare()
}

// planned returns the change of a file, an archive member or a database row that a call of
// write_file asks for. The path in args has been resolved already: no similar name is tried.
func (t *writeFile) planned(ctx context.Context, id string, args writeArgs) (change, error) {
	switch file, inside, as := t.container(args.Path); as {
	case asArchive:
		return t.member(ctx, id, args, file, inside)
	case asDatabase:
		return t.row(ctx, id, args, file, inside)
	}
	f, err := loadTarget(ctx, t.env, args.Path)
	if err != nil {
		return change{}, err
	}
	if err := needsPart(f); err != nil {
		return change{}, err
	}
	if f.Print.Exists && workspace.Sniff(f.Data) == workspace.Unknown {
		return change{}, workspace.Text(f.Path, f.Data) // never rewritten in another encoding silently (FS-62, HARN-33)
	}
	content, copied := t.unmarked(strings.TrimPrefix(args.Content, cellsNote(f.Path)))
	if kindOf(args.Path) == asNotebook && document.IsCells(content) {
		return t.notebook(ctx, id, f, args.Path, content)
	}
	after, notes := keepForm(f.Data, []byte(content))
	c := t.change(id, f, args.Path, after)
	c.notes = append(notes, copied...)
	return c.formatted(ctx), nil
}

// notebook returns the change that replaces the cells of the Jupyter notebook f by cells, in the
// text form in which read_file shows them. Outputs of cells whose source differs are dropped.
func (t *writeFile) notebook(ctx context.Context, id string, f workspace.File, asked, cells string) (change, error) {
	after, err := document.WithCells(f.Data, cells)
	if err != nil {
		return change{}, failed("the cells of %s cannot be written: %v", shown(f.Path), err)
	}
	c := t.change(id, f, asked, after)
	c.notes = []string{"cells put into the notebook; what those with another source have printed is left out"}
	return c.formatted(ctx), nil
}

// unmarked removes the header and the line numbers of read_file from content, if the model has
// copied them. notes tells the model of it. Without tags in the environment read_file shows no
// header, and content is returned as it is.
func (t *writeFile) unmarked(content string) (text string, notes []string) {
	if t.env.Tags == nil {
		return content, nil
	}
	text, copied := unmarked(content)
	if copied {
		notes = []string{"header and line numbers of a read left out"}
	}
	return text, notes
}

// change returns the change that gives the file f the bytes after. asked is the path in the model's
// request.
func (t *writeFile) change(id string, f workspace.File, asked string, after []byte) change {
	c := change{env: t.env, call: id, tool: "write_file", file: f, asked: asked, target: wholeFile{}, after: after}
	c.payload = func(after []byte, s assessment) approval.Payload { return c.writePayload(after, s) }
	c.result = func(r workspace.Receipt, s assessment) Result {
		res := c.writeResult(r, s)
		res.Text = t.env.header(r.Path, string(s.after)) + res.Text
		return res
	}
	return c
}

// unmarked removes the header and the line numbers that read_file shows from content. copied is
// false, and the content unchanged, unless it begins with such a header and every line has a
// number, each one higher than the number before.
func unmarked(content string) (text string, copied bool) {
	head, rest, _ := strings.Cut(content, "\n")
	if !hashline.IsHeader(head) || rest == "" {
		return content, false
	}
	var b strings.Builder
	next := 0
	for line := range strings.Lines(rest) {
		number, body, ok := strings.Cut(line, ":")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || next != 0 && n != next {
			return content, false
		}
		next = n + 1
		b.WriteString(body)
	}
	return b.String(), true
}

// keepForm adapts new content to the line endings and the byte order mark of the old file. LF
// becomes CRLF if the old file has only CRLF and the content only LF (FS-60). A missing byte order
// mark is added (FS-61). notes names what was changed. Binary content stays as it is.
func keepForm(old, content []byte) (out []byte, notes []string) {
	out = content
	if workspace.Sniff(old) == workspace.Binary || workspace.Sniff(content) == workspace.Binary {
		return out, nil
	}
	if workspace.Endings(old) == workspace.CRLF && workspace.Endings(content) == workspace.LF {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
		notes = append(notes, "CRLF kept")
	}
	if bytes.HasPrefix(old, []byte(workspace.BOM)) && !bytes.HasPrefix(out, []byte(workspace.BOM)) {
		out = append([]byte(workspace.BOM), out...)
		notes = append(notes, "BOM kept")
	}
	return out, notes
}

// writePayload returns the proposal's payload for a write of the content after.
func (c change) writePayload(after []byte, s assessment) approval.Payload {
	f := c.file
	data, exists := c.before()
	content := string(after)
	n := workspace.Lines(after)
	pay := approval.Write{
		Base: approval.Base{
			Kind: "write", Description: fmt.Sprintf("Write %s to %s", count(n, "line"), c.fullName()),
			Path: f.Path.Root() + "/" + c.name(), Sandbox: f.Path.Root(),
		},
		Content: content, ContentLines: n, ContentBytes: len(after),
		FileExists: exists, UnifiedDiff: s.unified, DiffLines: diff.CountLines(s.unified),
		BaseFingerprint: f.Print.String(), Flags: s.names,
	}
	pay.Preview = firstLines(content, previewLines)
	pay.PreviewTruncated = pay.Preview != content
	_, pay.Part = c.target.part()
	if exists {
		lines, size := workspace.Lines(data), len(data)
		pay.ExistingLines, pay.ExistingBytes = &lines, &size
	}
	return pay
}

// firstLines returns the first n lines of s.
func firstLines(s string, n int) string {
	end := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(s[end:], '\n')
		if i < 0 {
			return s
		}
		end += i + 1
	}
	return s[:end]
}

// writeResult returns the result of a write: what was created or replaced, and its size.
func (c change) writeResult(r workspace.Receipt, s assessment) Result {
	verb, what, name, n := "Replaced", "file", r.Path.String(), int(r.Print.Size)
	isNew := r.Created
	if _, part := c.target.part(); part != "" {
		_, exists := c.before()
		what, name, n, isNew = part, c.fullName(), len(s.after), !exists
	}
	if isNew {
		verb, what = "Created", "new "+what
	}
	summary := fmt.Sprintf("%s, %s", what, bytesWord(n))
	if s.diff.Stats.Hunks > 0 {
		summary = fmt.Sprintf("%s, +%d -%d", what, s.diff.Stats.Added, s.diff.Stats.Removed)
	}
	return Result{Text: fmt.Sprintf("%s %s: %s, %s.", verb, name, count(s.diff.NewLines, "line"), bytesWord(n)),
		Summary: summary}
}
