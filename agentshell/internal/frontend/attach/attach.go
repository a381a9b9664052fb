// Package attach reads the files and directories that a user's message names with an @, and makes a
// text of them that is sent to the model with the message.
package attach

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Limits for the files that are attached to one message.
const (
	maxFile  = 16 << 20 // The size of the largest file that can be attached, even in part, in bytes.
	maxLines = 400      // The number of lines that are sent of one file.
	maxBytes = 24 << 10 // The number of bytes that are sent of one file.
	maxTotal = 96 << 10 // The number of bytes that are sent of all files together.
	maxFiles = 20
	maxNames = 100 // The number of names that are listed of one directory.
)

// Attached holds the files that a message names, as they are sent together with the message.
type Attached struct {
	Text  string // The text that is sent to the model after the message; "" if no file is attached.
	Files []File // The attached files, to show them to the user.
	// Problems holds a line for the user about each file that is not attached.
	Problems []string
}

// File describes an attached file or directory for the user: its escaped name and a phrase such as
// "12 lines".
type File struct{ Name, About string }

// textPrefix is the first line of the text that is attached to a message.
const textPrefix = "Attached by @, as data:\n"

// Reader reads the files and directories that messages name with an @.
type Reader struct {
	// The workspace that relative paths belong to.
	Workspace *workspace.Workspace
	// MayRead returns what the approval rules decide about reading path. If they deny it, the file
	// is not attached. If MayRead is nil, all files may be read.
	MayRead func(path string) approval.Action
	// Resource reads a resource that a message names as @server:address from an MCP server; words
	// is the text after the @. found is false if no MCP server has that name. Resource is nil if
	// there are no MCP servers.
	Resource func(ctx context.Context, words string) (text string, found bool, err error)
}

// Read returns what is attached to the message text for each name after an @. For a file these are
// its first lines, or the lines that the name gives (calc.py:10-20, calc.py#L10-20). For a
// directory it is a short list of names. A name without a file is reported as a problem.
//
// Read ignores pictures, which are attached elsewhere.
func (r Reader) Read(ctx context.Context, text string) (a Attached) {
	seen := map[string]bool{}
	var (
		b       strings.Builder
		unknown []string
	)
	for w := range mention.Words(text) {
		if !w.At || w.Text == "" || picture.Named(w.Text) || picture.Named(mention.Trim(w.Text)) {
			continue
		}
		name, part, about, err := r.readOne(ctx, w.Text, span{})
		short := mention.Trim(w.Text)
		if missing(err) && short != w.Text && short != "" {
			name, part, about, err = r.readOne(ctx, short, span{})
		}
		if path, lines, ok := cutSpan(short); missing(err) && ok {
			name, part, about, err = r.readOne(ctx, path, lines)
		}
		switch {
		case seen[name]:
		case missing(err):
			unknown = append(unknown, "@"+diff.Escape(mention.Trim(w.Text)))
		case err != nil:
			a.Problems = append(a.Problems, fmt.Sprintf("%s is not attached: %v", name, err))
		case len(a.Files) == maxFiles || b.Len()+len(part) > maxTotal:
			a.Problems = append(a.Problems, name+" is not attached: the message holds as much as can be attached; the "+
				"model can read it")
		default:
			b.WriteString(part)
			a.Files = append(a.Files, File{Name: name, About: about})
		}
		seen[name] = true
	}
	if len(unknown) > 0 {
		a.Problems = append(a.Problems, unknownNames(unknown))
	}
	if b.Len() > 0 {
		a.Text = textPrefix + b.String()
	}
	return a
}

// maxUnknown is the number of unknown file names that one line about problems lists. There may be
// many, because pasted code can contain many words with an @.
const maxUnknown = 3

// unknownNames returns a line for the user that says which of the mentioned names are no files.
func unknownNames(names []string) string {
	switch n := len(names); {
	case n == 1:
		return names[0] + " is not attached: there is no such file"
	case n > maxUnknown:
		return fmt.Sprintf("%s and %d more are not attached: there are no such files",
			strings.Join(names[:maxUnknown], ", "), n-maxUnknown)
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1] + " are not attached: there are no such files"
	}
}

// missing reports whether err says that a file does not exist.
func missing(err error) bool {
	return err != nil && (errors.Is(err, errNone) || workspace.KindOf(err) == workspace.NotFound)
}

// errNone says that a mentioned file does not exist.
var errNone = errors.New("no such file")

// Files returns the files that are attached in text, an earlier [Attached.Text]. They are described
// as the user has seen them.
func Files(text string) (files []File) {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		fence := lines[i]
		if !strings.HasPrefix(fence, "```") || strings.Trim(fence, "`") != "" {
			continue
		}
		if f, ok := headed(lines[i-1]); ok {
			files = append(files, f)
		}
		for i++; i < len(lines) && lines[i] != fence; i++ { // the attached text may contain similar lines
		}
	}
	return files
}

// headed parses a line that stands above the content of an attached file, such as "calc.py, 12
// lines:". ok is false if line is not of this form.
func headed(line string) (f File, ok bool) {
	line, ok = strings.CutSuffix(line, ":")
	for _, about := range []string{", of an MCP server, ", ", directory, ", ", "} {
		if at := strings.LastIndex(line, about); ok && at > 0 {
			return File{Name: line[:at], About: line[at+len(", "):]}, true
		}
	}
	return f, false
}

// readOne returns the text that is attached for path, a file, a directory or an MCP resource. If
// lines is not zero, only these lines of a file are attached. name is the escaped path, part the
// text for the model, and about a phrase for the user, such as "12 lines".
func (r Reader) readOne(ctx context.Context, path string, lines span) (name, part, about string, err error) {
	name = diff.Escape(path)
	if r.Resource != nil && lines == (span{}) {
		if text, found, err := r.Resource(ctx, path); found {
			return r.resourceText(name, text, err)
		}
	}
	if dir, err := r.Workspace.ResolveDir(path); err == nil {
		if lines != (span{}) {
			return name, "", "", errors.New("a directory has no lines")
		}
		part, about, err = r.listDir(ctx, name, dir)
		return name, part, about, err
	}
	p, err := r.Workspace.Resolve(path)
	if err != nil {
		return name, "", "", err
	}
	name = diff.Escape(p.Match())
	if r.denied(p) {
		return name, "", "", errors.New("a rule denies reading it")
	}
	f, err := r.Workspace.Snapshot(ctx, p, maxFile)
	if err != nil {
		return name, "", "", err
	}
	if !f.Print.Exists {
		switch found := r.Workspace.Alike(p); {
		case len(found) == 1 && found[0] != p:
			return r.readOne(ctx, r.Workspace.Abs(found[0]), lines)
		case len(found) > 1:
			return name, "", "", fmt.Errorf("several names look like it; did you mean %+q or %+q", found[0].Match(),
				found[1].Match())
		}
		return name, "", "", errNone
	}
	if err := workspace.Text(p, f.Data); err != nil {
		return name, "", "", errors.New("it is not text")
	}
	lineCount := workspace.Lines(f.Data)
	if lines != (span{}) {
		name += ":" + lines.String()
		part, about, err = lines.attached(name, string(f.Data), lineCount)
		return name, part, about, err
	}
	text, rows := firstLines(string(f.Data))
	about = plural.Of(lineCount, "line")
	if len(text) < len(f.Data) {
		about = fmt.Sprintf("the first %s of %d", plural.Of(rows, "line"), lineCount)
	}
	part = fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(text))
	if len(text) < len(f.Data) {
		part += fmt.Sprintf("The rest is in the file: read_file reads it from line %d on.\n", rows+1)
	}
	return name, part, about, nil
}

// resourceText returns the results of readOne for a resource of an MCP server that contains text,
// or that could not be read because of err.
func (r Reader) resourceText(name, text string, err error) (string, string, string, error) {
	if err != nil {
		return name, "", "", err
	}
	lineCount := workspace.Lines([]byte(text))
	short, rows := firstLines(text)
	about := "of an MCP server, " + plural.Of(lineCount, "line")
	if len(short) < len(text) {
		about = fmt.Sprintf("of an MCP server, the first %s of %d", plural.Of(rows, "line"), lineCount)
	}
	return name, fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(short)), about, nil
}

// denied reports whether the approval rules deny reading p.
func (r Reader) denied(p workspace.Path) bool {
	return r.MayRead != nil && r.MayRead(p.Match()) == approval.Deny
}

// firstLines returns the first lines of text that fit into maxLines and maxBytes, and their number.
// If the first line alone is too long, it returns the beginning of that line and 0.
func firstLines(text string) (part string, rows int) {
	end := 0
	for line := range strings.Lines(text) {
		if rows == maxLines || end+len(line) > maxBytes {
			break
		}
		end, rows = end+len(line), rows+1
	}
	if end == 0 && text != "" { // the first line alone is too long
		end = len(width.Head(text, maxBytes))
	}
	return text[:end], rows
}

// fenced returns text as a Markdown code block. The fence has more backticks than any row of
// backticks in the text.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + "\n" + text + fence + "\n"
}

// listDir returns a list of the names in directory p, for the model, and a phrase about it for the
// user.
func (r Reader) listDir(ctx context.Context, name string, p workspace.Path) (part, about string, err error) {
	t, err := r.Workspace.Tree(ctx, p, "")
	if err != nil {
		return "", "", err
	}
	defer t.Close()
	var b strings.Builder
	n := 0
	for t.Next() {
		entry := diff.Escape(t.Name())
		if t.Mode().IsDir() {
			entry += "/"
			t.Skip()
		}
		if n++; n <= maxNames {
			b.WriteString(entry + "\n")
		}
	}
	if err := t.Err(); err != nil {
		return "", "", err
	}
	about = "directory, " + plural.Of(n, "entry")
	part = fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(b.String()))
	if n > maxNames {
		part += fmt.Sprintf("%d more are not listed: list_dir lists them.\n", n-maxNames)
	}
	return part, about, nil
}
