// Package attach reads the files and directories that a person's message names, for the model.
package attach

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Bounds of what goes with one message.
const (
	maxFile  = 16 << 20 // bytes of a file that is looked at
	headRows = 400      // lines that are sent of one
	head     = 24 << 10 // and bytes
	maxAll   = 96 << 10 // bytes of all that is sent
	maxFiles = 20
	maxNames = 100 // entries of a directory
)

// Attached is what goes with a message.
type Attached struct {
	Text     string // "" for nothing
	Files    []File // what it holds, for the person
	Problems []string
}

// File is one file or directory that is attached. Name is escaped.
type File struct{ Name, About string }

// mark begins what is attached.
const mark = "Attached by @, as data:\n"

// Reader reads what messages name.
type Reader struct {
	Workspace *workspace.Workspace
	// MayRead is what the rules say of reading path: what is denied is not attached. Nil: anything.
	MayRead func(path string) approval.Action
	// Resource reads @server:address off an MCP server; found is false where none has that name.
	// Nil: there are none.
	Resource func(ctx context.Context, words string) (text string, found bool, err error)
}

// Read attaches what text names with an @: the head of a text file, a short list of a directory.
// What does not exist stays text. Pictures are attached by others.
func (r Reader) Read(ctx context.Context, text string) (a Attached) {
	seen := map[string]bool{}
	var b strings.Builder
	for w := range mention.Words(text) {
		if !w.At || w.Text == "" || picture.Named(w.Text) || picture.Named(mention.Trim(w.Text)) {
			continue
		}
		name, part, about, err := r.one(ctx, w.Text)
		if short := mention.Trim(w.Text); missing(err) && short != w.Text && short != "" {
			name, part, about, err = r.one(ctx, short)
		}
		switch {
		case missing(err) || seen[name]:
		case err != nil:
			a.Problems = append(a.Problems, fmt.Sprintf("%s is not attached: %v", name, err))
		case len(a.Files) == maxFiles || b.Len()+len(part) > maxAll:
			a.Problems = append(a.Problems, name+" is not attached: the message holds as much as can be attached; the "+
				"model can read it")
		default:
			b.WriteString(part)
			a.Files = append(a.Files, File{Name: name, About: about})
		}
		seen[name] = true
	}
	if b.Len() > 0 {
		a.Text = mark + b.String()
	}
	return a
}

// missing reports whether nothing is there.
func missing(err error) bool {
	return err != nil && (errors.Is(err, errNone) || workspace.KindOf(err) == workspace.NotFound)
}

var errNone = errors.New("no such file")

// one returns what is attached of the file or directory that path means.
func (r Reader) one(ctx context.Context, path string) (name, part, about string, err error) {
	name = diff.Escape(path)
	if r.Resource != nil {
		if text, found, err := r.Resource(ctx, path); found {
			return r.resource(name, text, err)
		}
	}
	if dir, err := r.Workspace.ResolveDir(path); err == nil {
		part, about, err = r.dir(ctx, name, dir)
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
		return name, "", "", errNone
	}
	if err := workspace.Text(p, f.Data); err != nil {
		return name, "", "", errors.New("it is not text")
	}
	all := workspace.Lines(f.Data)
	text, rows := cut(string(f.Data))
	about = count(all, "line")
	if len(text) < len(f.Data) {
		about = fmt.Sprintf("the first %s of %d", count(rows, "line"), all)
	}
	part = fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(text))
	if len(text) < len(f.Data) {
		part += fmt.Sprintf("The rest is in the file: read_file reads it from line %d on.\n", rows+1)
	}
	return name, part, about, nil
}

// resource returns what is attached of what a server has.
func (r Reader) resource(name, text string, err error) (string, string, string, error) {
	if err != nil {
		return name, "", "", err
	}
	all := workspace.Lines([]byte(text))
	short, rows := cut(text)
	about := "of an MCP server, " + count(all, "line")
	if len(short) < len(text) {
		about = fmt.Sprintf("of an MCP server, the first %s of %d", count(rows, "line"), all)
	}
	return name, fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(short)), about, nil
}

func (r Reader) denied(p workspace.Path) bool {
	return r.MayRead != nil && r.MayRead(p.Match()) == approval.Deny
}

// cut returns the head of text in whole lines, or of its first line.
func cut(text string) (part string, rows int) {
	at := 0
	for line := range strings.Lines(text) {
		if rows == headRows || at+len(line) > head {
			break
		}
		at, rows = at+len(line), rows+1
	}
	if at == 0 && text != "" { // the first line alone is too long
		for at = min(head, len(text)); at > 0 && at < len(text) && !utf8.RuneStart(text[at]); at-- {
		}
	}
	return text[:at], rows
}

// fenced returns text between rows of more backticks than stand in it.
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

// dir lists the names in a directory.
func (r Reader) dir(ctx context.Context, name string, p workspace.Path) (part, about string, err error) {
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
	about = "directory, " + count(n, "entry")
	part = fmt.Sprintf("\n%s, %s:\n%s", name, about, fenced(b.String()))
	if n > maxNames {
		part += fmt.Sprintf("%d more are not listed: list_dir lists them.\n", n-maxNames)
	}
	return part, about, nil
}

func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}
