package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// editName is the name of the tool that changes files by patches in the format of package hashline.
const editName = "edit"

// previewRows is the number of diff lines that the model is shown after a change.
const previewRows = 60

// edit is the tool edit. It changes lines of files by their numbers.
type edit struct{ env Env }

type patchArgs struct {
	Input string `json:"input" doc:"Sections of the form ¶PATH#TAG, each followed by its operations."`
}

func (t *edit) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindEdits}
}

func (t *edit) Spec() provider.Tool {
	return provider.Tool{
		Name: editName, Schema: schemaOf[patchArgs](),
		Description: "Change lines of one or several files. The user sees the differences and decides before " +
			"anything is written. Each file has a section that begins with the header ¶PATH#TAG, as read_file, " +
			"search, write_file and edit print it; line numbers are those of the text with this tag. Operations:\n" +
			"replace N..M:  the lines N to M become the body\n" +
			"delete N..M  no body\n" +
			"insert before N:  insert after N:  insert head:  insert tail:  the body goes there\n" +
			"replace block N:  delete block N  insert after block N:  the whole function, class or statement that " +
			"begins on line N\n" +
			"A body is one or more lines that begin with +, which is not part of the text: +text, + alone for a " +
			"blank line. Numbers are always those of the text with the tag, also behind an operation that adds " +
			"lines. Never repeat lines that stay. Example:\n¶src/a.ts#0A3B\nreplace 4..5:\n+const on = true;\n" +
			"insert after 9:\n+export { on };\n¶src/b.ts#1F7C\ndelete 20",
	}
}

// patchTarget is the section of a patch for one file, together with the loaded file.
type patchTarget struct {
	section hashline.Section
	file    workspace.File
	// asked is the path in the model's request.
	asked string
	// notes tells the model how the path was corrected.
	notes []string
}

func (t *edit) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[patchArgs](input)
	if err != nil {
		return Call{}, err
	}
	patch, err := hashline.Parse(args.Input)
	if err != nil {
		return Call{}, invalidArgs("%v", err)
	}
	targets, err := t.targets(ctx, patch.Sections)
	if err != nil {
		return Call{}, err
	}
	if len(targets) == 1 {
		return t.one(ctx, id, targets[0], patch.Warnings)
	}
	call := Call{Title: editName, Mutates: true}
	for _, target := range targets {
		part, err := t.one(ctx, id, target, patch.Warnings)
		if err != nil {
			return Call{}, about(target.file.Path, err)
		}
		in, err := json.Marshal(patchArgs{target.section.String()})
		if err != nil {
			return Call{}, err
		}
		call.Title += " " + shown(target.file.Path)
		call.Parts = append(call.Parts, Part{in, part})
	}
	return call, nil
}

// about adds the path of a file to an error about it, for a patch of several files.
func about(p workspace.Path, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return &Error{Code: own.Code, Text: fmt.Sprintf("%s: %s (no file was changed)", shown(p), own.Text)}
	}
	return err
}

// targets loads the files that the sections name. Several sections for the same file become one
// target.
func (t *edit) targets(ctx context.Context, sections []hashline.Section) (list []patchTarget, err error) {
next:
	for _, s := range sections {
		f, asked, notes, err := loadMeant(ctx, t.env, s.Path)
		switch {
		case err != nil:
			return nil, err
		case !f.Print.Exists:
			return nil, &Error{Code: "not_found",
				Text: fmt.Sprintf("file not found: %s; write_file creates files", f.Path)}
		}
		if err := t.env.readable(f.Path); err != nil { // errors quote the file
			return nil, err
		}
		if err := workspace.Text(f.Path, f.Data); err != nil {
			return nil, err
		}
		if s.Tag == "" {
			return nil, invalidArgs("%v", hashline.MissingTagError(s.Path))
		}
		for i := range list {
			if list[i].file.Path != f.Path {
				continue
			}
			if list[i].section.Tag != s.Tag {
				return nil, invalidArgs("%s has two sections with different tags, #%s and #%s; write one section with "+
					"the newest tag", s.Path, list[i].section.Tag, s.Tag)
			}
			list[i].section.Hunks = append(list[i].section.Hunks, s.Hunks...)
			continue next
		}
		list = append(list, patchTarget{s, f, asked, notes})
	}
	return list, nil
}

// lineEdit returns the proposal's payload for a change of adjacent lines. at is the byte offset of
// the first changed line in the normalised old text.
func lineEdit(f workspace.File, s assessment) (pay approval.Edit, at int) {
	a := slices.Collect(strings.Lines(normalise(f.Data).norm))
	b := slices.Collect(strings.Lines(normalise(s.after).norm))
	from, to, end := changed(a, b)
	pay = editOf(f, s)
	pay.MatchLine, pay.OldString, pay.NewString = from+1, strings.Join(a[from:to], ""), strings.Join(b[from:end], "")
	pay.Description = fmt.Sprintf("Edit %s: %s", shown(f.Path), strings.ToLower(summary(s, pay.MatchLine)))
	return pay, len(strings.Join(a[:from], ""))
}

// one prepares the change of one file.
func (t *edit) one(ctx context.Context, id string, target patchTarget, warnings []string) (Call, error) {
	s, f := target.section, target.file
	now := strings.TrimPrefix(string(f.Data), workspace.BOM)
	bom := len(f.Data) - len(now)
	after, applied, stale, err := t.apply(s, f.Path, now)
	switch {
	case err != nil:
		return Call{}, err
	case after == now:
		return Call{}, invalidArgs("%v", hashline.NoChangeError(s.Path))
	case stale:
		warnings = append(warnings[:len(warnings):len(warnings)], hashline.StaleWarning)
	}
	c := change{env: t.env, call: id, tool: editName, file: f, asked: target.asked, notes: target.notes,
		target: wholeFile{},
		after:  append(f.Data[:bom:bom], after...)}
	line := 1
	c.payload = func(_ []byte, s assessment) approval.Payload {
		pay, at := lineEdit(f, s)
		line = pay.MatchLine
		head, tail := around(normalise(f.Data).norm, at, at+len(pay.OldString))
		pay.ContextBefore, pay.ContextAfter = strings.TrimSuffix(head, "\n"), strings.TrimSuffix(tail, "\n")
		return pay
	}
	c.result = func(r workspace.Receipt, sh assessment) Result {
		e := EditResult{Path: r.Path.String(), ReplacementsMade: len(s.Hunks), LinesChanged: sh.changed,
			Message: message(sh, line, r.Path.String())}
		text := t.env.header(r.Path, string(sh.after))
		if sh.revised {
			e.ReplacementsMade = 0
		} else {
			for _, said := range hashline.Resolved(s.Hunks, applied) {
				text += said + "\n"
			}
			text += preview(sh.diff, previewRows)
			if len(warnings) > 0 {
				text += "Warnings:\n" + strings.Join(warnings, "\n") + "\n"
			}
		}
		return Result{Text: strings.TrimSuffix(text, "\n"), Data: e,
			Summary: fmt.Sprintf("+%d -%d", sh.diff.Stats.Added, sh.diff.Stats.Removed)}
	}
	return c.formatted(ctx).prepare()
}

// apply applies the hunks of a section to the file's present text now. If the section's tag belongs
// to an older text whose lines in question are unchanged, the hunks are moved to their new line
// numbers, and stale is true. Otherwise an old tag is a conflict error.
func (t *edit) apply(s hashline.Section, p workspace.Path, now string) (after string, applied []hashline.Hunk,
	stale bool, err error) {
	tags, key := t.env.Tags, p.String()
	var blocks hashline.Blocks
	if t.env.Blocks != nil {
		blocks = t.env.Blocks(p.Base())
	}
	old, known, kept := tags.Text(key, s.Tag)
	fresh := tags.Is(key, s.Tag, now)
	tag := tags.Mint(key, now)
	switch {
	case fresh:
		after, applied, err = hashline.Apply(now, s.Hunks, blocks)
	case kept:
		if _, applied, err = hashline.Apply(old, s.Hunks, blocks); err != nil {
			break
		}
		moved, ok := hashline.Rebase(old, applied, diff.MakeShift([]byte(old), []byte(now)).Offset)
		if !ok {
			return "", nil, false, conflict(hashline.MismatchError(s, tag, now, true))
		}
		after, _, err = hashline.Apply(now, moved, nil)
		stale = true
	default:
		return "", nil, false, conflict(hashline.MismatchError(s, tag, now, known))
	}
	if err != nil {
		err = invalidArgs("%v", err)
	}
	return after, applied, stale, err
}

// conflict returns err as an error with the code "conflict".
func conflict(err error) error { return &Error{Code: "conflict", Text: err.Error()} }

// header stores the text of a file under a tag, and returns the header line by which the model can
// refer to it in an edit. It returns "" if the environment has no tags, or the path contains
// characters that a header cannot show.
func (e Env) header(p workspace.Path, text string) string {
	name := p.Match()
	if e.Tags == nil || diff.Escape(name) != name {
		return ""
	}
	tag := e.Tags.Mint(p.String(), strings.TrimPrefix(text, workspace.BOM))
	return hashline.Header(name, tag) + "\n"
}

// changed returns the lines in which was and is differ, as half-open ranges: was[from:to] and
// is[from:end].
func changed(was, is []string) (from, to, end int) {
	for from < len(was) && from < len(is) && was[from] == is[from] {
		from++
	}
	to, end = len(was), len(is)
	for to > from && end > from && was[to-1] == is[end-1] {
		to, end = to-1, end-1
	}
	return from, to, end
}

// preview returns the changed lines of a diff with one line of context on each side, but at most as
// many lines as most says. Deleted lines have their old line numbers, all others their new ones.
func preview(d diff.Diff, most int) string {
	var b bytes.Buffer
	rows, total := 0, 0
	for i, h := range d.Hunks {
		if i > 0 && rows < most {
			b.WriteString("...\n")
		}
		for k, l := range h.Lines {
			n := l.New
			if l.Op == diff.Equal {
				near := k+1 < len(h.Lines) && h.Lines[k+1].Op != diff.Equal || k > 0 && h.Lines[k-1].Op != diff.Equal
				if !near {
					continue
				}
			}
			if l.Op == diff.Delete {
				n = l.Old
			}
			if total++; rows < most {
				rows++
				text := strings.TrimPrefix(width.Head(l.Text, maxSearchLine), workspace.BOM)
				fmt.Fprintf(&b, "%c%d:%s\n", l.Op, n, text)
			}
		}
	}
	if total > rows {
		fmt.Fprintf(&b, "[%d more lines]\n", total-rows)
	}
	return b.String()
}
