package block

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// left returns a text with its bodies as "...".
func left(name, text string) string {
	var b strings.Builder
	spans := Bodies(name, text)
	n := 0
	for line := range strings.Lines(text) {
		n++
		for len(spans) > 0 && n > spans[0][1] {
			spans = spans[1:]
		}
		switch {
		case len(spans) == 0 || n < spans[0][0]:
			b.WriteString(line)
		case n == spans[0][0]:
			b.WriteString("...\n")
		}
	}
	return b.String()
}

func TestASummaryIsTheDeclarations(t *testing.T) {
	table := strings.Repeat("\t1,\n", 12)
	for name, c := range map[string]struct{ text, want string }{
		"a.go": {"package a\n\nimport (\n\t\"x\"\n)\n\n// F does.\nfunc F() {\n\ta()\n\tb()\n\tc()\n}\n\nfunc " +
			"short() {\n\ta()\n}\n\n" +
			"type T struct {\n\tA int\n}\n\nvar table = []int{\n" + table + "}\n",
			"package a\n\nimport (\n\t\"x\"\n)\n\n// F does.\nfunc F() {\n...\n}\n\nfunc short() {\n\ta()\n}\n\n" +
				"type T struct {\n\tA int\n}\n\nvar table = []int{\n...\n}\n"},
		"broken.go": {"package a\nfunc {\n", "package a\nfunc {\n"},
		"a.py": {"import x\n\nclass A:\n    \"\"\"Doc.\"\"\"\n    def f(self):\n        a()\n        b()\n        " +
			"c()\n\n    y = 1\n\n" +
			"def g():\n    a()\n    b()\n    return 3\n",
			"import x\n\nclass A:\n    \"\"\"Doc.\"\"\"\n    def f(self):\n...\n\n    y = 1\n\ndef g():\n...\n"},
		"a.ts": {"export class A {\n  x = 1;\n  f() {\n    a();\n    b();\n    c();\n  }\n}\nfunction g() {\n  1;\n " +
			" 2;\n  3;\n}\nconst y = 2;\n",
			"export class A {\n  x = 1;\n  f() {\n...\n  }\n}\nfunction g() {\n...\n}\nconst y = 2;\n"},
		"a.txt": {"some\ntext\n", "some\ntext\n"},
	} {
		if got := left(name, c.text); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Each span lies in the text, behind the one before, and without it every declaration is still
// there.
func TestASummaryOfThisFileHoldsItsFunctions(t *testing.T) {
	for _, name := range []string{"block.go", "summary.go", "summary_test.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		last := 0
		for _, s := range Bodies(name, text) {
			if s[0] <= last || s[1] < s[0] || s[1] > strings.Count(text, "\n") {
				t.Errorf("%s: lines %v behind %d", name, s, last)
			}
			last = s[1]
		}
		short := strings.ReplaceAll(left(name, text), "...\n", "")
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, short, 0); err != nil {
			t.Errorf("%s: what is left is no Go: %v", name, err)
		}
		if n := strings.Count(short, "\nfunc "); n == 0 || n != strings.Count(text, "\nfunc ") || len(file.Decls) == 0 {
			t.Errorf("%s: %d functions", name, n)
		}
		if len(short) > len(text)*2/3 {
			t.Errorf("%s: %d of %d bytes", name, len(short), len(text))
		}
	}
}

func FuzzASummaryIsLinesOfItsText(f *testing.F) {
	f.Add("a.py", "class A:\n    def f():\n        a\n        b\n        c\n")
	f.Add("a.ts", "function f() {\n a\n b\n c\n}\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		last, n := 0, strings.Count(text+"\n", "\n")
		for _, s := range Bodies(name, text) {
			if s[0] <= last || s[1] < s[0] || s[1] > n {
				t.Fatal(fmt.Sprint(s, last, n))
			}
			last = s[1]
		}
	})
}
