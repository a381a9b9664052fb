package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxMatchFiles and the constants below limit the result of one search.
const (
	maxMatchFiles = 20  // maxMatchFiles is the number of files in one result; skip continues after them.
	maxEach       = 20  // maxEach is the number of matches that are shown of each file, if several are searched.
	maxAlone      = 200 // maxAlone is the number of matches that are shown if only one file is searched.
	maxSearchLine = 512 // maxSearchLine is the number of characters that are shown of a line (SH-4).
)

// search is the tool search. It finds the lines of files that match a regular expression.
type search struct{ env Env }

type searchArgs struct {
	Pattern    string   `json:"pattern" doc:"Regular expression (RE2 syntax), matched against each line; with \\n in it against the text over lines."`
	Path       string   `json:"path,omitempty" doc:"What to search: a directory, a file, lines of it (a.go:10-30), a glob (src/*.go), a member of an archive (a.zip:b.txt), an address (artifact://ID); the workspace if it is missing."`
	Paths      []string `json:"paths,omitempty" doc:"Several of these, instead of path."`
	Glob       string   `json:"glob,omitempty" doc:"Only files whose path below the directory matches, for instance '**/*.go'."`
	Types      []string `json:"types,omitempty" doc:"Only files with these endings, without the dot: 'go', 'ts'."`
	Hidden     *bool    `json:"hidden" doc:"Also files whose path has a name that begins with a dot; true if it is missing."`
	IgnoreCase bool     `json:"ignore_case,omitempty" doc:"Ignore case."`
	Ignored    bool     `json:"include_ignored,omitempty" doc:"Also files that git ignores."`
	Before     *int     `json:"context_before" doc:"Lines shown before a match, 1 if missing." min:"0" max:"20"`
	After      *int     `json:"context_after" doc:"Lines shown behind a match, 3 if missing." min:"0" max:"20"`
	Skip       float64  `json:"skip,omitempty" doc:"Files with matches to leave out at the beginning: the result says it if there are more."`
}

func (t *search) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindSearches, Shows: true, SummaryOnly: true}
}

func (t *search) Spec() provider.Tool {
	head := "# path"
	if t.env.Tags != nil {
		head = "the header ¶PATH#TAG that edit takes"
	}
	return provider.Tool{
		Name: "search", ReadOnly: true, Schema: schemaOf[searchArgs](),
		Description: fmt.Sprintf("Search the text of files. Each file has %s, and below it its lines: *LINE:text for "+
			"a match, a blank before the number for the lines around. At most %d files at once, and %d matches of "+
			"each. Binary files, files above 4 MB, .git and what git ignores are left out; links are not "+
			"followed.",
			head, maxMatchFiles, maxEach),
	}
}

func (t *search) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[searchArgs](input)
	if err != nil {
		return Call{}, err
	}
	pattern, note := asPattern(args.Pattern)
	m, err := newMatcher(pattern, args.IgnoreCase)
	switch {
	case strings.TrimSpace(args.Pattern) == "":
		return Call{}, invalidArgs("pattern is empty")
	case err != nil:
		return Call{}, invalidArgs("pattern: %v", err)
	case !doublestar.ValidatePattern(args.Glob):
		return Call{}, invalidArgs("glob %q is not a glob", args.Glob)
	case args.Path != "" && len(args.Paths) > 0:
		return Call{}, invalidArgs("give path or paths, not both")
	case args.Skip < 0:
		return Call{}, invalidArgs("skip must be 0 or more")
	}
	var types []string
	for _, t := range args.Types {
		types = append(types, "."+strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(t, "*"), ".")))
	}
	requests := args.Paths
	if len(requests) == 0 {
		requests = []string{args.Path}
	}
	requests = splitJoined(requests, func(request string) bool {
		_, err := t.place(request)
		return err == nil
	})
	var places []searched
	missing := []string{}
	for _, request := range requests {
		p, err := t.place(request)
		if workspace.KindOf(err) == workspace.NotFound && err != nil && len(requests) > 1 {
			missing = append(missing, shownLine(request))
			continue
		}
		if err != nil {
			return Call{}, err
		}
		places = append(places, p)
	}
	if len(places) == 0 {
		return Call{}, &Error{Code: "not_found", Text: "file not found: " + strings.Join(missing, ", ")}
	}
	call := Call{Path: places[0].match()}
	var in []string
	for i, p := range places {
		if in = append(in, p.shown()); i > 0 {
			call.Also = append(call.Also, p.match())
		}
	}
	call.Title = fmt.Sprintf("search \"%s\" in %s", titled(args.Pattern, 200), strings.Join(in, ", "))
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		s := &searcher{env: t.env, left: roomOf(ctx), match: m, before: before, after: after,
			skip: int(min(args.Skip, math.MaxInt32)), each: maxEach, note: note, missing: missing,
			types: types, visible: args.Hidden != nil && !*args.Hidden}
		if args.Before != nil {
			s.before = *args.Before
		}
		if args.After != nil {
			s.after = *args.After
		}
		if len(places) == 1 && (places[0].file || places[0].text != nil) {
			s.each = maxAlone
		}
		for _, p := range places {
			s.notes = append(s.notes, p.note)
			if err := s.in(ctx, p, args.Glob, args.Ignored); errors.Is(err, errEnough) {
				break
			} else if err != nil {
				return Result{}, err
			}
		}
		return s.result(), nil
	}
	return call, nil
}

// searcher holds the options of one search and collects its result.
type searcher struct {
	env Env
	// match finds the matching lines.
	match         *matcher
	before, after int // before and after are the numbers of context lines around a match.
	// skip is the number of matching files to leave out at the beginning. each is the number of
	// matches to show of a file.
	skip, each int
	// missing lists the requested places that do not exist.
	missing []string
	note    string   // note tells the model that its pattern was changed, and how.
	notes   []string // notes tells the model which paths were corrected, and how.
	// types lists the file name extensions to search, with their dots, in lower case; none: all.
	types   []string
	visible bool // visible leaves out paths in which a name begins with a dot.

	// out collects the text of the result.
	out strings.Builder
	// left is how much more text the result may have.
	left room
	// seen holds the names of files in which matches were found, so that overlapping places do not
	// show a file twice.
	seen map[string]bool
	// matches is the number of matches in the files that are shown.
	matches  int
	files    int // files is the number of matching files, including the skipped ones.
	skipped  int // skipped is the number of files that were not searched: binary, too large or not readable.
	withheld int // withheld is the number of files that rules about read_file keep from the model.
	// more means that further files match, beyond the limit of one result.
	more bool
	// linked collects links to folders, which are not searched.
	linked linkedFolders
}

// in searches one place. It returns errEnough if the result is full.
func (s *searcher) in(ctx context.Context, at searched, glob string, ignored bool) error {
	switch {
	case at.text != nil:
		text, note, err := at.text(ctx)
		if err != nil {
			return err
		}
		s.notes = append(s.notes, note)
		return s.lines(at, text)
	case at.file:
		text, err := s.env.Workspace.ReadText(ctx, at.path, 0, 0)
		if err != nil {
			return err
		}
		return s.lines(at, text)
	}
	enough := false
	g := newGlances(ctx, s)
	defer g.end()
	look := looks{glob: cmp.Or(at.glob, glob), ignored: ignored, linked: &s.linked}
	err := walk(ctx, s.env.Workspace, at.path, look, func(tree *workspace.Tree) error {
		if at.glob != "" && glob != "" {
			if also, err := doublestar.Match(glob, tree.RelativePath()); err != nil || !also {
				return nil //nolint:nilerr // the pattern was checked
			}
		}
		if !tree.Mode().IsRegular() {
			return nil
		}
		if tree.PathLength() > workspace.MaxPath {
			s.skipped++
			return nil
		}
		if len(s.types) > 0 && !slices.Contains(s.types, strings.ToLower(path.Ext(tree.Name()))) ||
			s.visible && strings.Contains("/"+tree.RelativePath(), "/.") {
			return nil
		}
		p := tree.Path()
		if s.env.readable(p) != nil {
			s.withheld++
			return nil
		}
		file, err := tree.Open()
		if err != nil {
			s.skipped++
			return ctx.Err()
		}
		err = g.add(p, file)
		enough = errors.Is(err, errEnough)
		return err
	})
	switch {
	case err != nil:
		return err
	case enough: // a walk does not tell
		return errEnough
	}
	return g.settle()
}

// lines searches text, which is that of a file or another text, and appends its matches to the
// result. It returns errEnough if the result is full.
func (s *searcher) lines(at searched, text string) error {
	name := at.shown()
	if s.seen[name] {
		return nil
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	var found []spot
	left := 0
	body := strings.TrimPrefix(text, workspace.BOM)
	lines := slices.Collect(strings.Lines(body))
	s.match.find(lines, body, func(is spot) bool {
		switch {
		case !at.holds(is.from):
		case len(found) == s.each:
			left++
		default:
			found = append(found, is)
		}
		return true
	})
	if len(found) == 0 {
		return nil
	}
	s.seen[name] = true
	if s.files >= s.skip+maxMatchFiles {
		s.more = true
		return errEnough
	}
	if s.files < s.skip {
		s.files++
		return nil
	}
	head := ""
	if at.text == nil {
		head = s.env.header(at.path, text)
		s.env.noteRead(at.path)
	}
	if head == "" {
		head = "# " + at.shown() + "\n"
	}
	blocks := s.blocks(found, lines)
	if s.files > s.skip && !s.left.holds(head+blocks[0]) {
		s.more = true
		return errEnough
	}
	s.files++
	s.left.take(head)
	s.out.WriteString(head)
	s.matches += len(found) + left
	for i, block := range blocks {
		if s.left.take(block) {
			s.out.WriteString(block)
			continue
		}
		if i == 0 {
			s.out.WriteString(s.left.head(block) + "[cut: your window has no room for more]\n")
			i++
		}
		if i < len(found) {
			s.goOn(at, len(found)-i+left, found[i].from)
		}
		s.left = room{}
		return nil
	}
	if left > 0 {
		s.goOn(at, left, found[len(found)-1].to+1)
	}
	return nil
}

// goOn appends a line that says how many matches of a file were not shown, and from which line on
// they can be searched. line counts from 0.
func (s *searcher) goOn(at searched, left, line int) {
	at.ranges = nil
	fmt.Fprintf(&s.out, "[%s more; go on in %s:%d-]\n", count(left, "match"), at.shown(), line+1)
}

// blocks returns a text for each match: the numbered lines of the match and of its context. No line
// appears in two of the texts.
func (s *searcher) blocks(found []spot, lines []string) (blocks []string) {
	next := 0 // the first line that is not shown
	for i, at := range found {
		var b strings.Builder
		to := min(len(lines)-1, at.to+s.after)
		if i+1 < len(found) {
			to = min(to, found[i+1].from-1)
		}
		for n := max(next, at.from-s.before); n <= to; n++ {
			mark, where := " ", 0
			if n >= at.from && n <= at.to {
				mark = "*"
			}
			if n == at.from {
				where = at.at
			}
			line := strings.TrimRight(lines[n], "\r\n")
			fmt.Fprintf(&b, "%s%d:%s\n", mark, n+1, excerpt(line, min(where, len(line))))
		}
		next = to + 1
		blocks = append(blocks, b.String())
	}
	return blocks
}

// excerpt returns at most maxSearchLine characters of a line, so that the byte offset of the match
// is among them. An ellipsis marks each end that was cut.
func excerpt(line string, at int) string {
	if utf8.RuneCountInString(line) <= maxSearchLine {
		return line
	}
	from := len(width.Head(line, at-runesBack(line[:at], maxSearchLine/4)))
	text := line[from:]
	n := 0
	for i := range text {
		if n++; n > maxSearchLine {
			text = width.Head(text, i)
			break
		}
	}
	if from+len(text) < len(line) {
		text += "…"
	}
	if from > 0 {
		text = "…" + text
	}
	return text
}

// runesBack returns the number of bytes in the last n characters of s.
func runesBack(s string, n int) (bytes int) {
	for ; n > 0 && bytes < len(s); n-- {
		_, size := utf8.DecodeLastRuneInString(s[:len(s)-bytes])
		bytes += size
	}
	return bytes
}

// result returns the matches that were found, and notes about what was left out.
func (s *searcher) result() Result {
	files := max(0, s.files-s.skip)
	switch {
	case s.more:
		fmt.Fprintf(&s.out, "[more files match; call again with skip %d]\n", s.files)
	case files == 0 && s.files > 0:
		fmt.Fprintf(&s.out, "no more files match: %s in all\n", count(s.files, "file"))
	case files == 0:
		s.out.WriteString("no line matches\n")
	}
	if s.note != "" {
		fmt.Fprintf(&s.out, "[%s]\n", s.note)
	}
	if s.skipped > 0 {
		fmt.Fprintf(&s.out, "[%s left out: binary, not UTF-8, too large or not readable]\n", count(s.skipped, "file"))
	}
	if s.withheld > 0 {
		fmt.Fprintf(&s.out, "[%s left out by rules of read_file]\n", count(s.withheld, "file"))
	}
	s.out.WriteString(s.linked.text("searched"))
	if len(s.missing) > 0 {
		fmt.Fprintf(&s.out, "[not found: %s]\n", strings.Join(s.missing, ", "))
	}
	text := s.out.String()
	for _, note := range slices.Backward(s.notes) {
		text = noted(note, text)
	}
	return Result{Text: text, Detail: text,
		Summary: fmt.Sprintf("%s in %s", count(s.matches, "match"), count(files, "file"))}
}
