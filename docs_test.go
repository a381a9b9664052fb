package scrollkeep

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages are the Markdown files that a person reads, with what is in them.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "changelog/*/README.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(name)] = string(text)
		}
	}
	return all
}

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notWord   = regexp.MustCompile(`[^\p{L}\p{N} -]`)
)

// anchors are the names by which links lead to the headings of a page.
func anchors(page string) (all []string) {
	for _, m := range mdHeading.FindAllStringSubmatch(page, -1) {
		name := notWord.ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, m := range mdLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(all[target]), anchor) {
				t.Errorf("%s: %s has no heading %s", name, target, anchor)
			}
		}
	}
}

// named is a file or folder in a text that is set as code: with a slash, or Go's.
var named = regexp.MustCompile("`([a-zA-Z0-9_.-]+(?:/[a-zA-Z0-9_.-]+)+|[a-z_]+\\.go)(?:`|[ /])")

// The map would mislead whoever follows it if it named a file that has gone. A name may be short of
// its folders: the package that the sentence is about. Pages about terminals are left out: what
// they say of files is corrected by hand.
func TestTheMapNamesWhatIsThere(t *testing.T) {
	var names []string
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		names = append(names, "/"+filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for page, text := range pages(t) {
		if page == "CHANGELOG.md" || strings.HasPrefix(page, "docs/terminals/") {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			found++
			if !slices.ContainsFunc(names, func(name string) bool {
				return strings.HasSuffix(name, "/"+strings.TrimSuffix(m[1], "/..."))
			}) {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
	if found < 80 {
		t.Errorf("only %d names were found in the pages", found)
	}
}

// elsewhere is a reference to a text that whoever reads this repository does not have.
var elsewhere = regexp.MustCompile(`\b(?:spec|design|seeds)/[\w-]+\.(?:md|txt)\b|\bsection 1[01]\b|\bseed 00\d\b|` +
	`\b(?:edit|read|write)\.md\b`)

func TestNoCommentRefersToATextThatIsNotHere(t *testing.T) {
	for text, want := range map[string]bool{"as spec/terminals.md says": true, "(section 11)": true, "(seed 002)": true,
		"the examples in edit.md": true, "docs/terminals": false, "RFC 9110, section 9.3.6": false, "seed 17": false} {
		if elsewhere.MatchString(text) != want {
			t.Errorf("%q is taken for a reference: %v", text, !want)
		}
	}
	all := pages(t)
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") && name != "docs_test.go" {
			text, err := os.ReadFile(name)
			all[name] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		if found := elsewhere.FindString(text); found != "" {
			t.Errorf("%s refers to %q, which is not here", name, found)
		}
	}
}

func TestPicturesAreSmallAndShownSomewhere(t *testing.T) {
	files, err := filepath.Glob("docs/pictures/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := pages(t)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 200_000 {
			t.Errorf("%s has %d bytes, more than 200,000", file, info.Size())
		}
		found := false
		for name, text := range all {
			for _, m := range mdLink.FindAllStringSubmatch(text, -1) {
				found = found || filepath.ToSlash(filepath.Join(filepath.Dir(name), m[1])) == filepath.ToSlash(file)
			}
		}
		if !found {
			t.Errorf("no page shows %s", file)
		}
	}
}

func TestTheMapIsSmallEnoughToRead(t *testing.T) {
	if n := len(pages(t)["ARCHITECTURE.md"]); n > 15_000 {
		t.Errorf("ARCHITECTURE.md has %d bytes; reasons belong into docs, what a package does into its documentation",
			n)
	}
}

func TestEachPageOfATerminalSaysWhatWasMeasuredAndWhereWeAllowForIt(t *testing.T) {
	all, n := pages(t), 0
	for name, text := range all {
		if !strings.HasPrefix(name, "docs/terminals/") || name == "docs/terminals/README.md" {
			continue
		}
		n++
		for _, want := range []string{"\nMeasured: ", "\nHow: ", "\n## Changes of size\n",
			"\n## What may be left behind\n", "\n**Where we allow for it:** "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", name, strings.TrimSpace(want))
			}
		}
		if !strings.Contains(all["docs/terminals/README.md"], "("+filepath.Base(name)+")") {
			t.Errorf("docs/terminals/README.md does not link to %s", name)
		}
	}
	if n < 11 {
		t.Errorf("%d pages of terminals", n)
	}
}

// The page about other libraries shows parts of programs that are compiled elsewhere, and counts
// their lines and bytes.
func TestThePageAboutOtherLibrariesShowsItsProgramsAsTheyAre(t *testing.T) {
	page := pages(t)["docs/coming-from.md"]
	counted := regexp.MustCompile(`(?m)^\| \[\w+\]\(\.\./(\S+)\) \| ([\d,]+) \| ([\d,]+) \|`)
	rows := counted.FindAllStringSubmatch(page, -1)
	sources := ""
	for _, m := range rows {
		source, err := os.ReadFile(m[1])
		if err != nil {
			t.Fatal(err)
		}
		sources += string(source)
		lines, size := strings.Count(string(source), "\n"), len(source)
		if have := strings.ReplaceAll(m[2]+" "+m[3], ",", ""); have != fmt.Sprint(lines, size) {
			t.Errorf("%s has %d lines and %d bytes, the page says %s", m[1], lines, size, have)
		}
	}
	blocks := regexp.MustCompile("(?s)```golang\n(.*?)```").FindAllStringSubmatch(page, -1)
	for _, m := range blocks {
		if !strings.Contains(sources, m[1]) {
			t.Errorf("no program has this part:\n%s", m[1])
		}
	}
	if len(rows) != 4 || len(blocks) < 4 {
		t.Errorf("%d programs and %d parts were found", len(rows), len(blocks))
	}
}
