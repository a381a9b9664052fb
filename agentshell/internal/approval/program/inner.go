package program

import (
	"slices"
	"strings"
)

// runPrefixes lists the words with which a package manager runs a program of the project, such as
// npx.
var runPrefixes = [][]string{{"npx"}, {"pnpm", "exec"}, {"uv", "run"}, {"poetry", "run"}, {"pipenv", "run"},
	{"pdm", "run"},
	{"bundle", "exec"}, {"yarn", "exec"}, {"bunx"}}

// Inner returns the command that a package manager runs in the project: for npx jest that is jest.
// It returns words unchanged for any other command, and for a program without a table.
func Inner(words []Word) []Word {
	for _, p := range runPrefixes {
		n := len(p)
		if len(words) <= n || !slices.EqualFunc(words[:n], p, func(w Word, want string) bool {
			return w.Literal && w.Text == want
		}) {
			continue
		}
		w := words[n]
		if w.Literal && !strings.ContainsAny(w.Text, "/@") && !strings.HasPrefix(w.Text, "-") && isStandard(w.Text) &&
			slices.Contains(projectTools, w.Text) {
			return words[n:]
		}
	}
	return words
}

// projectTools lists programs that projects install for themselves and that have tables.
var projectTools = strings.Fields(`jest vitest mocha eslint prettier tsc ava tap biome pytest ruff mypy black flake8 isort
	rspec rubocop rake pylint pyright`)

// ChangesShell reports whether a command is a builtin of the shell that can end the following
// commands or change their meaning.
func ChangesShell(words []Word) bool {
	text, builtin := shellTables()[words[0].Text]
	return builtin && (strings.HasPrefix(text, "code") || strings.HasPrefix(text, "alters"))
}

// CoversLetters reports whether a rule may leave a part of the words open whose indexes are in
// free, as with a wildcard. Each of them must be an operand, or an option that is harmless whatever
// the open letters are.
func CoversLetters(words []Word, free []int) bool {
	if len(free) == 0 {
		return true
	}
	words, cut := Inner(words), len(words)-len(Inner(words))
	r := Read(words)
	if r.Code || r.Alters || r.isUnsure {
		return false
	}
	for _, i := range free {
		if i -= cut; i < 1 {
			return false
		}
		switch p := r.Parts[i]; {
		case p.Role == Operand, p.Role == Harmless, p.Role == Passed && isPlain(words[i].Text):
		case p.Role == Known && !strings.HasPrefix(words[i].Text, "-"):
		case p.Role == Value && r.Parts[p.Of].Role == Harmless:
		default:
			return false
		}
	}
	return true
}
