//go:build unix

package workspace

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/mutant"
)

// mutants are guards of what an editor is given to write, each taken away.
var mutants = []mutant.Mutant{
	{"delegated.go", "case now != c.Base:", "case now != c.Base && false:"},
	{"delegated.go", "case now.Print != c.Base:", "case false:"},
	{"delegated.go", "case string(f.Data) != string(c.Data):", "case false:"},
	{"delegated.go", "case string(disk.Data) != string(now.Data):", "case false:"},
	{"delegated.go", "case isFromDisk(c.Base), !c.Base.Exists && !isText(c):", "case false:"},
	{"delegated.go", "case !isText(c):", "case false:"},
	{"delegated.go", "case err != nil && ctx.Err() == nil && !disk.Print.Exists:", "case false:"},
	{"delegated.go", "disk.Print.Sum = sum([]byte(err.Error()))", ""},
	{"delegated.go", "disk.Print.Exists && Text(p, disk.Data) != nil", "false"},
}

func TestAGuardOfWhatAnEditorWritesIsMissed(t *testing.T) {
	mutant.Missed(t, mutants, "Editor|Text|Saved")
}
