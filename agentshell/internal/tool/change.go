package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// change represents a planned change of one file: everything between the preparation of a write or
// an edit and its commit to disk.
type change struct {
	env  Env
	call string // call is the id of the tool call.
	tool string
	// file is the file before the change.
	file workspace.File
	// after is the new content of the target: of the file, or of a part of it.
	after []byte
	asked string // asked is the path as the model has written it.
	// notes tell the model and the user what happens besides the change that was asked for.
	notes []string

	// payload returns the proposal's payload, whose type depends on the tool.
	payload func(after []byte, s assessment) approval.Payload
	// result returns the tool's own part of the result after the commit; [change.done] adds the
	// rest.
	result func(r workspace.Receipt, s assessment) Result

	revision string    // revision says how the user has changed the proposal; "": not at all.
	proposed diff.Diff // proposed is the diff of the proposal before the user has changed it.
	// inPlace means that a hard-linked file is written in place, so that all of its names change.
	inPlace bool

	// target says what of the file is changed: all of it, or a part.
	target target
	whole  []byte          // whole is the new content of the whole file.
	undoes int             // undoes is the number of the change that this one undoes; 0: it undoes none.
	risks  []approval.Flag // risks holds warnings in addition to those about the file.
}

// before returns the present content of the target: a file, or a part of one.
func (c change) before() (data []byte, exists bool) {
	return c.target.before(c.file)
}

// removes reports whether the change deletes the file.
func (c change) removes() bool {
	_, is := c.target.(removal)
	return is
}

// name returns the path relative to its root. For a part of a file, a colon and the name of the
// part follow.
func (c change) name() string {
	if part, _ := c.target.part(); part != "" {
		return c.file.Path.Rel() + ":" + part
	}
	return c.file.Path.Rel()
}

// fullName returns the name with its root before it, for display.
func (c change) fullName() string { return diff.Escape(c.file.Path.Root() + "/" + c.name()) }

// assessment holds the diff and the warnings of a change, from which the proposal is made.
type assessment struct {
	diff diff.Diff
	// unified is the diff as text in the unified format.
	unified string
	// flags holds the warnings.
	flags []approval.Flag
	names []string // names holds the names of the flags.
	// revised is true if the user has changed the proposal.
	revised bool
	changed int // changed is the number of changed lines, counted by the rule EDIT-10.
	// labels holds the names of the old and the new file in the diff's header.
	labels diff.Labels
	// after is the new content.
	after []byte
}

// maxLines is the largest number of lines in the old or the new text of a proposal: the comparison
// of two different texts of that length takes 100 MiB.
const maxLines = 600_000

// emptyFile is the diff text for a new or deleted file without content.
const emptyFile = "(empty file)\n"

// loadTarget resolves the path in a request for a write or an edit, and reads the file. It returns
// an error if the path must not be written. It changes nothing on disk.
func loadTarget(ctx context.Context, env Env, request string) (workspace.File, error) {
	if _, shared := env.local(request); shared {
		return workspace.File{}, invalidArgs("%s is a text that agents share, which is written whole: write_file "+
			"replaces it", shownLine(request))
	}
	if isAddress(request) {
		return workspace.File{}, notWritable(request)
	}
	p, err := env.Workspace.Resolve(request)
	if err != nil {
		return workspace.File{}, err
	}
	if err := env.Workspace.Writable(p); err != nil {
		return workspace.File{}, err
	}
	return env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
}

// loadMeant loads the file that a request means, even if the path is slightly wrong (see
// [Env.meant]). asked is the correct path, and notes say that it was corrected.
func loadMeant(ctx context.Context, env Env, request string) (f workspace.File, asked string, notes []string,
	err error) {
	asked, note, err := env.meant(request)
	if err != nil {
		return f, request, nil, err
	}
	if note != "" {
		notes = []string{note}
	}
	f, err = loadTarget(ctx, env, asked)
	return f, asked, notes, err
}

// prepare returns the call that makes the change. It has no side effects (PAY-11).
func (c change) prepare() (Call, error) {
	var err error
	if c.whole, err = c.target.pack(c.after); err != nil {
		return Call{}, failed("%s cannot be written: %v", c.fullName(), err)
	}
	if err := c.check(); err != nil {
		return Call{}, err
	}
	call := Call{Title: c.tool + " " + c.fullName(), Path: c.file.Path.Match(), Mutates: true}
	before, exists := c.before()
	if exists && !c.removes() && bytes.Equal(before, c.after) && !c.env.AskUnchanged {
		call.Run = c.unchanged
		call.Mutates = false
		return call, nil
	}
	s := c.assess()
	call.Proposal = c.proposal(s)
	call.Proposal.Subject = call.Subject(c.tool)
	call.Hold = func(ctx context.Context) (context.Context, func()) {
		return c.env.Workspace.LockRoot(ctx, c.file.Path)
	}
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		r, err := c.target.commit(ctx, c, s)
		if err != nil {
			return Result{}, err
		}
		return c.done(r, s), nil
	}
	c.target.offer(c, s, &call)
	return call, nil
}

// check returns an error if the change is too large, or would replace one of the user's keys by the
// placeholder that the model sees instead of it.
func (c change) check() error {
	before, _ := c.before()
	if n := int64(max(len(c.after), len(c.whole))); n > workspace.MaxProposal {
		return &workspace.Error{Kind: workspace.TooLarge, Path: c.file.Path.String(), Bytes: n,
			Limit: workspace.MaxProposal}
	}
	for _, side := range [][]byte{before, c.after} {
		// A comparison costs about 100 bytes a line, and 10 MiB can be that many newlines.
		if n := bytes.Count(side, []byte("\n")); n > maxLines {
			return &Error{Code: "too_large", Text: fmt.Sprintf("file too large: %d lines > %d", n, maxLines)}
		}
	}
	if c.undoes == 0 && c.revision == "" && c.env.Secrets.Contains(before) &&
		bytes.Count(c.after, []byte(secret.Hidden)) > bytes.Count(before, []byte(secret.Hidden)) {
		return invalidArgs("%s holds a key that you see as %s; writing that in its place would destroy the key. Use "+
			"%s, and leave the line with the key out", c.file.Path, secret.Hidden, c.env.editor())
	}
	return nil
}

// proposal returns the question whether the change may be made.
func (c change) proposal(s assessment) *approval.Proposal {
	p := c.file.Path
	before, exists := c.before()
	prop := &approval.Proposal{
		ID: c.env.newID(), Call: c.call, Tool: c.tool,
		Payload: c.payload(c.after, s), Flags: s.flags, Notes: c.allNotes(),
		Path: p.Root() + "/" + c.name(), Before: before, After: c.after, Diff: s.diff, Revision: c.revision,
		InPlace: c.inPlace, Remove: c.removes(),
	}
	if !exists {
		prop.Before = nil
	} else if prop.Before == nil {
		prop.Before = []byte{}
	}
	switch {
	case prop.Remove:
		prop.After = nil
	case prop.After == nil:
		prop.After = []byte{}
	}
	prop.Check = func(ctx context.Context) error { return c.env.Workspace.Check(ctx, p, c.file.Print) }
	return prop
}

// unchanged implements the Run function of a change that changes nothing (HARN-5). It only checks
// that the file is still the same.
func (c change) unchanged(ctx context.Context, _ func(string)) (Result, error) {
	if err := c.env.Workspace.Check(ctx, c.file.Path, c.file.Print); err != nil {
		return Result{}, err
	}
	return Result{
		Text:    fmt.Sprintf("%s already has exactly this content; nothing was written.", c.fullName()),
		Summary: "(no changes)", Detail: "(no changes)",
	}, nil
}

// flag adds a warning with a formatted text.
func (s *assessment) flag(name, text string, a ...any) {
	s.flags = append(s.flags, approval.Flag{Name: name, Text: fmt.Sprintf(text, a...)})
	s.names = append(s.names, name)
}

// assess computes the diff of a change and collects its warnings.
func (c change) assess() assessment {
	name := c.name()
	_, exists := c.before()
	s := assessment{revised: c.revision != "", names: []string{}, after: c.after, labels: diff.ProposedLabels(name)}
	switch {
	case !exists:
		s.labels = diff.NewFileLabels(name)
	case c.removes():
		s.labels = diff.RemovedLabels(name)
	case c.tool == "edit_file" || c.tool == editName:
		s.labels = diff.GitLabels(name)
	}
	c.compare(&s)
	c.addRisks(&s)
	return s
}

// compare computes the diff of a change, and adds warnings about content that the diff cannot show.
func (c change) compare(s *assessment) {
	data, exists := c.before()
	binary := workspace.Sniff(data) == workspace.Binary || workspace.Sniff(c.after) == workspace.Binary
	switch {
	case binary:
		s.unified = "Binary files differ\n- " + digest(exists, data) + "\n+ " +
			digest(!c.removes(), c.after) + "\n"
		s.flag(approval.FlagBinary, "binary content cannot be shown line by line")
	case (!exists || c.removes() && len(data) == 0) && len(c.after) == 0:
		s.unified = diff.Header(s.labels) + emptyFile
	default:
		s.diff = diff.Make(data, c.after, diff.Context)
		var cut bool
		if s.unified, cut = s.diff.Unified(s.labels, diff.MaxText); cut {
			s.flag(approval.FlagTooLong, "the diff is longer than %d MiB as text; scroll through all of it here",
				diff.MaxText>>20)
		}
		if s.diff.Coarse {
			s.flag(approval.FlagCoarse,
				"parts are too large to compare line by line and are shown as removed and added whole")
		}
		hidden := 0
		for _, h := range s.diff.Hunks {
			s.changed += max(tally(h))
			for _, l := range h.Lines {
				if l.Op == diff.Insert {
					hidden += approval.CountHidden(strings.TrimPrefix(l.Text, workspace.BOM))
				}
			}
		}
		if hidden > 0 {
			s.flag(approval.FlagHidden, "%s in the new lines", count(hidden, "hidden character"))
		}
	}
}

// addRisks adds warnings about effects that the diff does not show, for instance that a program
// executes the file.
func (c change) addRisks(s *assessment) {
	p, f := c.file.Path, c.file
	data, _ := c.before()
	mode := f.Print.Mode
	if t, whole := c.target.(wholeFile); whole {
		mode |= t.mode
	}
	if why := c.env.Workspace.RunsCode(p, c.asked, mode); why != "" {
		s.flag(approval.FlagRunsCode, "%s", why)
	} else if c.script() {
		s.flag(approval.FlagRunsCode, "the new file is executable, since it begins with #!")
	}
	if by := generatedBy(data); by != "" && c.undoes == 0 {
		s.flag(approval.FlagGenerated, "the file is generated, and may be written anew: %s", by)
	}
	if kindOf(p.Base()) == asNotebook && document.IsNotebook(data) && !c.removes() && !document.IsNotebook(c.after) &&
		c.undoes == 0 {
		s.flag(approval.FlagNotebook, "the file is a notebook, and would be none any more")
	}
	for _, f := range append(c.target.flags(), c.risks...) {
		s.flag(f.Name, "%s", f.Text)
	}
	switch n := f.Print.Links; {
	case n > 1 && c.inPlace:
		s.flag(approval.FlagHardLink, "all %d names of the file change; written in place, which a crash can tear", n)
	case n > 1 && c.removes():
		s.flag(approval.FlagHardLink, "the file has %d names; the others stay", n)
	case n > 1:
		s.flag(approval.FlagHardLink, "the file has %d names; the others keep the old content", n)
	}
	if why := approval.Confusable(c.name()); why != "" {
		s.flag(approval.FlagName, "%s", why)
	}
}

// script reports whether the change creates a file that begins with "#!". Such a file is made
// executable.
func (c change) script() bool {
	_, whole := c.target.(wholeFile)
	return whole && !c.file.Print.Exists && c.undoes == 0 && bytes.HasPrefix(c.after, []byte("#!"))
}

// tally returns the numbers of removed and added lines in a hunk.
func tally(h diff.Hunk) (removed, added int) {
	for _, l := range h.Lines {
		switch l.Op {
		case diff.Delete:
			removed++
		case diff.Insert:
			added++
		}
	}
	return removed, added
}

// digest returns the type, the size and the checksum of binary content.
func digest(exists bool, data []byte) string {
	if !exists {
		return "no file"
	}
	return fmt.Sprintf("%s, %s, sha256 %x", http.DetectContentType(data), bytesWord(len(data)), sha256.Sum256(data))
}

// allNotes returns the notes of a proposal about everything that happens besides the changed lines.
func (c change) allNotes() []string {
	notes := slices.Clone(c.notes)
	p := c.file.Path
	if asked, ok := strings.CutPrefix(path.Clean(c.asked), p.Root()+"/"); !path.IsAbs(c.asked) &&
		path.Clean(c.asked) != p.Rel() && (!ok || asked != p.Rel()) {
		notes = append(notes, fmt.Sprintf("%s leads to %s", diff.Escape(c.asked), shown(p)))
	}
	if !c.inPlace && !c.removes() {
		for _, what := range c.file.Loses {
			notes = append(notes, what+" is not kept")
		}
	}
	if c.env.Sessions != nil {
		if by := c.env.Sessions.AlsoChanged(c.env.Workspace.Abs(p)); by != "" {
			notes = append(notes, by)
		}
	}
	data, exists := c.before()
	before, after := workspace.Endings(data), workspace.Endings(c.after)
	switch {
	case exists && before != after && before != workspace.NoEnding && after != workspace.NoEnding:
		notes = append(notes, "line endings change: "+before.String()+" to "+after.String())
	case before == workspace.NoEnding && after == workspace.CRLF: // no row of the diff shows them
		notes = append(notes, "lines end with CRLF")
	}
	if c.revision != "" {
		notes = append(notes, c.revision)
	}
	return notes
}

// done returns the result of a committed change: the tool's own text, and notes that apply to all
// commits.
func (c change) done(r workspace.Receipt, s assessment) Result {
	res := c.result(r, s)
	var b strings.Builder
	b.WriteString(res.Text)
	say := func(format string, a ...any) { fmt.Fprintf(&b, "\n"+format, a...) }
	switch {
	case len(r.Dirs) > 0 && r.Removed:
		say("Removed %s.", strings.Join(r.Dirs, ", "))
	case len(r.Dirs) > 0:
		say("Created %s.", strings.Join(r.Dirs, ", "))
	}
	for _, n := range c.notes {
		say("%s.", n)
	}
	if by := generatedBy(c.file.Data); by != "" && c.undoes == 0 {
		say("The file says that it is generated (%s): change what it is generated from, too, or the next run of its "+
			"generator undoes this.", by)
	}
	if r.Created && c.script() {
		say("It is executable, since it begins with #!.")
	}
	switch n := c.file.Print.Links; {
	case n > 1 && c.inPlace:
		say("The file has %d names and was written in place: all of them have the new content.", n)
	case n > 1 && c.removes():
		say("The file had %d names; the others stay.", n)
	case n > 1:
		say("The file had %d names; the others keep the old content.", n)
	}
	for _, n := range r.Notes {
		say("%s", n)
		res.Detail = strings.TrimSuffix(res.Detail, "\n") + "\n" + n
		res.Partial = true
	}
	if r.Split {
		say("While it was written the file got another name; that one keeps the old content.")
	}
	if c.revision != "" {
		applied := strings.Replace(c.revision, " chosen", " applied", 1) // now it is (HARN-34)
		say("The user changed the proposal before approving it (%s). What was written, and nothing else:", applied)
		text, _ := s.diff.Unified(s.labels, 16<<10)
		b.WriteString("\n" + text)
	}
	switch {
	case c.inPlace: // said above
	case r.Guard == workspace.Unguarded:
		say("unguarded: this file system has no atomic exchange, so an edit by another program at that instant would " +
			"be lost.")
	case r.Guard == workspace.Client:
		say("Written by %s, which is responsible for atomicity.", c.env.Workspace.Backend().Name())
	}
	res.Text = b.String()
	res.Changed = []string{r.Path.String()}
	return res
}
