package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxReadLines is the largest number of lines in one result of read_file (SH-4).
const maxReadLines = 3000

// ReadName is the name of the tool that reads files.
const ReadName = "read_file"

// readFile is the tool read_file. It reads files, directories, archives, databases, documents, web
// pages and addresses.
type readFile struct{ env Env }

type readArgs struct {
	Path string `json:"path" doc:"What to read, relative to the workspace. A suffix selects lines: 'a.go:40' from line 40 on, 'a.go:40-60', 'a.go:40+20' (20 lines), 'a.go:1-5,40-60'; ':raw' leaves out the line numbers, ':conflicts' shows merge conflicts. 'a.zip:dir/b.txt' is a member of an archive. 'a.db' lists tables, 'a.db:table' its schema, 'a.db:table:key' a row, 'a.db:table?where=…&order=…&limit=…&offset=…' some rows, 'a.db?q=SELECT …' what it gives. An address like artifact://ID from this conversation is read the same way; mcp://SERVER/ lists what a server has."`
}

func (t *readFile) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindReads, Shows: true, SummaryOnly: true}
}

func (t *readFile) Spec() provider.Tool {
	form := "a tab; the text of the file begins after the tab"
	if t.env.Tags != nil {
		form = "a colon, below a header ¶PATH#TAG that edit takes; the text of the file begins after the colon"
	}
	return provider.Tool{
		Name: ReadName, ReadOnly: true, Schema: schemaOf[readArgs](),
		Description: fmt.Sprintf("Read a text file, a picture (PNG, JPEG, GIF, WebP), a directory (two levels, newest "+
			"first), an archive (zip, tar, gz) or a member of it, an SQLite database, a notebook, the text of a PDF, "+
			"Word, Excel, PowerPoint or EPUB file, a page of the internet (https://…; the user is asked for each new "+
			"host). A file that is not there is found by the end of its path. Of a text gives at most %d lines or "+
			"%d KiB at once, each line with its number and %s.",
			maxReadLines, maxResult>>10, form),
	}
}

func (t *readFile) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[readArgs](input)
	if err != nil {
		return Call{}, err
	}
	args.Path = t.env.expanded(args.Path)
	if address, id, sel, ok, err := t.env.Addresses.open(args.Path); ok {
		return t.address(address, id, sel), err
	}
	if strings.HasPrefix(args.Path, conflictScheme) {
		return t.conflict(args.Path)
	}
	if call, ok, err := t.resource(id, args.Path); ok {
		return call, err
	}
	if call, ok, err := t.githubAddress(ctx, id, args.Path); ok {
		return call, err
	}
	if call, ok, err := t.page(id, args.Path); ok {
		return call, err
	}
	w, err := t.find(ctx, args.Path)
	if err != nil {
		return Call{}, err
	}
	p, part := w.path, ""
	if w.inside != "" {
		part = shownLine(w.inside)
		if w.as == asArchive {
			part = ":" + part
		}
	}
	return Call{
		Title: ReadName + " " + shown(p) + part + w.sel.String(),
		Path:  p.Match(),
		Propose: func(ctx context.Context) (*approval.Proposal, error) {
			return readProposal(ctx, t.env, id, p)
		},
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			t.env.noteRead(p) // before, so that a change meanwhile counts
			r, err := t.want(ctx, w)
			if err != nil {
				return r, withSizeHint(err, w)
			}
			r.Text = w.note + r.Text
			if t.env.Instructions != nil {
				r.Text += t.env.Instructions(ctx, p)
			}
			return r, nil
		},
	}, nil
}

// withSizeHint extends an error that says that a file is too large by a hint how to read a part of
// it. Other errors are returned unchanged.
func withSizeHint(err error, w readTarget) error {
	var large *workspace.Error
	if !errors.As(err, &large) || large.Kind != workspace.TooLarge || w.as != asText {
		return err
	}
	hint := fmt.Sprintf("read a part of it, as %s:1-200", shown(w.path))
	switch {
	case len(w.sel.ranges) > 0 && large.Limit == workspace.MaxRead:
		hint = "a line of it is longer than that; a command can cut it"
	case len(w.sel.ranges) > 0:
		hint = "a command can look into it"
	}
	return &Error{Code: "too_large", Text: err.Error() + "; " + hint}
}

// want reads the resolved target in the way that its kind demands.
func (t *readFile) want(ctx context.Context, w readTarget) (Result, error) {
	switch {
	case w.dir:
		r, err := t.readDirectory(ctx, w.path)
		r.Text = w.sel.rows(r.Text)
		return r, err
	case w.sel.conflicts:
		return t.readConflicts(ctx, w.path)
	case w.sel.raw && w.inside == "": // its own bytes
	case w.as == asArchive:
		return t.readArchive(ctx, w)
	case w.as == asDatabase:
		return t.readDatabase(ctx, w)
	case w.as == asDocument:
		return t.readDocument(ctx, w)
	case w.as == asNotebook:
		return t.readNotebook(ctx, w)
	}
	return t.read(ctx, w.path, w.sel)
}

// readProposal returns the question whether the file p may be read, for a rule that demands a
// question. It contains the file's size, but never its content (PAY-40).
func readProposal(ctx context.Context, env Env, id string, p workspace.Path) (*approval.Proposal, error) {
	pay := approval.Read{Base: approval.Base{Kind: "read", Description: "Read " + shown(p), Path: p.String(),
		Sandbox: p.Root()}}
	f, err := env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
	var large *workspace.Error
	switch {
	case errors.As(err, &large) && large.Kind == workspace.TooLarge:
		pay.FileExists, pay.FileBytes = true, int(large.Bytes)
	case err != nil:
		return nil, err
	default:
		pay.FileExists, pay.FileBytes, pay.FileLines = f.Print.Exists, len(f.Data), workspace.Lines(f.Data)
	}
	return &approval.Proposal{ID: env.newID(), Call: id, Tool: ReadName, Payload: pay, Path: p.String(),
		Subject: approval.Subject{Tool: ReadName, Path: p.Match(), Asks: true}}, nil
}

// lines is an inclusive range of line numbers, counted from 1. If to is 0, the range ends with the
// file.
type lines struct{ from, to int }

// selector is the part of a request that says what of a file to show. Without ranges all of it is
// shown.
type selector struct {
	// raw means that the lines are shown without their numbers.
	raw       bool
	conflicts bool // conflicts selects only the merge conflicts of the file, instead of its lines.
	// ranges holds the selected lines, sorted; none: all lines.
	ranges []lines
}

// String returns the selector in the form in which requests write it, with its colons.
func (s selector) String() string {
	var parts []string
	for _, r := range s.ranges {
		switch {
		case r.to == 0:
			parts = append(parts, strconv.Itoa(r.from))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", r.from, r.to))
		}
	}
	out := ""
	if len(parts) > 0 {
		out = ":" + strings.Join(parts, ",")
	}
	if s.raw {
		out += ":raw"
	}
	if s.conflicts {
		out += ":conflicts"
	}
	return out
}

// parseSelector splits a request into a name and its selector suffixes: ":raw", and a comma list of
// N, N-, A-B and A+C, where each number may have an L before it (SH-4). Both suffixes may come in
// either order. ok is false if there is none. bad is the error for a suffix that is a selector but
// makes no sense, such as line 0.
func parseSelector(request string) (name string, s selector, ok bool, bad error) {
	name = request
	for range 2 {
		i := strings.LastIndexByte(name, ':')
		if i <= 0 {
			break
		}
		suffix := name[i+1:]
		if suffix == "conflicts" && !ok {
			return name[:i], selector{conflicts: true}, true, nil
		}
		if suffix == "raw" && !s.raw {
			s.raw, ok, name = true, true, name[:i]
			continue
		}
		if s.ranges != nil {
			break
		}
		ranges, isList, err := parseRanges(suffix)
		if !isList {
			break
		}
		if err != nil {
			bad = err
		}
		s.ranges, ok, name = ranges, true, name[:i]
	}
	return name, s, ok, bad
}

// parseRanges parses a comma list of line ranges, and merges those that overlap. isList is false if
// the text has another form. err is set for ranges that make no sense.
func parseRanges(list string) (rs []lines, isList bool, err error) {
	for part := range strings.SplitSeq(list, ",") {
		var r lines
		a, b, ranged := strings.Cut(part, "-")
		n, count, counted := strings.Cut(part, "+")
		switch {
		case ranged && b == "": // from there to the end
			from, e := number(a)
			if e != nil {
				return nil, false, nil
			}
			r = lines{from, 0}
		case ranged:
			from, e1 := number(a)
			to, e2 := number(b)
			if e1 != nil || e2 != nil {
				return nil, false, nil
			}
			if to < from {
				err = invalidArgs("line range %s ends before it begins", part)
			}
			r = lines{from, to}
		case counted:
			from, e1 := number(n)
			c, e2 := number(count)
			if e1 != nil || e2 != nil {
				return nil, false, nil
			}
			if c == 0 {
				err = invalidArgs("line range %s is empty", part)
			}
			r = lines{from, from + c - 1}
		default:
			from, e := number(part)
			if e != nil {
				return nil, false, nil
			}
			r = lines{from, 0}
		}
		if r.from == 0 {
			err = invalidArgs("line numbers begin at 1, got %s", part)
		}
		rs = append(rs, r)
	}
	return merge(rs), true, err
}

// rows returns the selected lines of list. If there are none, it returns a line that says so.
func (s selector) rows(list string) string {
	if len(s.ranges) == 0 {
		return list
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(list) {
		n++
		if slices.ContainsFunc(s.ranges, func(r lines) bool { return n >= r.from && (r.to == 0 || n <= r.to) }) {
			b.WriteString(line)
		}
	}
	if b.Len() == 0 {
		return fmt.Sprintf("[the list has %s; line %d is beyond its end]\n", count(n, "line"), s.ranges[0].from)
	}
	return b.String()
}

// number parses a line number, which may have an L before it.
func number(s string) (int, error) {
	s = strings.TrimPrefix(s, "L")
	if s == "" || len(s) > 9 || strings.TrimLeft(s, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}

// merge sorts ranges of lines and joins those that overlap or are adjacent.
func merge(rs []lines) []lines {
	slices.SortFunc(rs, func(a, b lines) int { return a.from - b.from })
	var out []lines
	for _, r := range rs {
		if n := len(out) - 1; n >= 0 && (out[n].to == 0 || r.from <= out[n].to+1) {
			if r.to == 0 || out[n].to != 0 && r.to > out[n].to {
				out[n].to = r.to
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

// before and after are the numbers of lines that are shown in addition before and after a selected
// range (SH-4).
const before, after = 1, 3

// read reads the selected lines of a text file, or a picture. Long results end with a line that
// says how to read on.
func (t *readFile) read(ctx context.Context, p workspace.Path, sel selector) (Result, error) {
	w := t.env.Workspace
	if len(sel.ranges) == 0 && !sel.raw && picture.Named(p.Match()) {
		if r, is, err := t.picture(ctx, p); is || err != nil {
			return r, err
		}
	}
	head, sep, get := "", "\t", func(from, lines int) (string, error) { return w.ReadText(ctx, p, from, lines) }
	if t.env.Tags != nil && !sel.raw {
		sep = ":"
		text, err := w.ReadText(ctx, p, 0, 0)
		switch {
		case err == nil:
			head = t.env.header(p, text)
			get = func(from, lines int) (string, error) { return some(text, from, lines), nil }
		case workspace.KindOf(err) != workspace.TooLarge: // of a part of that no tag is given
			return Result{}, err
		}
	}
	left := roomOf(ctx)
	left.take(head)
	if len(sel.ranges) == 0 {
		text, err := get(0, 0)
		if err != nil {
			return Result{}, err
		}
		if text == "" {
			return Result{Text: fmt.Sprintf("%s is empty", p), Summary: "empty"}, nil
		}
		text = strings.TrimPrefix(text, workspace.BOM)
		total := workspace.Lines([]byte(text))
		body, n, whole := numberLines(text, 1, maxReadLines, &left, prefix{sel.raw, sep})
		if !whole && !sel.raw {
			if r, ok := t.summary(ctx, p, text, head, sep); ok {
				return r, nil
			}
		}
		body = head + body
		if !whole {
			body += fmt.Sprintf("[lines 1-%d of %d; read on with %s:%d]\n", n, total, p, n+1)
		}
		return Result{Text: body, Summary: count(n, "line") + of(n, total), Detail: body}, nil
	}
	var b strings.Builder
	got := 0
	for _, r := range sel.ranges {
		from, limit := r.from, maxReadLines
		if !sel.raw {
			from = max(1, r.from-before)
		}
		if r.to != 0 {
			limit = r.to - from + 1
			if !sel.raw {
				limit += after
			}
		}
		limit = min(limit, maxReadLines-got)
		if limit <= 0 || left.bytes <= 0 || left.tokens <= 0 {
			fmt.Fprintf(&b, "[limit reached; read on with %s:%d]\n", p, r.from)
			break
		}
		text, err := get(from, limit+1)
		for limit > 1 && workspace.KindOf(err) == workspace.TooLarge && err != nil {
			// Long lines: fewer will do, the room is small.
			limit = max(1, limit/4)
			text, err = get(from, limit+1)
		}
		if err != nil {
			return Result{}, err
		}
		if text == "" || r.from > from+workspace.Lines([]byte(text))-1 {
			all, err := get(0, 0)
			if err != nil { // larger than that
				fmt.Fprintf(&b, "[line %d is beyond the end of %s]\n", r.from, p)
				continue
			}
			fmt.Fprintf(&b, "[%s has %s; line %d is beyond its end]\n", p, count(workspace.Lines([]byte(all)), "line"),
				r.from)
			continue
		}
		if b.Len() > 0 && !sel.raw {
			b.WriteString("...\n")
		}
		if from == 1 {
			text = strings.TrimPrefix(text, workspace.BOM)
		}
		body, n, whole := numberLines(text, from, limit, &left, prefix{sel.raw, sep})
		b.WriteString(body)
		got += n
		if !whole && (r.to == 0 || from+n-1 < r.to) {
			fmt.Fprintf(&b, "[more; read on with %s:%d]\n", p, from+n)
		}
	}
	text := head + b.String()
	return Result{Text: text, Summary: count(got, "line"), Detail: text}, nil
}

// some returns a number of lines of text, beginning with line from, counted from 1. If lines is 0,
// it returns the whole text.
func some(text string, from, lines int) string {
	if lines == 0 {
		return text
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; n >= from+lines {
			break
		}
		if n >= from {
			b.WriteString(line)
		}
	}
	return b.String()
}

// picture reads a file whose name is that of a picture. is reports whether its bytes are those of a
// picture; if not, it has to be read as another file.
func (t *readFile) picture(ctx context.Context, p workspace.Path) (r Result, is bool, err error) {
	f, err := t.env.Workspace.Snapshot(ctx, p, picture.MaxFile)
	if err != nil || !f.Print.Exists || !picture.Is(f.Data) {
		return Result{}, false, err
	}
	pic, err := picture.New(shown(p), f.Data)
	if err != nil {
		return Result{}, true, failed("%s: %v", p, err)
	}
	return Result{Text: pic.Line(), Summary: pic.Facts(), Images: []picture.Picture{pic}}, true, nil
}
