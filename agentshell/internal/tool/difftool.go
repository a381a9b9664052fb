package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// diffFiles is the tool diff. It compares two files or two texts.
type diffFiles struct{ env Env }

type diffArgs struct {
	PathA   *string `json:"path_a" doc:"Old file; with path_b. At most 4 MB (4 x 1024 x 1024 bytes)."`
	PathB   *string `json:"path_b" doc:"New file; with path_a. At most 4 MB (4 x 1024 x 1024 bytes)."`
	TextA   *string `json:"text_a" doc:"Old text; with text_b, instead of paths. May be empty."`
	TextB   *string `json:"text_b" doc:"New text; with text_a, instead of paths. May be empty."`
	LabelA  *string `json:"label_a" doc:"Name of the old side in the header."`
	LabelB  *string `json:"label_b" doc:"Name of the new side in the header."`
	Context *int    `json:"context_lines" doc:"Unchanged lines around a change, 3 if missing." min:"0" max:"20"`
}

// DiffResult is the structured result of the tool diff (DIFF-10).
type DiffResult struct {
	Diff      string `json:"diff"`
	LabelA    string `json:"label_a"`
	LabelB    string `json:"label_b"`
	LinesA    int    `json:"lines_a"`
	LinesB    int    `json:"lines_b"`
	Identical bool   `json:"identical"`
	DiffLines int    `json:"diff_lines"`
	Truncated bool   `json:"truncated"`
}

// modelDiff is a DiffResult in the form that the model gets as JSON.
type modelDiff struct {
	DiffResult
	// Rest says where the model can read the part of the diff that was cut; "": nothing was.
	Rest string `json:"rest,omitempty"`
}

func (t *diffFiles) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindReads, Shows: true}
}

func (t *diffFiles) Spec() provider.Tool {
	return provider.Tool{
		Name: "diff", ReadOnly: true, Schema: schemaOf[diffArgs](),
		Description: "Compare two files (path_a and path_b) or two texts (text_a and text_b) and give a unified " +
			"diff. Give exactly one of the two pairs.",
	}
}

func (t *diffFiles) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[diffArgs](input)
	if err != nil {
		return Call{}, err
	}
	paths := args.PathA != nil && args.PathB != nil
	texts := args.TextA != nil && args.TextB != nil
	anyPath, anyText := args.PathA != nil || args.PathB != nil, args.TextA != nil || args.TextB != nil
	switch {
	case anyPath && anyText:
		return Call{}, invalidArgs("give either path_a and path_b or text_a and text_b, not a mixture")
	case !paths && !texts:
		return Call{}, invalidArgs("give path_a and path_b, or text_a and text_b")
	}
	lines := diff.Context
	if args.Context != nil {
		lines = *args.Context
	}
	label := func(given *string, def string) string {
		if given != nil {
			return *given
		}
		return def
	}
	if texts {
		l := diff.PlainLabels(label(args.LabelA, "a"), label(args.LabelB, "b"))
		return Call{Title: "diff of two texts", Run: func(ctx context.Context, _ func(string)) (Result, error) {
			return t.compare(ctx, []byte(*args.TextA), []byte(*args.TextB), l, lines)
		}}, nil
	}
	var found [2]workspace.Path
	var names, notes [2]string
	for i, request := range []string{*args.PathA, *args.PathB} {
		names[i] = request
		if request, notes[i], err = t.env.meant(request); err != nil {
			return Call{}, err
		}
		if found[i], err = t.env.Workspace.Resolve(request); err != nil {
			return Call{}, special(err)
		}
		if err := t.env.readable(found[i]); err != nil {
			return Call{}, err
		}
		if notes[i] != "" {
			names[i] = found[i].Match()
		}
	}
	l := diff.PlainLabels(label(args.LabelA, names[0]), label(args.LabelB, names[1]))
	return Call{
		Title: fmt.Sprintf("diff %s %s", shown(found[0]), shown(found[1])), Path: found[0].Match(),
		Also: []string{found[1].Match()},
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			var data [2][]byte
			for i, p := range found {
				if data[i], err = t.env.Workspace.Backend().ReadBytes(ctx, p, workspace.MaxRead); err != nil {
					return Result{}, special(err)
				}
			}
			r, err := t.compare(ctx, data[0], data[1], l, lines)
			r.Text = noted(notes[0], noted(notes[1], r.Text))
			return r, err
		},
	}, nil
}

// special returns the error with the code tool_failed if it says that a path is a directory, a
// special file, or too large (DIFF-6, DIFF-22). Other errors are returned unchanged.
func special(err error) error {
	var e *workspace.Error
	if errors.As(err, &e) && (e.Kind == workspace.IsDirectory || e.Kind == workspace.TooLarge ||
		e.Kind == workspace.NotPermitted && strings.Contains(e.Reason, " is a ")) {
		return &Error{Code: "tool_failed", Text: err.Error(), Err: err}
	}
	return err
}

// compare returns the diff of a and b with around lines of context. It returns an error if they are
// binary or too long.
func (t *diffFiles) compare(ctx context.Context, a, b []byte, l diff.Labels, around int) (Result, error) {
	for _, side := range [][]byte{a, b} {
		if enc := workspace.Sniff(side); enc == workspace.Binary || enc == workspace.Unknown {
			if string(a) == string(b) {
				break
			}
			return Result{}, failed("binary files differ: %s (%s), %s (%s)", diff.Escape(l.A), bytesWord(len(a)),
				diff.Escape(l.B), bytesWord(len(b)))
		}
	}
	for _, side := range [][]byte{a, b} {
		if n := workspace.Lines(side); n > maxLines {
			return Result{}, failed("file too large: %d lines > %d", n, maxLines)
		}
	}
	r := DiffResult{LabelA: l.A, LabelB: l.B, LinesA: workspace.Lines(a), LinesB: workspace.Lines(b),
		Identical: string(a) == string(b)}
	summary, whole := "identical", ""
	if !r.Identical {
		d := diff.Make(a, b, around)
		r.Diff, r.Truncated = d.Unified(l, diff.MaxText)
		r.DiffLines = diff.CountLines(r.Diff)
		whole, _ = d.Unified(l, keepOutput)
		summary = fmt.Sprintf("+%d -%d", d.Stats.Added, d.Stats.Removed)
	}
	text, err := t.told(ctx, r, whole)
	if err != nil {
		return Result{}, failed("%v", err)
	}
	return Result{Text: text, Summary: summary, Detail: r.Diff, Data: r}, nil
}

// told returns the JSON text of a result for the model. If the diff does not fit, it is cut, and
// Rest says how to read on. whole is the complete diff.
func (t *diffFiles) told(ctx context.Context, r DiffResult, whole string) (string, error) {
	left, m := roomOf(ctx), modelDiff{DiffResult: r}
	text, err := m.encoded()
	if err != nil || !r.Truncated && left.holds(text) {
		return text, err
	}
	m.Truncated = true
	for cut := left.head(whole); ; cut = width.Head(whole, len(cut)*4/5) {
		if i := strings.LastIndexByte(cut, '\n'); i >= 0 {
			cut = cut[:i+1]
		}
		m.Diff, m.DiffLines = cut, diff.CountLines(cut)
		if text, err = m.encoded(); err != nil || cut == "" || left.holds(text) {
			break
		}
	}
	m.Rest = fmt.Sprintf("the diff has %s", count(diff.CountLines(whole), "line"))
	if t.env.Outputs != nil {
		m.Rest += fmt.Sprintf("; read_file artifact://%s:%d goes on", t.env.Outputs.Keep(whole), m.DiffLines+1)
	}
	return m.encoded()
}

// encoded returns the JSON text without HTML escapes.
func (m modelDiff) encoded() (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(m)
	return strings.TrimSuffix(out.String(), "\n"), err
}
