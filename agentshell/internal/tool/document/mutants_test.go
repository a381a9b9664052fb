package document

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/mutant"
)

// mutants are guards of what is written into archives and databases, each taken away.
var mutants = []mutant.Mutant{
	{"row.go", "|| !slices.Equal(now, c.Before)", ""},
	{"row.go", "if err == nil && !slices.Equal(now, c.After) {", "if false {"},
	{"row.go", "case n != 1:", "case false:"},
	{"row.go", "UPDATE OR ABORT", "UPDATE"},
	{"row.go", "INSERT OR ABORT INTO %s", "INSERT INTO %s"},
	{"row.go", "p.storedValues(c.After))\n", "nil)\n"},
	{"row.go", `"''")`, `"'")`},
	{"row.go", "return errors.Join(err, tx.Rollback())", "return errors.Join(err, tx.Commit())"},
	{"row.go", `kind != "table" ||`, `kind == "" ||`},
	{"named.go", "if err := n.checkFile(path, info); err != nil {",
		"if err := n.checkFile(path, info); false && err != nil {"},
	{"named.go", "err = n.checkFile(path, info)\n", "_ = n.checkFile(path, info)\n"},
	{"named.go", "flags = flags&^vfs.OPEN_READONLY | vfs.OPEN_READWRITE", ""},
	{"wal.go", "if !sum.matches(head[16:]) {", "if false {"},
	{"wal.go", "if count == 0 {", "if false {"},
	{"pack.go", "from, to = start, end", "from, to = start, start"},
	{"zip.go", `case !bytes.HasPrefix(data, []byte("PK")) || uint64(z.dirStart) != z.claimedStart:`, "case false:"},
	{"zip.go", "case next < e.end:", "case false:"},
	{"zip.go", "case e.start > from:", "case false:"},
	{"pack.go", `case slices.Contains(strings.Split(name, "/"), ".."):`, "case false:"},
	{"pack.go", "had && !m.Mode.IsRegular()", "false"},
}

func TestAGuardOfWhatIsWrittenThatIsGoneIsMissed(t *testing.T) {
	mutant.Missed(t, mutants, "Row|Log|Put|Member|Rewrites|Zip")
}
