package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seedTables are the maps of the documents that the tools follow, one file a document
// (docs/seed.md says what is in them).
const seedTables = "testdata/seed/*.txt"

// maxLeftOut is how many of a hundred statements may be left out.
const maxLeftOut = 5

// checkSeedTable returns what is wrong with one table, how many statements it has, and how many of
// them are left out. known reports whether there is a test of a name.
func checkSeedTable(table string, known func(test string) bool) (statements, leftOut int, wrong []string) {
	last, sentences := 0, map[string]int{}
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			wrong = append(wrong, fmt.Sprintf("%q is no number, sentence and proof between bars", line))
			continue
		}
		statements++
		if strings.HasPrefix(cells[2], "-") {
			leftOut++
		}
		n, err := strconv.Atoi(cells[0])
		if err != nil || n <= last {
			wrong = append(wrong, fmt.Sprintf("%s does not follow %d", cells[0], last))
		}
		last = max(last, n)
		if sentence := cells[1]; len(sentence) < 20 || !strings.HasSuffix(sentence, ".") {
			wrong = append(wrong, cells[0]+" has no sentence")
		} else if first, twice := sentences[sentence]; twice {
			wrong = append(wrong, fmt.Sprintf("%s says what %d says", cells[0], first))
		}
		sentences[cells[1]] = n
		wrong = append(wrong, checkSeedProof(cells[0], cells[2], known)...)
	}
	return statements, leftOut, wrong
}

// checkTooMuchLeftOut returns an error if more statements are left out than may be.
func checkTooMuchLeftOut(statements, leftOut int) error {
	if 100*leftOut <= maxLeftOut*statements {
		return nil
	}
	return fmt.Errorf("%d of %d statements are left out, more than %d in a hundred", leftOut, statements, maxLeftOut)
}

// checkSeedProof returns what is wrong with the last cell of a statement: the names of its tests,
// or a dash and the reason why it is left out.
func checkSeedProof(number, proof string, known func(test string) bool) (wrong []string) {
	if reason, left := strings.CutPrefix(proof, "-"); left {
		if len(reason) < 20 || !strings.HasSuffix(reason, ".") {
			wrong = append(wrong, number+" is left out without a reason")
		}
		return wrong
	}
	names := strings.Fields(proof)
	if len(names) == 0 {
		wrong = append(wrong, number+" has neither a test nor a reason")
	}
	for i, name := range names {
		if !known(name) {
			wrong = append(wrong, number+": there is no test "+name)
		}
		if slices.Contains(names[:i], name) {
			wrong = append(wrong, number+" names "+name+" twice")
		}
	}
	return wrong
}

// Each way in which a table can be wrong is found.
func TestAStatementOfADocumentWithoutAProofIsFound(t *testing.T) {
	const table = "# A comment\n\n1 | The query is passed on unchanged. | TestA TestB\n" +
		"3 | A server is asked over the network. | - Back ends with servers are left out.\n"
	for name, c := range map[string]struct{ more, want string }{
		"all is well":         {"", ""},
		"two cells":           {"4 | A sentence that is long enough.\n", "is no number, sentence"},
		"four cells":          {"4 | A sentence that is long enough. | TestA | TestB\n", "is no number, sentence"},
		"a number twice":      {"3 | A sentence that is long enough. | TestA\n", "3 does not follow 3"},
		"a word for a number": {"four | A sentence that is long enough. | TestA\n", "four does not follow"},
		"half a sentence":     {"4 | A sentence that has no end | TestA\n", "4 has no sentence"},
		"a sentence twice":    {"4 | The query is passed on unchanged. | TestA\n", "4 says what 1 says"},
		"no test":             {"4 | A sentence that is long enough. | \n", "4 has neither a test"},
		"a test that is not":  {"4 | A sentence that is long enough. | TestC\n", "4: there is no test TestC"},
		"a test twice":        {"4 | A sentence that is long enough. | TestA TestA\n", "4 names TestA twice"},
		"no reason":           {"4 | A sentence that is long enough. | -\n", "4 is left out without a reason"},
	} {
		n, left, wrong := checkSeedTable(table+c.more, func(name string) bool { return name != "TestC" })
		found := slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, c.want) })
		if c.want == "" && (len(wrong) > 0 || n != 2 || left != 1) || !found && c.want != "" {
			t.Errorf("%s: %q of %d statements, %d left out, want %q", name, wrong, n, left, c.want)
		}
	}
	if checkTooMuchLeftOut(100, maxLeftOut) != nil || checkTooMuchLeftOut(100, maxLeftOut+1) == nil {
		t.Error("the bound of what is left out is another one")
	}
}

// Every statement of a document has tests that exist, or a reason why it is left out. Few are left
// out.
func TestStatementsOfDocumentsNameTheirTests(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(seedTables)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	names, _ := sources(t)
	statements, leftOut := 0, 0
	for _, file := range files {
		table, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n, left, wrong := checkSeedTable(string(table), func(name string) bool { return names[name] })
		for _, w := range wrong {
			t.Errorf("%s: %s", file, w)
		}
		if n == 0 {
			t.Errorf("%s has no statement", file)
		}
		statements, leftOut = statements+n, leftOut+left
	}
	t.Logf("%d documents, %d statements, %d left out", len(files), statements, leftOut)
	if err := checkTooMuchLeftOut(statements, leftOut); err != nil {
		t.Error(err)
	}
}
