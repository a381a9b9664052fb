package program

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// Every builtin of the installed bash has a table: somebody has thought about what it does with its
// words.
func TestEveryBuiltinOfBashIsClassified(t *testing.T) {
	out, err := exec.Command(need.Program(t, "bash"), "--noprofile", "--norc", "-c", "enable -a").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		name := strings.Fields(line)[1]
		n++
		if tables()[name] == nil {
			t.Errorf("%s is a builtin that nobody has classified", name)
		}
	}
	if n < 50 {
		t.Errorf("bash names %d builtins", n)
	}
}
