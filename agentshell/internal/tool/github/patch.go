package github

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// patch is the part of a unified diff that changes one file.
type patch struct {
	name           string
	added, removed int
	text           string
}

// splitDiff splits the output of git diff into one patch for each file.
func splitDiff(diff string) (list []patch) {
	const head = "diff --git "
	for diff != "" {
		end := len(diff)
		if i := strings.Index(diff, "\n"+head); i >= 0 {
			end = i + 1
		}
		first, _, _ := strings.Cut(diff, "\n")
		p := patch{name: headName(first), text: diff[:end]}
		p.count()
		list, diff = append(list, p), diff[end:]
	}
	return list
}

// headName returns the new name of the file from the first line of its patch, "diff --git a/...
// b/...".
func headName(first string) string {
	first = strings.TrimRight(first, "\r\n")
	if _, after, ok := strings.Cut(first, " b/"); ok {
		return after
	}
	if _, after, ok := strings.Cut(first, ` "b/`); ok {
		return strings.TrimSuffix(after, `"`)
	}
	return first
}

// count counts the added and removed lines. It also sets the name from the header lines, where
// names with spaces are not ambiguous.
func (p *patch) count() {
	body := false // else lines that begin with + and - are the names of the file
	for text := range strings.Lines(p.text) {
		text = strings.TrimRight(text, "\r\n")
		switch {
		case strings.HasPrefix(text, "@@ "):
			body = true
		case body && strings.HasPrefix(text, "+"):
			p.added++
		case body && strings.HasPrefix(text, "-"):
			p.removed++
		case !body && strings.HasPrefix(text, "+++ b/"):
			p.name = strings.TrimSuffix(strings.TrimPrefix(text, "+++ b/"), "\t")
		case !body && strings.HasPrefix(text, "rename to "):
			p.name = strings.TrimPrefix(text, "rename to ")
		}
	}
}

// diff returns one of three texts for a pull request: the list of its changed files, its complete
// diff, or the diff of one file. All three use the same cached answer.
func (s *Service) diff(ctx context.Context, a Address) (string, error) {
	number := strconv.FormatInt(a.Number, 10)
	text, at, err := s.readCached(ctx, s.cacheKey("pr-diff", a.Repository.String(), number),
		func(ctx context.Context) (string, error) {
			return s.runGH(ctx, nil, "pr", "diff", number, s.repoOption(a.Repository), "--color=never")
		})
	if err != nil {
		return "", err
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
	if a.Part == "all" {
		return text, nil
	}
	files := splitDiff(text)
	if a.Part == "file" {
		if a.File > len(files) {
			return "", fmt.Errorf("the diff has %s; there is no file %d", plural.Of(len(files), "file"), a.File)
		}
		return files[a.File-1].text, nil
	}
	var r reportBuilder
	r.linef("# Files that %s#%d changes (%d)", a.Repository, a.Number, len(files))
	r.linef("%s", foreignNote)
	r.linef("Fetched: %s", at.UTC().Format("2006-01-02 15:04"))
	r.linef("Read one with pr://%s/%d/diff/NUMBER, all with pr://%[1]s/%[2]d/diff/all", a.Repository, a.Number)
	for i, f := range files {
		r.linef("%d. %s +%d -%d", i+1, oneLine(f.name), f.added, f.removed)
	}
	return r.String(), nil
}
