package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// container splits the path of a write into an archive or a database and the name after the colon:
// the member, or the table and key. If a file with the whole name exists, it is that file, and as
// is asText. Otherwise an existing archive or database is preferred, but an archive may also be
// new. A compressed single file, such as a .gz, needs no member name.
func (t *writeFile) container(request string) (file, inside string, as kind) {
	only, single := document.SingleName(request)
	if w, there, err := t.env.place(request); err == nil && there && (!single || w.dir) {
		return request, "", asText
	}
	if single {
		return request, only, asArchive
	}
	file = request
	for i, c := range request {
		k := kindOf(request[:i])
		if c != ':' || k != asArchive && k != asDatabase {
			continue
		}
		w, there, err := t.env.place(request[:i])
		there = err == nil && there && !w.dir
		if as == asArchive && k == asDatabase && !there {
			continue // a member that is named like a database
		}
		file, inside, as = request[:i], request[i+1:], k
		if there {
			break
		}
	}
	return file, inside, as
}

// needsPart returns an error if f is an archive or a database, because only parts of these can be
// written. A text file whose name is that of an archive or database is allowed.
func needsPart(f workspace.File) error {
	switch kindOf(f.Path.Base()) {
	case asArchive:
		if form := workspace.Sniff(f.Data); !f.Print.Exists || form != workspace.UTF8 && form != workspace.UTF8BOM {
			return invalidArgs("an archive write path must target a file inside the archive: %s:PATH", shown(f.Path))
		}
	case asDatabase:
		if document.IsSQLite(f.Data) {
			return invalidArgs("SQLite write path must target a table: %s:TABLE", shown(f.Path))
		}
	}
	return nil
}

// member returns the change that writes a member of an archive.
func (t *writeFile) member(ctx context.Context, id string, args writeArgs, archive, inside string) (change, error) {
	inside, err := document.MemberName(inside)
	if err != nil {
		return change{}, invalidArgs("%s: %v", shownLine(args.Path), err)
	}
	f, err := loadTarget(ctx, t.env, archive)
	if err != nil {
		return change{}, err
	}
	name := f.Path.Base()
	entry := archiveEntry{piece: piece{name: inside}}
	note := ""
	if f.Print.Exists {
		if entry.data, entry.exists, note, err = memberOf(ctx, name, f.Data, &inside); err != nil {
			return change{}, failed("%s:%s cannot be written: %v", shown(f.Path), shownLine(inside), err)
		}
		entry.name = inside
	}
	if entry.exists && workspace.Sniff(entry.data) == workspace.Unknown {
		return change{}, workspace.Text(f.Path, entry.data)
	}
	now := time.Now
	if t.env.Now != nil {
		now = t.env.Now
	}
	at := now()
	entry.put = func(after []byte) ([]byte, error) {
		return document.Put(context.WithoutCancel(ctx), name, f.Data, inside, after, at)
	}
	c := change{env: t.env, call: id, tool: "write_file", file: f, asked: archive, target: entry}
	content, copied := t.unmarked(args.Content)
	c.after, c.notes = keepForm(entry.data, []byte(content))
	c.notes = append(c.notes, copied...)
	if note != "" {
		c.notes = append(c.notes, note)
	}
	if !f.Print.Exists {
		c.notes = append(c.notes, "the archive is new")
	}
	c.payload, c.result = c.writePayload, c.writeResult
	return c, nil
}

// memberOf returns the present content of an archive member. If a member's name looks like *name
// but has other characters, *name is corrected, and note tells the model. there is false if the
// archive has no such member.
func memberOf(ctx context.Context, archive string, data []byte, name *string) (text []byte, there bool, note string,
	err error) {
	a, err := document.OpenArchive(ctx, archive, data)
	if err != nil {
		return nil, false, "", err
	}
	if *name, note, err = meantMember(a, *name); err != nil {
		return nil, false, "", err
	}
	m, there := a.Find(*name)
	if !there || !m.Mode.IsRegular() { // what it is instead, Put tells
		return nil, false, note, nil
	}
	text, err = a.Read(ctx, m)
	return text, true, note, err
}

// row returns the change that inserts, updates or deletes a row of an SQLite database.
func (t *writeFile) row(ctx context.Context, id string, args writeArgs, database, inside string) (change, error) {
	f, err := loadTarget(ctx, t.env, database)
	if err != nil {
		return change{}, err
	}
	if !f.Print.Exists {
		return change{}, &Error{Code: "not_found", Text: fmt.Sprintf("SQLite database '%s' not found", shown(f.Path))}
	}
	if !document.IsSQLite(f.Data) {
		return change{}, failed("%s is not an SQLite database", shown(f.Path))
	}
	companions, err := t.env.companions(f)
	if err != nil {
		return change{}, err
	}
	log, err := t.env.logOf(ctx, f.Path)
	if err != nil {
		return change{}, err
	}
	text, err := t.env.text(ctx, document.Request{Name: f.Path.Base(), Log: len(log),
		Row: &document.Row{Where: inside, Content: args.Content}}, slices.Concat(f.Data, log))
	if err != nil && ctx.Err() == nil {
		err = failed("%s cannot be written: %v", diff.Escape(f.Path.String()+":"+inside), err)
	}
	if err != nil {
		return change{}, err
	}
	row, err := document.Prepared(text)
	if err != nil {
		return change{}, err
	}
	target := tableRow{piece: piece{name: inside, data: rowLines(row.Before), exists: row.Before != nil},
		besides: companions.flags}
	c := change{env: t.env, call: id, tool: "write_file", file: f, asked: database, after: rowLines(row.After),
		inPlace: f.Print.Links > 1}
	target.write = func(ctx context.Context, file string) error {
		err := row.Commit(ctx, file, companions.shared...)
		if errors.Is(err, document.ErrRowChanged) {
			return &Error{Code: "conflict", Text: c.fullName() + " is not what was shown any more; " +
				"nothing was written. Read it again"}
		}
		if err != nil {
			return failed("%s cannot be written: %v", c.fullName(), err)
		}
		return nil
	}
	c.target = target
	done := fmt.Sprintf("Updated row '%s' in %s.", diff.Escape(row.Key), diff.Escape(row.Table))
	switch {
	case row.Before == nil:
		done = fmt.Sprintf("Inserted row into %s.", diff.Escape(row.Table))
	case row.After == nil:
		done = fmt.Sprintf("Deleted row '%s' from %s.", diff.Escape(row.Key), diff.Escape(row.Table))
	}
	c.payload = c.writePayload
	c.result = func(_ workspace.Receipt, s assessment) Result {
		r := Result{Text: done, Summary: fmt.Sprintf("row, +%d -%d", s.diff.Stats.Added, s.diff.Stats.Removed)}
		if !c.private() && len(s.after) <= maxResult {
			r.Text = strings.TrimSuffix(r.Text+"\n"+string(s.after), "\n")
		}
		return r
	}
	return c, nil
}

// companions describes the files next to a database, such as its journal, that are written together
// with it.
type companions struct {
	// shared lists the suffixes of the files that have several hard links; "" stands for the
	// database itself.
	shared []string
	// flags holds a warning for each file with several hard links.
	flags []approval.Flag
}

// companions checks the files next to a database. It returns an error if one is not a regular file.
func (e Env) companions(f workspace.File) (c companions, err error) {
	if f.Print.Links > 1 { // a row's change is in place, and flagged as such
		c.shared = append(c.shared, "")
	}
	for _, ending := range document.Companions() {
		names, err := e.Workspace.SidecarLinks(f.Path, ending)
		if err != nil {
			return companions{}, err
		}
		if names > 1 {
			c.shared = append(c.shared, ending)
			c.flags = append(c.flags, approval.Flag{Name: approval.FlagHardLink, Text: fmt.Sprintf(
				"%s beside it has %d names; it is written in place, so that all of them change",
				diff.Escape(f.Path.Base()+ending), names)})
		}
	}
	return c, nil
}

// rowLines returns a database row as text: one line for each column, with its value in SQL syntax.
// Further lines of a value are indented, so that they cannot be mistaken for columns.
func rowLines(row []document.Value) []byte {
	var b strings.Builder
	for _, v := range row {
		fmt.Fprintf(&b, "%s: %s\n", strings.ReplaceAll(diff.Escape(v.Column), "\n", "\\n"),
			strings.ReplaceAll(v.SQL, "\n", "\n  | "))
	}
	return []byte(b.String())
}
