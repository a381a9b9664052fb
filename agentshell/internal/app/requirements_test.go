package app

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The repository, the page that says what the ids mean, and the list of their tests.
const (
	repository  = "../../.."
	requirement = repository + "/docs/requirements.md"
	testsOfIDs  = "testdata/requirements.txt"
)

// meanings reads the page of requirements: the sentence of each id, and what is wrong with them.
func meanings(page string) (texts map[string]string, wrong []string) {
	item, said := regexp.MustCompile(`^- \*\*([A-Z]+-[0-9]+)\*\* (.*)$`), map[string]string{}
	texts = map[string]string{}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		m := item.FindStringSubmatch(line)
		switch {
		case m == nil && strings.HasPrefix(line, "- "):
			wrong = append(wrong, "no id begins: "+line)
		case m == nil:
		case texts[m[1]] != "":
			wrong = append(wrong, m[1]+" has two sentences")
		case said[m[2]] != "":
			wrong = append(wrong, m[1]+" says what "+said[m[2]]+" says")
		case len(m[2]) < 20 || !strings.HasSuffix(m[2], "."):
			wrong = append(wrong, m[1]+" has no sentence")
			texts[m[1]] = m[2]
		default:
			texts[m[1]], said[m[2]] = m[2], m[1]
		}
	}
	return texts, wrong
}

// proofs reads the list of tests: what stands behind each id, and what is wrong with it. known
// reports whether there is a test of a name.
func proofs(list string, known func(test string) bool) (of map[string][]string, wrong []string) {
	of = map[string][]string{}
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		id, tests := words[0], words[1:]
		if _, twice := of[id]; twice {
			wrong = append(wrong, id+" stands there twice")
		}
		of[id] = tests
		if len(tests) == 0 || tests[0] == "-" && len(tests) == 1 {
			wrong = append(wrong, id+" has neither a test nor a reason")
		}
		if len(tests) > 0 && tests[0] == "-" {
			continue
		}
		for i, name := range tests {
			if !known(name) {
				wrong = append(wrong, id+": there is no test "+name)
			}
			if slices.Contains(tests[:i], name) {
				wrong = append(wrong, id+" names "+name+" twice")
			}
		}
	}
	return of, wrong
}

// anID is an id in a text, and the last number of "FS-20 to 34".
var anID = regexp.MustCompile(`\b(DIFF|PAY|EDIT|HARN|FS|PANE|RC|SH|PAIN)-([0-9]+)(?: to ([0-9]+))?\b`)

// idsIn lists the ids that stand in a text, with the first and the last of a range.
func idsIn(text string) (ids []string) {
	for _, m := range anID.FindAllStringSubmatch(text, -1) {
		first, _ := strconv.Atoi(m[2])
		ids = append(ids, m[1]+"-"+m[2])
		if last, err := strconv.Atoi(m[3]); err == nil && last > first {
			ids = append(ids, m[1]+"-"+m[3])
		}
	}
	return ids
}

// unequal says which ids stand in one place and not in the other.
func unequal(texts map[string]string, tests map[string][]string, used map[string]string) (wrong []string) {
	for id := range texts {
		if tests[id] == nil {
			wrong = append(wrong, id+" has a sentence, and neither a test nor a reason")
		}
	}
	for id := range tests {
		if texts[id] == "" {
			wrong = append(wrong, id+" has tests, and no sentence")
		}
	}
	for id, file := range used {
		if texts[id] == "" {
			wrong = append(wrong, fmt.Sprintf("%s stands in %s, and has no sentence", id, file))
		}
	}
	return wrong
}

// What keeps ids, sentences and tests together finds each way in which they can come apart.
func TestARequirementWithoutATextOrATestIsFound(t *testing.T) {
	const page = "# A page\n- **FS-1** A file is read in one call.\n- **FS-2** A line is counted from one.\n"
	const list = "# A list\nFS-1 TestA TestB\nFS-2 - there is nothing to hold\n"
	for name, c := range map[string]struct {
		page, list, code string
		want             string
	}{
		"all is well":            {page, list, "as FS-1 to 2 say", ""},
		"an id in code only":     {page, list, "as FS-3 says", "FS-3 stands in a.go, and has no sentence"},
		"the end of a range":     {page, list, "as FS-1 to 9 say", "FS-9 stands in a.go, and has no sentence"},
		"a sentence alone":       {page + "- **FS-3** A file is closed.\n", list, "", "FS-3 has a sentence, and"},
		"tests alone":            {page, list + "FS-3 TestA\n", "", "FS-3 has tests, and no sentence"},
		"two sentences":          {page + "- **FS-1** A file is closed again.\n", list, "", "FS-1 has two sentences"},
		"the same sentence":      {page + "- **FS-3** A file is read in one call.\n", list, "", "FS-3 says what FS-1"},
		"half a sentence":        {page + "- **FS-3** A file is closed\n", list, "", "FS-3 has no sentence"},
		"an item without an id":  {page + "- A file is closed again.\n", list, "", "no id begins"},
		"two lines of tests":     {page, list + "FS-1 TestA\n", "", "FS-1 stands there twice"},
		"a test that is not":     {page, list + "FS-1 TestC\n", "", "FS-1: there is no test TestC"},
		"a test that is twice":   {page, list + "FS-1 TestA TestA\n", "", "FS-1 names TestA twice"},
		"no reason":              {page, list + "FS-1 -\n", "", "FS-1 has neither a test nor a reason"},
		"neither test nor dash":  {page, list + "FS-1\n", "", "FS-1 has neither a test nor a reason"},
		"a word that is no id":   {page, list, "SHA-256 and RFC-3 are none", ""},
		"an id within brackets":  {page, list, "(PANE-4)", "PANE-4 stands in a.go, and has no sentence"},
		"an id at a line's end.": {page, list, "by RC-7.", "RC-7 stands in a.go, and has no sentence"},
	} {
		texts, wrong := meanings(c.page)
		tests, more := proofs(c.list, func(name string) bool { return name != "TestC" })
		used := map[string]string{}
		for _, id := range idsIn(c.code) {
			used[id] = "a.go"
		}
		wrong = slices.Concat(wrong, more, unequal(texts, tests, used))
		found := slices.ContainsFunc(wrong, func(w string) bool { return strings.HasPrefix(w, c.want) })
		if c.want == "" && len(wrong) > 0 || !found && c.want != "" {
			t.Errorf("%s: %q, want %q", name, wrong, c.want)
		}
	}
}

// sources reads what the repository has in words: the names of all tests, and the ids that stand in
// code and pages, each with a file.
func sources(t *testing.T) (tests map[string]bool, used map[string]string) {
	t.Helper()
	tests, used = map[string]bool{}, map[string]string{}
	test := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(repository, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		code, page := strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".md")
		about := strings.HasSuffix(name, "app/requirements_test.go") || strings.HasSuffix(name, "docs/requirements.md")
		if d.IsDir() || !code && !page || about {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range test.FindAllSubmatch(text, -1) {
				tests[string(m[1])] = true
			}
		}
		for _, id := range idsIn(string(text)) {
			used[id] = name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests, used
}

// Every id that stands in code or on a page has a sentence, every sentence has tests or a reason
// why there is none, and the tests exist under these names.
func TestRequirementsNameTheirTests(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(requirement)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(testsOfIDs)
	if err != nil {
		t.Fatal(err)
	}
	names, used := sources(t)
	texts, wrong := meanings(string(page))
	tests, more := proofs(string(list), func(name string) bool { return names[name] })
	for _, w := range slices.Concat(wrong, more, unequal(texts, tests, used)) {
		t.Error(w)
	}
	if len(texts) < 200 || len(used) < 100 || len(names) < 1000 {
		t.Errorf("%d sentences, %d ids in code, %d tests: something was not read", len(texts), len(used), len(names))
	}
}
