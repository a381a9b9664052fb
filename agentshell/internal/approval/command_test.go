package approval

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// What bash runs is what rules see: of random command lines that are not opaque, every command that
// a real bash executes, with its exact arguments, is in the list of simple commands.
// SCROLLKEEP_COMMANDS says how many lines (`make fuzz`).
func TestBashRunsOnlyWhatRulesSee(t *testing.T) {
	bash := need.Program(t, "bash")
	pieces := []string{
		"cmda", "cmdb", "cmda ", " x", " yy ", " ", " ", "\t", "\n", ";", " && ", " || ", " | ", "|&", "! ", "'", "\"",
		"\\", "\\\n", "'q r'", "\"d e\"", `"\$"`, `"\\"`, "$x", "$", "*", "?", "[a]",
		"{a,b}", "{", "}", "{u}", "{-1}", ",", "..", "[", " ] ", "{ ", "; }", "(", ")", "#", " # c\n", "~", "a=b", "=",
		"`", "&", ">", "<", " 2>&1", " >/dev/null", "$(", "$'\\n'", "!", "%", "-", "é", "\r", "if ", "then ",
		"time ", "\u00a0", "./*", "for u in ", "; do ", "; done", " $u", " \"$u\"", "if ",
		"; then ", "; fi", "timeout 5 ",
		"env A=b ", "sh -c ", "cd . && ", "xargs ", " \"$(cmdb)\"", " $(cmda x)", " <(cmdb)", "$(", "cd .. ",
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	ran, lines := 0, 0
	rounds := 400
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_COMMANDS")); err == nil {
		rounds = n
	}
	for lines < rounds {
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteString("cmda")
		}
		for range 1 + r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		line := b.String()
		parsed := ParseCommand(line)
		if parsed.Opaque != "" || len(parsed.Simple) == 0 {
			continue
		}
		lines++
		out, err := os.CreateTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bash, "--noprofile", "--norc", "-c",
			"command_not_found_handle() { printf '%s\\x1f' \"$@\" $'\\x1e' >&3; }\n"+line)
		cmd.Env = []string{"PATH=/nonexistent", "HOME=/home/nobody", "LC_ALL=C.UTF-8"}
		cmd.Dir = dir
		cmd.ExtraFiles = []*os.File{out}
		cmd.Run()
		got, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		out.Close()
		os.Remove(out.Name())
		for call := range bytes.SplitSeq(got, []byte("\x1e\x1f")) {
			if len(call) == 0 {
				continue
			}
			ran++
			words := strings.Split(strings.TrimSuffix(string(call), "\x1f"), "\x1f")
			var whole partsReader // what a program runs that runs another
			var literal SimpleCommand
			for _, w := range words {
				literal = append(literal, Word{Text: w, Literal: true})
			}
			whole.command(literal, []string{"."}, 0)
			seen := whole.reason == "" && len(whole.commands) > 0
			for _, c := range whole.commands {
				seen = seen && slices.ContainsFunc(parsed.Parts, func(p Part) bool {
					return slices.Equal(p.Words, c.Words)
				})
			}
			if !seen && !slices.ContainsFunc(parsed.Parts, func(c Part) bool { return comesOf(words, c.Words) }) {
				t.Errorf("seed %d: %q runs %q, rules see %v", seed, line, words, parsed.Parts)
			}
		}
	}
	if ran < lines/4 {
		t.Errorf("only %d commands ran of %d lines", ran, lines)
	}
}

// comesOf reports whether words are what may come of a command: of a computed word any number of
// words, which begin plainly if it is safe.
func comesOf(words []string, c SimpleCommand) bool {
	if len(c) == 0 {
		return len(words) == 0
	}
	if c[0].Literal {
		return len(words) > 0 && words[0] == c[0].Text && comesOf(words[1:], c[1:])
	}
	for n := range len(words) + 1 {
		if n > 0 && c[0].Safe && !beginsPlain(words[n-1]) || c[0].One && n > 1 {
			return false
		}
		if (!c[0].One || n == 1) && comesOf(words[n:], c[1:]) {
			return true
		}
	}
	return false
}

func FuzzACommandThatIsNotOpaqueReadsTheSameAgain(f *testing.F) {
	for _, s := range []string{"ls -l", "a 'b c' && d", "x\\ y; z", "echo \"a\\\"b\"", "! a | b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p := ParseCommand(line)
		if p.Opaque != "" {
			return
		}
		for _, c := range p.Simple {
			if slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
				continue
			}
			again := ParseCommand(c.String())
			if again.Opaque != "" || len(again.Simple) != 1 || !slices.Equal(again.Simple[0], c) {
				if strings.ContainsFunc(c.String(), func(r rune) bool { return r == '…' || r < ' ' }) ||
					strings.Contains(c.String(), "$'") {
					return // shown only: a rule cannot be made of it
				}
				t.Fatalf("%q: %q reads as %v (%s)", line, c.String(), again.Simple, again.Opaque)
			}
		}
	})
}

// Nested as deeply as can be: the work, counted in bytes allocated, grows with the length of the
// line and not with a power of it.
func TestNestedCommandsAreReadInLinearWork(t *testing.T) {
	work := func(line string) (ParsedCommand, uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := ParseCommand(line)
		runtime.ReadMemStats(&after)
		return p, after.TotalAlloc - before.TotalAlloc
	}
	for _, c := range []struct{ open, middle, end string }{
		{"(", "", ""}, {"$(", "", ""}, {"`", "", ""}, {"{ ", "", ""}, {"\"$(", "", ""}, {"${a:-", "", ""},
		{"<(", "", ""}, {"((", "", ""}, {"$((", "", ""}, {"if ", "", ""},
		{"eval '", "", ""}, {"! ", "", ""}, {"\\", "", ""}, {"'", "", ""}, {"sh -c \"", "", ""}, {"a[", "", ""},
		{"=(", "", ""}, {"<<E\n", "", ""},
		{"a|", "a", ""}, {"a;", "a", ""}, {"! ", "a", ""}, {"(", "a", ")"}, {"{ ", "a;", "};"}, {"$(", "a", ")"},
		{"\"$(", "a", ")\""}, {"if ", "a", ";then a;fi"}, {"a <(", "a", ")"},
	} {
		n := 400 / len(c.open) &^ 1 // even, so that quotes close
		line := func(n int) string { return strings.Repeat(c.open, n) + c.middle + strings.Repeat(c.end, n) }
		_, short := work(line(n))
		p, long := work(line(4 * n))
		if c.middle == "" && c.open != "! " && p.Opaque == "" {
			t.Errorf("%q many times is not opaque", c.open)
		}
		if long > 6*short+40_000 {
			t.Errorf("%q: %d bytes for %d of them, %d for four times as many", c, short, n, long)
		}
	}
}
