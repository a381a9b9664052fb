package tool

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// readNotebook returns the cells of a Jupyter notebook as text. A file that is not a notebook is
// read as a text file.
func (t *readFile) readNotebook(ctx context.Context, w readTarget) (Result, error) {
	data, err := t.env.Workspace.Backend().ReadBytes(ctx, w.path, document.MaxFile)
	if err != nil {
		return Result{}, err
	}
	text, err := document.Notebook(data)
	if err != nil {
		return t.read(ctx, w.path, w.sel)
	}
	r := readLines(ctx, text, shown(w.path), w.sel)
	r.Text = cellsNote(w.path) + r.Text
	return r, nil
}

// cellsNote returns the line that stands above the cells of a notebook in a result.
func cellsNote(p workspace.Path) string {
	return fmt.Sprintf("[cells of a notebook; write_file to %s takes them changed]\n", shown(p))
}

// readDocument returns the text of a document such as a PDF.
func (t *readFile) readDocument(ctx context.Context, w readTarget) (Result, error) {
	data, err := t.env.Workspace.Backend().ReadBytes(ctx, w.path, document.MaxFile)
	if err != nil {
		return Result{}, err
	}
	text, err := t.env.text(ctx, document.Request{Name: w.path.Base()}, data)
	if err != nil {
		return Result{}, unreadable(ctx, w.path, err)
	}
	return readLines(ctx, text, shown(w.path), w.sel), nil
}

// unreadable returns the error that a document cannot be read. If the call was stopped, it returns
// err unchanged.
func unreadable(ctx context.Context, p workspace.Path, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return failed("%s cannot be read: %v", shown(p), err)
}

// text converts a document to text, in a separate process if the environment has one for it.
func (e Env) text(ctx context.Context, r document.Request, data []byte) (string, error) {
	if e.Convert != nil {
		return e.Convert(ctx, r, data)
	}
	return r.Text(ctx, data)
}

// logOf returns the write-ahead log of an SQLite database, a file next to it with changes that are
// not in the database yet. It returns nil if there is none.
func (e Env) logOf(ctx context.Context, p workspace.Path) ([]byte, error) {
	log, there, err := e.place(e.Workspace.Abs(p) + "-wal")
	if err != nil || !there || log.dir || log.path.Rel() != p.Rel()+"-wal" {
		return nil, nil // what else has that name is not its log
	}
	data, err := e.Workspace.Backend().ReadBytes(ctx, log.path, document.MaxFile)
	if workspace.KindOf(err) == workspace.NotFound {
		return nil, nil // its last user has put it away meanwhile
	}
	return data, err
}

// readDatabase returns the answer of an SQLite database to the request's query. A file that is not
// a database is read as a text file.
func (t *readFile) readDatabase(ctx context.Context, w readTarget) (Result, error) {
	data, err := t.env.Workspace.Backend().ReadBytes(ctx, w.path, document.MaxFile)
	if err != nil {
		return Result{}, err
	}
	if !document.IsSQLite(data) {
		if w.inside != "" {
			return Result{}, &Error{Code: "not_found", Text: fmt.Sprintf("%s is not a database, and no file is "+
				"named %s",
				shown(w.path), shownLine(w.path.Base()+w.inside))}
		}
		return t.read(ctx, w.path, w.sel)
	}
	log, err := t.env.logOf(ctx, w.path)
	if err != nil {
		return Result{}, err
	}
	text, err := t.env.text(ctx, document.Request{Name: w.path.Base(), Query: w.inside, Log: len(log)},
		slices.Concat(data, log))
	if err != nil {
		return Result{}, unreadable(ctx, w.path, err)
	}
	if left := roomOf(ctx); !left.holds(text) {
		text = strings.TrimSuffix(left.head(text), "\n") + "\n[cut here; use limit and offset, or a query for less]\n"
	}
	return Result{Text: text, Summary: count(strings.Count(text, "\n"), "line"), Detail: text}, nil
}

// openArchive opens the archive that a request names.
func (e Env) openArchive(ctx context.Context, w readTarget) (*document.Archive, error) {
	data, err := e.Workspace.Backend().ReadBytes(ctx, w.path, document.MaxFile)
	if err != nil {
		return nil, err
	}
	a, err := document.OpenArchive(ctx, w.path.Base(), data)
	if err != nil && ctx.Err() == nil {
		err = failed("%s cannot be read as an archive: %v", shown(w.path), err)
	}
	return a, err
}

// unpack returns the bytes of an archive member. name is the member's name for errors.
func unpack(ctx context.Context, a *document.Archive, m document.Member, name string) ([]byte, error) {
	if m.Link != "" {
		return nil, failed("%s is a link to %s, which is not followed; read that", name, shownLine(m.Link))
	}
	text, err := a.Read(ctx, m)
	switch {
	case errors.Is(err, document.ErrTooLarge):
		return nil, failed("%s unpacks to more than %s, which is the limit", name, bytesWord(document.MaxText))
	case err != nil:
		return nil, failed("%s cannot be unpacked: %v", name, err)
	}
	return text, nil
}

// readArchive returns an archive member or a directory of an archive, as the request says.
func (t *readFile) readArchive(ctx context.Context, w readTarget) (Result, error) {
	name := shown(w.path)
	a, err := t.env.openArchive(ctx, w)
	if err != nil {
		return Result{}, err
	}
	var note string
	if w.inside, note, err = meantMember(a, w.inside); err != nil {
		return Result{}, err
	}
	r, err := readMember(ctx, a, w, name)
	r.Text = noted(note, r.Text)
	return r, err
}

// readMember returns the text of an archive member, or the list of a directory in the archive. An
// archive of a single file, such as a .gz, stands for that file.
func readMember(ctx context.Context, a *document.Archive, w readTarget, name string) (Result, error) {
	m, is := a.Single()
	if w.inside != "" {
		m, is = a.Find(w.inside)
		name += ":" + shownLine(w.inside)
	}
	if !is || m.Mode.IsDir() {
		return listArchive(ctx, a, w, name)
	}
	text, err := unpack(ctx, a, m, name)
	if err != nil {
		return Result{}, err
	}
	switch workspace.Sniff(text) {
	case workspace.UTF8, workspace.UTF8BOM:
		return readLines(ctx, strings.TrimPrefix(string(text), workspace.BOM), name, w.sel), nil
	}
	return Result{Text: fmt.Sprintf("[Cannot read binary archive entry '%s' (%s)]\n", name, bytesWord(len(text))),
		Summary: "binary, " + bytesWord(len(text))}, nil
}

// listArchive returns the list of a directory in an archive, in the form of list_dir.
func listArchive(ctx context.Context, a *document.Archive, w readTarget, name string) (Result, error) {
	list, ok := a.Dir(w.inside)
	if !ok {
		return Result{}, &Error{Code: "not_found", Text: fmt.Sprintf("%s is not in the archive", name)}
	}
	var b strings.Builder
	left := roomOf(ctx)
	for i, m := range list {
		row := shownLine(path.Base(m.Name))
		switch {
		case m.Mode.IsDir():
			row += "/"
		case m.Link != "":
			row += " -> " + shownLine(m.Link)
		case m.Size >= 0:
			row += "  " + bytesWord(int(m.Size))
		}
		if i == maxEntries || !left.take(row+"\n") {
			fmt.Fprintf(&b, "[%d more entries]\n", len(list)-i)
			break
		}
		b.WriteString(row + "\n")
	}
	if len(list) == 0 {
		b.WriteString(name + " is empty\n")
	}
	if _, odd := a.Members(); odd > 0 && w.inside == "" {
		fmt.Fprintf(&b, "[%s left out: names that lead out of the archive]\n", count(odd, "entry"))
	}
	fmt.Fprintf(&b, "[read one with %s:PATH]\n", shown(w.path))
	return Result{Text: b.String(), Summary: count(len(list), "entry"), Detail: b.String()}, nil
}
