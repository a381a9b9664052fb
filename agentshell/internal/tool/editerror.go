package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// EditNotUniqueError says that old_string occurs more than once (EDIT-3).
type EditNotUniqueError struct {
	Lines []int // of the matches' beginnings, ascending
}

func (e *EditNotUniqueError) Error() string {
	var ls []string
	for _, l := range e.Lines[:min(len(e.Lines), 20)] {
		ls = append(ls, strconv.Itoa(l))
	}
	text := strings.Join(ls, ", ")
	if more := len(e.Lines) - len(ls); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("Found %d matches for old_string. Use replace_all=True or provide more context. Matches at "+
		"lines: %s", len(e.Lines), text)
}

// EditNotFoundError says that old_string does not occur (EDIT-4).
type EditNotFoundError struct {
	Path        string
	Lines       int      // of the file
	Suggestions []string // similar lines, each with its number
}

func (e *EditNotFoundError) Error() string {
	text := fmt.Sprintf("old_string not found in %s. File contains %d lines.", e.Path, e.Lines)
	if len(e.Suggestions) == 0 {
		return text
	}
	return text + " Did you mean: " + strings.Join(e.Suggestions, ", ") + "?"
}

const (
	maxSuggestions = 3
	maxCandidates  = 30     // lines that are compared in full
	maxCompared    = 20_000 // lines of a file that are looked at
	minSimilar     = 0.6
)

// candidate is a line of a file that may be meant.
type candidate struct {
	line  int
	text  string
	score float64
}

// notFound looks for the lines of a file that are most like the first line of old that is not
// blank. A line that differs only in blanks comes first (EDIT-9).
func notFound(path, text, old string) error {
	e := &EditNotFoundError{Path: path}
	want := ""
	for l := range strings.Lines(old) {
		if want = strings.TrimSpace(l); want != "" {
			break
		}
	}
	squeezed := strings.Join(strings.Fields(want), " ")
	var found []candidate
	for l := range strings.Lines(text) {
		e.Lines++
		trimmed := strings.TrimSpace(l)
		if want == "" || trimmed == "" || e.Lines > maxCompared {
			continue
		}
		score := diff.Alike(want, trimmed)
		if len(trimmed) <= 4*len(want)+20 { // only blanks differ
			if strings.Join(strings.Fields(trimmed), " ") == squeezed {
				score = 2
			}
		}
		if score >= minSimilar {
			found = append(found, candidate{e.Lines, strings.TrimRight(l, "\r\n"), score})
		}
		if len(found) > 10*maxCandidates {
			found = best(found, maxCandidates)
		}
	}
	found = best(found, maxCandidates)
	for i, c := range found {
		if c.score < 2 {
			found[i].score = diff.Similar(want, strings.TrimSpace(c.text))
		}
	}
	for _, c := range best(found, maxSuggestions) {
		if c.score >= minSimilar {
			e.Suggestions = append(e.Suggestions, fmt.Sprintf("line %d: %s", c.line, cutText(c.text, 160)))
		}
	}
	return e
}

// best returns the n best candidates, of equals the first lines.
func best(cs []candidate, n int) []candidate {
	slices.SortStableFunc(cs, func(a, b candidate) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return a.line - b.line
	})
	return cs[:min(len(cs), n)]
}
