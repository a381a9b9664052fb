// Package attach reads the files and directories that a person's message names, for the model.
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

// Bounds of what goes with one message.
const (
	maxFile  = 16 << 20 // bytes of a file that is looked at
	maxLines = 400      // lines that are sent of one file
	maxBytes = 24 << 10 // bytes that are sent of one file
	maxTotal = 96 << 10 // bytes of all files together
	maxFiles = 20
	maxNames = 100 // entries that are listed of a directory
)

// Attached is what is sent with a message.
type Attached struct {
	Text     string // for the model; "": nothing
	Files    []File // the attached files, for the person
	Problems []string
}

// File is an attached file or directory. Name is escaped.
type File struct{ Name, About string }

// textPrefix begins the attached text.
const textPrefix = "Attached by @, as data:\n"

// Reader reads the files that messages name.
type Reader struct {
	Workspace *workspace.Workspace
	// MayRead returns what the rules decide about reading path. A denied path is not attached. Nil:
	// everything is allowed.
	MayRead func(path string) approval.Action
	// Resource reads @server:address from an MCP server. found is false if no server has that name.
	// Nil: there are no servers.
	Resource func(ctx context.Context, words string) (text string, found bool, err error)
}

// Read attaches what text names with an @: the first lines of a text file, those of a span behind
// its name (calc.py:10-20, calc.py#L10-20), or a short list of a directory. A name that does not
// exist stays text, and a problem says so. Pictures are not attached here.
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

// maxUnknown is the number of unknown names that are listed. Pasted code may have many words with
// an @.
const maxUnknown = 3

// unknownNames returns a line about names that are no files.
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

// missing reports whether err says that the file does not exist.
func missing(err error) bool {
	return err != nil && (errors.Is(err, errNone) || workspace.KindOf(err) == workspace.NotFound)
}

var errNone = errors.New("no such file")

// Files returns the files in a text that was attached to a message, as the person saw them.
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
		for i++; i < len(lines) && lines[i] != fence; i++ { // what is attached may look like anything
		}
	}
	return files
}

// headed returns the file over whose content a line stands.
func headed(line string) (f File, ok bool) {
	line, ok = strings.CutSuffix(line, ":")
	for _, about := range []string{", of an MCP server, ", ", directory, ", ", "} {
		if at := strings.LastIndex(line, about); ok && at > 0 {
			return File{Name: line[:at], About: line[at+len(", "):]}, true
		}
	}
	return f, false
}

// readOne returns the text that is attached for the file or directory path, or for lines of a file.
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

// resourceText returns the text that is attached for a resource of an MCP server.
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

func (r Reader) denied(p workspace.Path) bool {
	return r.MayRead != nil && r.MayRead(p.Match()) == approval.Deny
}

// firstLines returns the first whole lines of text that fit, or the beginning of a first line that
// does not fit.
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

// fenced returns text between fences with more backticks than the text holds in a row.
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

// listDir lists the names in a directory.
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
