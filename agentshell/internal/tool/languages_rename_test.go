package tool

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// manyFiles returns files. Each but the first one uses a name of the first one.
func manyFiles(n int, first, name, format string) map[string]string {
	files := map[string]string{first: ""}
	for i := range n {
		files[fmt.Sprintf(name, i)] = fmt.Sprintf(format, i)
	}
	return files
}

// A rename in 60 files is 60 proposals. Applied, they are byte for byte what gopls writes by
// itself; undone, nothing is left of them. The part of a file that has changed meanwhile is
// prepared again with what others have written.
func TestARenameInManyFilesIsWhatGoplsWritesItself(t *testing.T) {
	t.Parallel()
	gopls := need.Program(t, "gopls")
	files := manyFiles(60, "target.go", "use%d.go",
		"package m\n\n// Of %[1]d: Old is called.\nfunc use%[1]d() int {\r\n"+
			"\treturn Old(\"ö😀\", Old(\"\", %[1]d)) // Old stays here\n}\n")
	files["go.mod"] = "module example.com/m\n\ngo 1.21\n"
	files["target.go"] = "package m\n\n// Old does nothing.\nfunc Old(s string, n int) int { return n }\n"
	l := newLanguageBench(t, "gopls", files)
	was := l.tree()
	c, err := l.call(args{"action": "rename", "file": "target.go", "line": 4, "symbol": "Old", "new_name": "Fresh"})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Parts) != 61 {
		t.Fatalf("%d parts", len(c.Parts))
	}
	l.runParts(c, "use7.go")
	renamed := l.tree()
	renamed["use7.go"] = strings.TrimPrefix(renamed["use7.go"], meanwhile)
	reference := t.TempDir()
	for name, text := range was {
		if err := os.WriteFile(filepath.Join(reference, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rename := exec.Command(gopls, "rename", "-w", "target.go:4:6", "Fresh")
	rename.Dir = reference
	if out, err := rename.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range renamed {
		want, err := os.ReadFile(filepath.Join(reference, name))
		if err != nil || string(want) != text {
			t.Fatalf("%s is\n%q, gopls makes\n%q (%v)", name, text, want, err)
		}
	}
	was["use7.go"] = meanwhile + was["use7.go"]
	l.undoAll()
	if now := l.tree(); !maps.Equal(now, was) {
		t.Error("undone, the files are not what they were")
	}
}

// meanwhile is what somebody else writes at the top of a file after the preparation.
const meanwhile = "// Somebody else was here.\n"

// runParts runs the parts of a call. One file is changed before: its part fails, and is prepared
// again from its input.
func (l *languageBench) runParts(c Call, changed string) {
	l.t.Helper()
	l.write(changed, meanwhile+l.read(changed))
	again := 0
	for _, p := range c.Parts {
		if p.Call.Proposal == nil {
			l.t.Fatalf("%s changes without a question", p.Call.Title)
		}
		_, err := p.Call.Run(context.Background(), func(string) {})
		if err != nil && p.Call.Path == changed && Kind(err) == "conflict" {
			again++
			fresh, e := l.tool.Prepare(context.Background(), "t2", p.Input)
			if e != nil || fresh.Proposal == nil || fresh.Proposal.ID == p.Call.Proposal.ID {
				l.t.Fatalf("prepared again: %v", e)
			}
			_, err = fresh.Run(context.Background(), func(string) {})
		}
		if err != nil {
			l.t.Fatalf("%s: %v", p.Call.Path, err)
		}
	}
	if again != 1 {
		l.t.Errorf("%d parts were prepared again", again)
	}
}

// typescriptReference renames by tsserver's own protocol, and writes what it answers.
const typescriptReference = `
const fs = require('fs'), path = require('path'), ts = require(process.argv[2]);
const dir = process.argv[3], names = fs.readdirSync(dir).filter(n => n.endsWith('.ts')).map(n => path.join(dir, n));
const host = { getScriptFileNames: () => names, getScriptVersion: () => '1', getCurrentDirectory: () => dir,
	getScriptSnapshot: n => fs.existsSync(n) ? ts.ScriptSnapshot.fromString(fs.readFileSync(n, 'utf8')) : undefined,
	getCompilationSettings: () => ({ module: 1 }), getDefaultLibFileName: o => ts.getDefaultLibFilePath(o),
	fileExists: fs.existsSync, readFile: n => fs.readFileSync(n, 'utf8') };
const service = ts.createLanguageService(host), target = path.join(dir, 'target.ts');
const at = fs.readFileSync(target, 'utf8').indexOf('Old');
const found = service.findRenameLocations(target, at, false, false, { providePrefixAndSuffixTextForRename: true });
const byFile = {};
for (const f of found) (byFile[f.fileName] ??= []).push(f);
for (const [name, list] of Object.entries(byFile)) {
	let text = fs.readFileSync(name, 'utf8');
	for (const f of list.sort((a, b) => b.textSpan.start - a.textSpan.start)) text = text.slice(0, f.textSpan.start) +
		(f.prefixText ?? '') + 'Fresh' + (f.suffixText ?? '') + text.slice(f.textSpan.start + f.textSpan.length);
	fs.writeFileSync(name, text);
}`

var renamed = flag.Int("renamed", 20, "files in which TypeScript renames a name")

func TestARenameInManyFilesIsWhatTypescriptMakes(t *testing.T) {
	t.Parallel()
	files := manyFiles(*renamed, "target.ts", "use%d.ts",
		"// Of %[1]d.\n\nimport { Old } from './target';\r\nexport { Old };\n"+
			"export const v%[1]d = Old('ö😀', Old('', %[1]d));\n")
	files["tsconfig.json"], files["package.json"] = `{"compilerOptions":{"module":"commonjs"}}`, "{}"
	files["target.ts"] = "export function Old(s: string, n: number) { return n; }\n"
	l := newLanguageBench(t, "typescript-language-server", files)
	l.linkTypescript()
	was := l.tree()
	c, err := l.call(args{"action": "rename", "file": "target.ts", "line": 1, "symbol": "Old", "new_name": "Fresh"})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Parts) != *renamed+1 {
		t.Fatalf("%d parts", len(c.Parts))
	}
	l.runParts(c, "use7.ts")
	renamed := l.tree()
	renamed["use7.ts"] = strings.TrimPrefix(renamed["use7.ts"], meanwhile)
	reference := t.TempDir()
	for name, text := range was {
		if err := os.WriteFile(filepath.Join(reference, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(t.TempDir(), "rename.cjs")
	if err := os.WriteFile(script, []byte(typescriptReference), 0o600); err != nil {
		t.Fatal(err)
	}
	compiler, err := filepath.Abs("lsp/servers/node_modules/typescript")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(need.Program(t, "node"), script, compiler, reference).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range renamed {
		want, err := os.ReadFile(filepath.Join(reference, name))
		if err != nil || string(want) != text {
			t.Fatalf("%s is\n%q, TypeScript makes\n%q (%v)", name, text, want, err)
		}
	}
	was["use7.ts"] = meanwhile + was["use7.ts"]
	l.undoAll()
	if now := l.tree(); !maps.Equal(now, was) {
		t.Error("undone, the files are not what they were")
	}
}
