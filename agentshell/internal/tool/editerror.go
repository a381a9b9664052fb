package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// EditNotUniqueError is the error of an edit whose old_string occurs more than once in the file
// (EDIT-3).
type EditNotUniqueError struct {
	Lines []int // Lines holds the numbers of the lines at which the matches begin, in ascending order.
}

// Error returns the message for the model, with the lines of the first matches.
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

// EditNotFoundError is the error of an edit whose old_string does not occur in the file (EDIT-4).
type EditNotFoundError struct {
	Path        string
	Lines       int      // Lines is the number of lines in the file.
	Suggestions []string // Suggestions holds lines of the file that are similar, each with its number.
	// How says how the only suggested line differs from the model's text; "": this is not known.
	How string
}

// Error returns the message for the model, with the suggested lines.
func (e *EditNotFoundError) Error() string {
	text := fmt.Sprintf("old_string not found in %s. File contains %d lines.", e.Path, e.Lines)
	if len(e.Suggestions) == 0 {
		return text
	}
	text += " Did you mean: " + strings.Join(e.Suggestions, ", ") + "?"
	if e.How != "" {
		text += " " + e.How
	}
	return text
}

const (
	maxSuggestions = 3
	maxCandidates  = 30     // maxCandidates is the number of similar lines that are compared exactly.
	maxCompared    = 20_000 // maxCompared is the number of a file's lines that are compared at all.
	// minSimilar is the lowest similarity, from 0 to 1, of a line that is suggested.
	minSimilar   = 0.6
	blanksDiffer = 2 // blanksDiffer is the score of a line that differs only in blanks.
)

// candidate is a line of the file that the model may have meant, with its similarity as a score.
type candidate struct {
	line  int
	text  string
	score float64
}

// notFound returns the error for an edit whose text old does not occur in a file. It finds the
// place in the file that is most similar to old. The error names the first line there that differs,
// and how (EDIT-9). If no place is similar enough, it suggests lines that are similar to the first
// non-blank line of old.
func notFound(path, text, old string) error {
	e := &EditNotFoundError{Path: path, Lines: strings.Count(text, "\n")}
	if text != "" && !strings.HasSuffix(text, "\n") {
		e.Lines++
	}
	q := newQuote(old)
	found := similarLines(text, q)
	if len(found) == 0 {
		return e
	}
	if d, ok := q.firstDifference(text, found); ok {
		e.Suggestions, e.How = []string{d.place()}, d.how()
		return e
	}
	for _, c := range found[:min(len(found), maxSuggestions)] {
		e.Suggestions = append(e.Suggestions, fmt.Sprintf("line %d: %s", c.line, width.Head(c.text, maxShownLine)))
	}
	return e
}

// similarLines returns the lines of a file that are similar to the first non-blank line of q, the
// most similar first.
func similarLines(text string, q quote) []candidate {
	var found []candidate
	n := 0
	want := strings.TrimSpace(q.text(q.first))
	for l := range strings.Lines(text) {
		n++
		trimmed := strings.TrimSpace(l)
		if want == "" || trimmed == "" || n > maxCompared {
			continue
		}
		score := diff.SimilarityBound(want, trimmed)
		if len(trimmed) <= 4*len(want)+20 && q.matches(q.first, strings.TrimRight(l, "\r\n")) {
			score = blanksDiffer
		}
		if score >= minSimilar {
			found = append(found, candidate{n, strings.TrimRight(l, "\r\n"), score})
		}
		if len(found) > 10*maxCandidates {
			found = best(found, maxCandidates)
		}
	}
	found = best(found, maxCandidates)
	for i, c := range found {
		if c.score < blanksDiffer {
			found[i].score = diff.Similarity(want, strings.TrimSpace(c.text))
		}
	}
	found = best(found, maxCandidates)
	return slices.DeleteFunc(found, func(c candidate) bool { return c.score < minSimilar })
}

// best returns the n candidates with the highest scores. Of equal ones the earlier lines come
// first.
func best(cs []candidate, n int) []candidate {
	slices.SortStableFunc(cs, func(a, b candidate) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return a.line - b.line
	})
	return cs[:min(len(cs), n)]
}
