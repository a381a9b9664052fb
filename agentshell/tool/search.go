package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

const (
	maxMatches    = 200 // lines of one search result
	maxSearchLine = 512 // characters of a line that are shown (SH-4)
)

type search struct{ env Env }

type searchArgs struct {
	Pattern    string `json:"pattern" doc:"Regular expression (RE2 syntax), matched against each line."`
	Path       string `json:"path,omitempty" doc:"File or directory to search; the workspace if it is missing."`
	Glob       string `json:"glob,omitempty" doc:"Only files whose path below the directory matches, for instance '**/*.go'."`
	IgnoreCase bool   `json:"ignore_case,omitempty" doc:"Ignore case."`
	Ignored    bool   `json:"include_ignored,omitempty" doc:"Also files that .gitignore names."`
}

func (t *search) Spec() Spec {
	return Spec{
		Name: "search", ReadOnly: true, Schema: schemaOf[searchArgs](),
		Description: fmt.Sprintf("Search the text of files: lines as path:line: text, at most %d. Binary files, "+
			"files above 4 MB, .git and what .gitignore names are left out; links are not followed.", maxMatches),
	}
}

func (t *search) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[searchArgs](input)
	if err != nil {
		return Call{}, err
	}
	expr := args.Pattern
	if args.IgnoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	switch {
	case args.Pattern == "":
		return Call{}, invalidArgs("pattern is empty")
	case err != nil:
		return Call{}, invalidArgs("pattern: %v", err)
	case !doublestar.ValidatePattern(args.Glob):
		return Call{}, invalidArgs("glob %q is not a glob", args.Glob)
	}
	w := t.env.Workspace
	p, err := w.ResolveDir(args.Path)
	one := false
	if err != nil {
		file, e := w.Resolve(args.Path)
		if e != nil || !errors.Is(err, &workspace.Error{Kind: workspace.InvalidArgs}) {
			return Call{}, err
		}
		if err := t.env.readable(file); err != nil {
			return Call{}, err
		}
		p, one = file, true
	}
	return Call{
		Title: fmt.Sprintf("search %s in %s", titled(args.Pattern, 200), shown(p)), Path: p.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			s := &searcher{env: t.env, re: re}
			if one {
				if err := s.file(ctx, p); err != nil && !errors.Is(err, errEnough) {
					return Result{}, err
				}
				return s.result(), nil
			}
			err := walk(ctx, w, p, args.Glob, args.Ignored, func(tree *workspace.Tree) error {
				if !tree.Mode().IsRegular() {
					return nil
				}
				if tree.Size() > workspace.MaxPath {
					s.skipped++
					return nil
				}
				at := tree.Path()
				if t.env.readable(at) != nil {
					s.withheld++
					return nil
				}
				data, err := tree.Read(workspace.MaxRead)
				if err == nil {
					err = workspace.Text(at, data)
				}
				if err != nil {
					s.skipped++
					return ctx.Err()
				}
				return s.lines(at, string(data))
			})
			if err != nil {
				return Result{}, err
			}
			return s.result(), nil
		},
	}, nil
}

type searcher struct {
	env      Env
	re       *regexp.Regexp
	out      strings.Builder
	matches  int
	files    int
	skipped  int // binary, too large, not readable
	withheld int // by rules
	full     bool
}

func (s *searcher) file(ctx context.Context, p workspace.Path) error {
	text, err := s.env.Workspace.ReadText(ctx, p, 0, 0)
	if err != nil {
		return err
	}
	return s.lines(p, text)
}

// lines looks for matches in the text of a file.
func (s *searcher) lines(p workspace.Path, text string) error {
	n, hit := 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		at := s.re.FindStringIndex(line)
		if at == nil {
			continue
		}
		if s.matches == maxMatches {
			s.full = true
			return errEnough
		}
		s.matches++
		if !hit {
			hit = true
			s.files++
		}
		fmt.Fprintf(&s.out, "%s:%d: %s\n", shown(p), n, excerpt(line, at[0]))
	}
	return nil
}

// excerpt is at most maxSearchLine characters of a line, with the match in it.
func excerpt(line string, at int) string {
	runes := []rune(line)
	if len(runes) <= maxSearchLine {
		return line
	}
	from := max(0, len([]rune(line[:at]))-maxSearchLine/4)
	to := min(len(runes), from+maxSearchLine)
	text := string(runes[from:to])
	if from > 0 {
		text = "…" + text
	}
	if to < len(runes) {
		text += "…"
	}
	return text
}

func (s *searcher) result() Result {
	switch {
	case s.full:
		fmt.Fprintf(&s.out, "[more lines match; the first %d are shown]\n", maxMatches)
	case s.matches == 0:
		s.out.WriteString("no line matches\n")
	}
	if s.skipped > 0 {
		fmt.Fprintf(&s.out, "[%s left out: binary, not UTF-8, too large or not readable]\n", count(s.skipped, "file"))
	}
	if s.withheld > 0 {
		fmt.Fprintf(&s.out, "[%s left out by rules of read_file]\n", count(s.withheld, "file"))
	}
	return Result{Text: s.out.String(),
		Summary: fmt.Sprintf("%s in %s", count(s.matches, "line"), count(s.files, "file")), Detail: s.out.String()}
}
