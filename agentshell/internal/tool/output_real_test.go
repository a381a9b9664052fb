//go:build unix

package tool

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// realPrograms are command lines of programs that show how far they are. script gives them a
// terminal, since most show nothing without one.
var realPrograms = []struct{ name, setup, command string }{
	{"curl", "head -c 30000000 /dev/zero > big", "curl -o copy file://$PWD/big"},
	{"curl, a bar", "head -c 30000000 /dev/zero > big", "curl -# -o copy file://$PWD/big"},
	{"wget", "head -c 30000000 /dev/zero > big", "python3 -m http.server 8931 -b 127.0.0.1 >/dev/null 2>&1 & p=$!; " +
		"sleep 1; wget -O copy http://127.0.0.1:8931/big; kill $p"},
	{"git clone", manyCommits, "git clone --progress file://$PWD/r copy"},
	{"git fetch", manyCommits, "git init -q c; git -C c fetch --progress file://$PWD/r"},
	{"git gc", manyCommits, "git -C r gc --aggressive"},
	{"git fsck", manyCommits, "git -C r fsck --progress"},
	{"rsync", "mkdir a; for i in {1..50}; do head -c 300000 /dev/urandom > a/$i; done", "rsync -r --progress a b"},
	{"rsync, all", "mkdir a; for i in {1..50}; do head -c 300000 /dev/urandom > a/$i; done",
		"rsync -r --info=progress2 a b"},
	{"pv", "head -c 30000000 /dev/zero > big", "pv -L 20m big > copy"},
	{"dd", "", "dd if=/dev/zero of=big bs=1M count=3000 status=progress"},
	{"tar", "mkdir a; for i in {1..500}; do echo $i > a/$i; done",
		`tar -cf a.tar --checkpoint=5 --checkpoint-action='ttyout=%T%*\r' a`},
	{"xz", "head -c 40000000 /dev/zero > big", "xz -v big"},
	{"zstd", "head -c 40000000 /dev/zero > big", "zstd -v big"},
	{"make", `printf 'all: %s\n%%:\n\t@echo build $@\n' "$(seq -s' ' 200)" > Makefile`, "make -j4"},
	{"npm", `echo '{"name":"p","version":"1.0.0"}' > package.json; mkdir q; cp package.json q`, "npm install ./q"},
	{"apt-get", "", "apt-get -s install cowsay"},
	{"apt list", "", "apt list --installed 2>&1 | tail -50"},
	{"go test -json", "echo 'module m' > go.mod; printf 'package m\nimport \"testing\"\n" +
		"func TestX(t *testing.T) {}\n' > m_test.go", "go test -json ./..."},
	{"pytest", "for i in {1..200}; do echo \"def test_$i(): pass\"; done > test_a.py", "pytest-3"},
	{"cargo", "cargo init -q --name p .", "cargo build --offline"},
	{"pip", "mkdir p; printf '[project]\nname = \"p\"\nversion = \"1\"\n' > p/pyproject.toml",
		"pip download --no-deps --no-build-isolation ./p"},
	{"docker's log", dockerLog, "cat log"},
	{"ls in colours", "touch {1..100}", "ls --color=always"},
	{"grep in colours", "seq 1000 > a", "grep --color=always 9 a"},
}

const (
	manyCommits = `git init -q r && cd r && git config user.email a@b && git config user.name n && for i in {1..60}; do
		for j in {1..8}; do echo $i $j $RANDOM > $i-$j; done; git add . && git commit -qm $i; done`
	dockerLog = `{ for l in a b c d; do echo "$l: Pulling fs layer"; done; for i in {1..100}; do for up in 4 3 2 1; do
		printf '\033[%dA\033[2K\r%s: Downloading [%*s] %dMB/100MB\r\033[%dB' $up $up $((i / 2)) '>' $i $up; done; done
		echo 'Status: Downloaded newer image'; } > log`
)

// The bytes that a model gets of real programs are at most 1.2 times the text that is left on a
// terminal. Blanks at the ends of lines do not count: they are given as they were printed.
// SCROLLKEEP_REAL_OUTPUT=1 plays those that are installed; it takes a minute.
func TestRealProgramsGiveAModelWhatIsLeftOnATerminal(t *testing.T) {
	if os.Getenv("SCROLLKEEP_REAL_OUTPUT") == "" {
		return
	}
	for _, c := range realPrograms {
		dir := t.TempDir()
		run := func(script string) []byte {
			cmd := exec.Command("bash", "-c", script)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			return out
		}
		run(c.setup)
		t.Setenv("LINE", c.command)
		raw := run(`script -qefc "bash -c \"\$LINE\"" /dev/null < /dev/null`)
		if strings.Contains(string(raw), "not found") || strings.Contains(string(raw), "No module named") {
			t.Logf("%-16s is not installed", c.name)
			continue
		}
		o := &output{left: openRoom(), keep: &Outputs{}}
		_, _ = o.Write(raw)
		o.flush()
		term := vt.New(vt.Config{Cols: 512, Rows: 64, Scrollback: 100_000})
		_, _ = term.Write(raw)
		left := strings.TrimRight(strings.Join(term.Lines(), "\n"), "\n ")
		var model strings.Builder
		for line := range strings.Lines(o.text()) {
			model.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
		t.Logf("%-16s printed %7d bytes, the model has %6d, a terminal %6d", c.name, len(raw), len(o.text()), len(left))
		if model.Len() > len(left)*12/10+10 {
			t.Errorf("%s: more than 1.2 times as much:\n%.500q", c.name, o.text())
		}
	}
}
