package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxFound and the constants below limit the tool find (find.md).
const (
	maxFound      = 200 // maxFound is the number of names in one result.
	findPatience  = 5 * time.Second
	leastPatience = time.Second / 2
	maxPatience   = time.Minute
	findTellsEach = 200 * time.Millisecond
	findAsksEach  = 64 // findAsksEach is the number of matches after which the clock is read.
	// findSortsEach is how many times the wanted number of names is collected before they are
	// sorted and cut.
	findSortsEach = 16
)

// find is the tool find. It finds files and directories by name.
type find struct{ env Env }

type findArgs struct {
	Paths   []string `json:"paths" doc:"Globs, files and directories: '*.go' at any depth, 'src/*.go' in src only, 'src/**/*.go' below it, '{a,b}' alternatives; a directory means all files below it."`
	Hidden  *bool    `json:"hidden" doc:"Also names that begin with a dot; true if it is missing."`
	Ignored bool     `json:"include_ignored,omitempty" doc:"Also files that git ignores."`
	Limit   *float64 `json:"limit" doc:"At most so many names, up to 200."`
	Timeout *float64 `json:"timeout" doc:"Seconds to look for, from 0.5 to 60; 5 if it is missing."`
}

func (t *find) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindSearches, Shows: true, SummaryOnly: true}
}

func (t *find) Spec() provider.Tool {
	return provider.Tool{
		Name: "find", ReadOnly: true, Schema: schemaOf[findArgs](),
		Description: fmt.Sprintf("Find files and directories by name, those that were written last first, at most %d, "+
			"grouped by directory. Links are not followed; .git and what git ignores are left out.", maxFound),
	}
}

func (t *find) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[findArgs](input)
	if err != nil {
		return Call{}, err
	}
	args.Paths = splitJoined(args.Paths, func(request string) bool {
		_, err := t.hunt(request)
		return err == nil
	})
	switch {
	case len(args.Paths) == 0 || slices.Contains(args.Paths, ""):
		return Call{}, invalidArgs("`paths` must contain non-empty globs or paths")
	case args.Limit != nil && *args.Limit <= 0:
		return Call{}, invalidArgs("limit must be a positive number")
	}
	f := finder{env: t.env, args: args, limit: maxFound, patience: args.patience()}
	if args.Limit != nil {
		f.limit = int(min(max(*args.Limit, 1), maxFound))
	}
	var missing, named []string
	call := Call{}
	for i, request := range args.Paths {
		h, err := t.hunt(request)
		if err != nil && workspace.KindOf(err) == workspace.NotFound {
			missing = append(missing, shownLine(request))
			continue
		}
		if err != nil {
			return Call{}, err
		}
		f.hunts = append(f.hunts, h)
		named = append(named, titled(args.Paths[i], 200))
		if len(f.hunts) == 1 {
			call.Path = h.base.Match()
		} else {
			call.Also = append(call.Also, h.base.Match())
		}
	}
	if len(f.hunts) == 0 {
		return Call{}, &Error{Code: "not_found", Text: "Path not found: " + strings.Join(missing, ", ")}
	}
	f.missing = missing
	call.Title = "find " + strings.Join(named, ", ")
	call.Run = f.run
	return call, nil
}

// patience returns how long the search may take.
func (a findArgs) patience() time.Duration {
	if a.Timeout == nil {
		return findPatience
	}
	seconds := min(max(*a.Timeout, leastPatience.Seconds()), maxPatience.Seconds())
	return time.Duration(seconds * float64(time.Second))
}

// hunt describes one thing to find: a file, or the paths below a directory that match a glob.
type hunt struct {
	// base is the file, or the directory to search.
	base workspace.Path
	// file is true if base is a file.
	file bool
	glob string
	dirs bool   // dirs means that directories match too.
	note string // note tells the model how the path was corrected.
}

// hunt parses a request. Its path components before the first wildcard are the directory to search.
// A glob without a directory is matched at any depth.
func (t *find) hunt(request string) (hunt, error) {
	if strings.Contains(request, "://") {
		return hunt{}, invalidArgs("%s is no file; read_file and search take addresses", shownLine(request))
	}
	if !strings.ContainsAny(request, globMarks) {
		return t.named(request)
	}
	names := strings.Split(request, "/")
	first := slices.IndexFunc(names, func(name string) bool { return strings.ContainsAny(name, globMarks) })
	dir, glob := strings.Join(names[:first], "/"), strings.Join(names[first:], "/")
	if strings.HasPrefix(request, "/") && dir == "" {
		dir = "/"
	}
	if dir == "" && names[0] != "**" {
		glob = "**/" + glob
	}
	if !doublestar.ValidatePattern(glob) {
		return hunt{}, invalidArgs("%q is not a glob", request)
	}
	dir, note, err := t.env.meant(dir)
	if err != nil {
		return hunt{}, err
	}
	base, err := t.env.Workspace.ResolveDir(dir)
	last := names[len(names)-1]
	return hunt{base: base, glob: glob, dirs: strings.Trim(last, "*") != "", note: note}, err
}

// named parses a request without wildcards: the path of a directory or a file.
func (t *find) named(request string) (hunt, error) {
	request, note, err := t.env.meant(request)
	if err != nil {
		return hunt{}, err
	}
	base, err := t.env.Workspace.ResolveDir(request)
	if err == nil {
		return hunt{base: base, glob: "**", note: note}, nil
	}
	file, e := t.env.Workspace.Resolve(request)
	if e != nil || workspace.KindOf(err) == workspace.NotFound {
		return hunt{}, err
	}
	return hunt{base: file, file: true, note: note}, nil
}

// finder holds the options and the matches of one running search.
type finder struct {
	env   Env
	args  findArgs
	hunts []hunt
	// missing lists the requested paths that do not exist.
	missing []string
	// limit is the number of names to return.
	limit int
	// patience is how long the search may take.
	patience time.Duration

	found []finding
	full  bool // full is true if at least limit matches have been sorted.
	// last is the last match within the limit, if full is true. Matches that sort after it are
	// dropped.
	last finding
	// total is the number of all matches, including dropped ones.
	total int
	long  int // long is the number of matches whose paths are too long for any tool.

	linked linkedFolders
}

// finding is one match: its path, whether it is a directory, and when it was last written.
type finding struct {
	path workspace.Path
	dir  bool
	// written is the modification time.
	written time.Time
}

// run carries out the search, within its time limit, and returns the names that it has found.
func (f finder) run(ctx context.Context, progress func(string)) (Result, error) {
	limited, stop := context.WithTimeout(ctx, f.patience)
	defer stop()
	late := false
	for _, h := range f.hunts {
		err := f.look(limited, h, progress)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			late = true
			break
		}
		if err != nil {
			return Result{}, err
		}
	}
	f.keep()
	text := f.grouped(roomOf(ctx))
	if len(f.found) == 0 {
		text = "No files found matching pattern\n"
	}
	for _, h := range slices.Backward(f.hunts) {
		text = noted(h.note, text)
	}
	if late {
		text += fmt.Sprintf("[find timed out after %v; returning %d partial matches — increase timeout or narrow "+
			"pattern]\n",
			f.patience, len(f.found))
	} else if f.total > len(f.found) {
		text += fmt.Sprintf("[%d of %s, those written last; use a narrower pattern]\n", len(f.found), count(f.total,
			"match"))
	}
	if f.long > 0 {
		text += fmt.Sprintf("[%s left out: a path of more than %d bytes, which no tool takes]\n", count(f.long, "file"),
			workspace.MaxPath)
	}
	text += f.linked.text("looked into")
	if len(f.missing) > 0 {
		text += "Skipped missing paths: " + strings.Join(f.missing, ", ") + "\n"
	}
	return Result{Text: text, Summary: count(f.total, "match"), Detail: text}, nil
}

// look collects the matches of one request.
func (f *finder) look(ctx context.Context, h hunt, progress func(string)) error {
	if h.file {
		p, err := f.env.Workspace.Backend().Fingerprint(ctx, h.base)
		if err == nil && p.Exists {
			f.found = append(f.found, finding{path: h.base})
			f.total++
		}
		return err
	}
	told := f.env.now()
	what := looks{glob: h.glob, ignored: f.args.Ignored, dirs: h.dirs, linked: &f.linked, times: f.timed}
	return walk(ctx, f.env.Workspace, h.base, what,
		func(tree *workspace.Tree) error {
			switch {
			case tree.PathLength() > workspace.MaxPath:
				f.long++
				return nil
			case f.args.Hidden != nil && !*f.args.Hidden && strings.Contains("/"+tree.RelativePath(), "/."):
				return nil
			}
			if tree.ReadTime() != nil {
				return nil // it is gone
			}
			f.total++
			if progress == nil || f.total%findAsksEach != 0 {
				return nil
			}
			if now := f.env.now(); now.Sub(told) >= findTellsEach {
				told = now
				progress(fmt.Sprintf("%s so far\n", count(f.total, "match")))
			}
			return nil
		})
}

// timed adds a match to the findings. It was counted in total before its time was known.
func (f *finder) timed(e workspace.TimedEntry) {
	switch {
	case e.Gone:
		f.total--
		return
	case f.full && e.Modify.Before(f.last.written):
		return // its path is not even made
	}
	found := finding{e.Path(), e.Dir, e.Modify}
	if f.full && found.compare(&f.last) > 0 {
		return
	}
	f.found = append(f.found, found)
	if len(f.found) >= findSortsEach*f.limit {
		f.keep()
	}
}

// compare orders findings: the last written one is first, and paths decide between equal times.
func (a *finding) compare(b *finding) int {
	if c := b.written.Compare(a.written); c != 0 {
		return c
	}
	if c := strings.Compare(a.path.Root(), b.path.Root()); c != 0 {
		return c
	}
	return strings.Compare(a.path.Rel(), b.path.Rel())
}

// keep sorts the findings, and drops duplicates and those beyond the limit.
func (f *finder) keep() {
	if len(f.hunts) == 1 { // nothing was found twice
		cutFindings(f.found, f.limit)
		f.found = f.found[:min(f.limit, len(f.found))]
	}
	slices.SortFunc(f.found, func(a, b finding) int { return a.compare(&b) })
	before := len(f.found)
	f.found = slices.CompactFunc(f.found, func(a, b finding) bool { return a.path == b.path })
	f.total -= before - len(f.found)
	f.found = f.found[:min(f.limit, len(f.found))]
	if f.full = f.limit > 0 && len(f.found) == f.limit; f.full {
		f.last = f.found[f.limit-1]
	}
}

// cutFindings moves the n findings that sort first to the front, in any order (Hoare's selection).
// This costs a fifth of sorting all of them, which matters in a tree whose files were written in
// the order of the walk: each is newer than all before it.
func cutFindings(all []finding, n int) {
	for low, high := 0, len(all)-1; low < high; {
		pivot := all[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for all[i].compare(&pivot) < 0 {
				i++
			}
			for all[j].compare(&pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n-1 <= j:
			high = j
		case n-1 >= i:
			low = i
		default:
			return
		}
	}
}

// grouped returns the names as text, grouped by directory, as far as there is room. Names directly
// in the workspace come first. The other directories follow in the order of their newest files,
// each with a header.
func (f *finder) grouped(left room) string {
	groups := map[string][]string{}
	var order []string
	for _, found := range f.found {
		dir := path.Dir(shown(found.path))
		if groups[dir] == nil {
			order = append(order, dir)
		}
		name := path.Base(shown(found.path))
		if found.dir {
			name += "/"
		}
		groups[dir] = append(groups[dir], name)
	}
	top := f.env.Workspace.Default()
	if i := slices.Index(order, top); i >= 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, top)
	}
	var b strings.Builder
	given := 0
	for _, dir := range order {
		for i, name := range groups[dir] {
			row := name + "\n"
			if i == 0 && dir != top {
				row = "# " + dir + "/\n" + row
			}
			if !left.take(row) {
				fmt.Fprintf(&b, "[%s more; use a narrower pattern]\n", count(len(f.found)-given, "name"))
				return b.String()
			}
			b.WriteString(row)
			given++
		}
	}
	return b.String()
}
