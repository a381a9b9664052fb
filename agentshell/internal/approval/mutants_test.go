package approval

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/mutant"
)

// mutants are guards of the reading of a command line, each taken away.
var mutants = []mutant.Mutant{
	{"parts.go", "if s.Background || s.Coprocess || s.Disown {", "if false {"},
	{"parts.go", "out = union(out, p.list(c.Then, union(cond.well, cond.any)).any)", "out = union(out, in)"},
	{"parts.go", "p.unknown(\"it defines a function\")", ""},
	{"parts.go", "if len(union(in, body())) > len(in) {", "if body(); false {"},
	{"parts.go", "if name := w.Name.Value; !local(name) {", "if name := w.Name.Value; false {"},
	{"parts.go", "return dirs{y.well, union(x.any, y.any)}", "return dirs{y.well, y.well}"},
	{"parts.go", "return dirs{union(x.well, y.well), union(x.any, y.any)}", "_ = y; return dirs{x.well, x.well}"},
	{"parts.go", "if _, timed := c.Y.Cmd.(*syntax.TimeClause); timed {", "if false {"},
	{"parts.go", "!ok || !settable(name, text) && ", "!ok && "},
	{"parts.go", "(alone && local(name)", "(local(name)"},
	{"parts.go", "a.Naked || a.Name == nil || a.Append || a.Index != nil || a.Array != nil", "a.Name == nil"},
	{"parts.go", "if inner.why != \"\" {", "if false {"},
	{"parts.go", "p.command(run, in, depth+1)", "_ = run"},
	{"parts.go", "c[0].Text = \"./\" + path.Join(in[0], name)", "c[0].Text = path.Clean(name)"},
	{"parts.go", "if why := judge(c); why != \"\" {", "if why := judge(c); why != \"\" && false {"},
	{"parts.go", "&& !local(w.Text)", "&& false"},
	{"redirect.go", "if r.N != nil && strings.Trim(r.N.Value, \"0123456789\") != \"\" {", "if false {"},
	{"redirect.go", "if _, plain := part.(*syntax.Lit); !plain {",
		"if _, plain := part.(*syntax.Lit); !plain && false {"},
	{"redirect.go", "case !inner(target):", "case false:"},
	{"redirect.go", "if hiddenPath(target) {", "if false {"},
	{"redirect.go", "!slices.Contains(p.writes, at) {", "at == \"\" {"},
	{"redirect.go", "p[0] != '/' && p[0] != '~'", "p[0] != '~'"},
	{"redirect.go", "!slices.Contains(strings.Split(p, \"/\"), \"..\")", "true"},
	{"directory.go", "!inner(c[1].Text) || c[1].Text[0] == '-'", "c[1].Text[0] == '-'"},
	{"directory.go", "p.commands = append(p.commands, c)", ""},
	{"directory.go", "return dirs{to, union(in, to)}", "return dirs{in, in}"},
	{"word.go", "if first && !beginsPlain(part.Value) && !strings.HasPrefix(part.Value, \"~/\") {", "if false {"},
	{"word.go", "if p.param(part) != holdsPlain {", "if false {"},
	{"word.go", "if p.param(inner) == holdsAny && first && j == 0 {", "if false {"},
	{"word.go", "if n > 1 {", "if n > 99 {"},
	{"word.go", "least = min(least, itemHolds(item))", "_ = item"},
	{"word.go", "e.Repl != nil || e.Exp != nil ||", "false ||"},
	{"variable.go", "return plainValue(value) && (", "return (true || plainValue(value)) && ("},
	{"variable.go", "slices.Contains(switchNames, name) &&", "true &&"},
	{"variable.go", "strings.Trim(v, \".\") != \"\"", "true"},
	{"variable.go", "strings.HasSuffix(name, \"proxy\"), strings", "strings"},
	{"variable.go", "return name != \"histchars\" && name != \"auto_resume\"", "return true"},
	{"unwrap.go", "if !settable(m[1], m[2]) {", "if false {"},
	{"unwrap.go", "return append(slices.Clone(c[i:]), Word{}), true", "return c[i:], true"},
	{"unwrap.go", "slices.Contains([]string{\"-c\", \"-ec\", \"-ce\", \"-euc\", \"-uc\"}, c[1].Text)", "true"},
	{"unwrap.go", "w = Word{Safe: true}", "w = Word{Text: \"a\", Literal: true}"},
	{"command.go", "case name == \"\" && program.Computed(c) >= 0:", "case false:"},
	{"parts.go", "return \"it has control characters\"", "return \"\""},
	{"parts.go", "return \"it has a line continuation\"", "return \"\""},
	{"rule.go", "(!w.Literal || w.Text != r.words[i])", "w.Literal && w.Text != r.words[i]"},
	{"rule.go", "return program.Covers(c, len(r.words))", "return program.Covers(c, len(r.words)) || true"},
	{"policy.go", "if !edits && !cover(", "if false && !cover("},
	{"policy.go", "&& r.allows(c) && r.says(c)", "&& r.allows(c)"},
	{"policy.go", "(s.Tool != \"bash\" || Loud(s.Command) == \"\")", "true"},
	{"policy.go", "if s.Confined && !s.flagged() && loud == \"\" {", "if s.Confined && !s.flagged() {"},
	{"writtenfile.go", "case err != nil: // bash", "case err != nil && false: // bash"},
	{"writtenfile.go", "for _, script := range scripts(c) {", "for _, script := range []string(nil) {"},
	{"writtenfile.go", "p.Pattern = p.Pattern || strings.ContainsAny(s, \"*?[\")", ""},
	{"writtenfile.go", "w.shell && len(inputs) > 0 {", "false && len(inputs) > 0 {"},
}

func TestAGuardOfTheParserThatIsGoneIsMissed(t *testing.T) { mutant.Missed(t, mutants, "") }
