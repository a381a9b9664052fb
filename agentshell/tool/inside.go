package tool

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/document"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// container splits a path that is written into the archive or database that it names, and what of
// it, behind a colon. A file of the whole name comes first, then one that is there; an archive may
// be new.
func (t *writeFile) container(request string) (file, inside string, as kind) {
	if _, there, err := t.env.place(request); err == nil && there {
		return request, "", asText
	}
	file = request
	for i, c := range request {
		k := kindOf(request[:i])
		if c != ':' || k != asArchive && k != asDatabase {
			continue
		}
		file, inside, as = request[:i], request[i+1:], k
		if w, there, err := t.env.place(file); err == nil && there && !w.dir {
			break
		}
	}
	return file, inside, as
}

// member prepares a write of a member of an archive.
func (t *writeFile) member(ctx context.Context, id string, args writeArgs, archive, inside string) (Call, error) {
	inside, err := document.MemberName(inside)
	if err != nil {
		return Call{}, invalidArgs("%s: %v", shownLine(args.Path), err)
	}
	f, err := load(ctx, t.env, archive)
	if err != nil {
		return Call{}, err
	}
	name := f.Path.Base()
	part := &part{name: inside}
	if f.Print.Exists {
		if part.data, part.exists, err = memberOf(ctx, name, f.Data, inside); err != nil {
			return Call{}, failed("%s:%s cannot be written: %v", shown(f.Path), shownLine(inside), err)
		}
	}
	if part.exists && workspace.Sniff(part.data) == workspace.Unknown {
		return Call{}, workspace.Text(f.Path, part.data)
	}
	now := time.Now
	if t.env.Now != nil {
		now = t.env.Now
	}
	at := now()
	part.pack = func(after []byte) ([]byte, error) {
		return document.Put(context.WithoutCancel(ctx), name, f.Data, inside, after, at)
	}
	c := change{env: t.env, call: id, tool: "write_file", file: f, asked: archive, part: part}
	content, copied := t.unmarked(args.Content)
	c.after, c.notes = keepForm(part.data, []byte(content))
	c.notes = append(c.notes, copied...)
	if !f.Print.Exists {
		c.notes = append(c.notes, "the archive is new")
	}
	c.payload, c.result = c.writePayload, c.writeResult
	return c.prepare()
}

// memberOf is what a member of an archive holds; !there: it has none of that name.
func memberOf(ctx context.Context, archive string, data []byte, name string) (text []byte, there bool, err error) {
	a, err := document.OpenArchive(ctx, archive, data)
	if err != nil {
		return nil, false, err
	}
	m, there := a.Find(name)
	if !there || !m.Mode.IsRegular() { // what it is instead, Put tells
		return nil, false, nil
	}
	text, err = a.Read(ctx, m)
	return text, true, err
}
