package mutate

import (
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestEachOperatorMakesItsBugs(t *testing.T) {
	for _, c := range []struct {
		op        Operator
		body      string
		want      []string
		signature string
	}{
		{Negate, "if a && b {\n}", []string{"if !(a && b) {\n}"}, ""},
		{Bound, "_ = a < b || a >= c", []string{"_ = a <= b || a >= c", "_ = a < b || a > c"}, ""},
		{Logic, "_ = a && (b || c)", []string{"_ = a || (b || c)", "_ = a && (b && c)"}, ""},
		{More, "f(a-1, b[0], 7)", []string{"f(a-2, b[0], 7)", "f(a-1, b[1], 7)"}, ""},
		{Less, "f(a-1, b[0])", []string{"f(a-0, b[0])"}, ""},
		{Drop, "a := 1\na = 2\nb++\nf(a)", []string{"a := 1\n\nb++\nf(a)", "a := 1\na = 2\n\nf(a)",
			"a := 1\na = 2\nb++\n"}, ""},
		{Drop, "switch a {\ncase 1:\nf()\n}", []string{"switch a {\ncase 1:\n\n}"}, ""},
		{Return, "f()\ng()", []string{"return;f()\ng()"}, ""},
		{Return, "f()\nreturn 1", nil, "int"},
		{Always, "if a {\n}\nfor b {\n}\nswitch {\ncase c:\n}", []string{
			"if (a || true) {\n}\nfor b {\n}\nswitch {\ncase c:\n}",
			"if a {\n}\nfor (b || true) {\n}\nswitch {\ncase c:\n}",
			"if a {\n}\nfor b {\n}\nswitch {\ncase (c || true):\n}"}, ""},
		{Never, "if a {\n}", []string{"if ((a) && false) {\n}"}, ""},
		{True, "a = b == c && !d", []string{"a = (b == c && !d || true)", "a = (b == c || true) && !d",
			"a = b == c && (!d || true)"}, ""},
		{False, "a = !b", []string{"a = ((!b) && false)"}, ""},
		{Left, "_ = a && b || c-d", []string{"_ = a || c-d", "_ = a && b", "_ = a && b || c"}, ""},
		{Right, "_ = a && b || c-d", []string{"_ = c-d", "_ = b || c-d", "_ = a && b || d"}, ""},
		{Plus, "f(a, 1, \"s\")\nfor range b {\n}\n_ = c > d\n_ = e[f:]", []string{
			"f((a)+1, 1, \"s\")\nfor range b {\n}\n_ = c > d\n_ = e[f:]",
			"f(a, (1)+1, \"s\")\nfor range b {\n}\n_ = c > d\n_ = e[f:]",
			"f(a, 1, \"s\")\nfor range (b)+1 {\n}\n_ = c > d\n_ = e[f:]",
			"f(a, 1, \"s\")\nfor range b {\n}\n_ = c > (d)+1\n_ = e[f:]",
			"f(a, 1, \"s\")\nfor range b {\n}\n_ = c > d\n_ = e[(f)+1:]"}, ""},
		{Minus, "f(a)", []string{"f((a)-1)"}, ""},
		{AtMost, "_ = a == b || c != d", []string{"_ = a <= b || c != d"}, ""},
		{Swap, "f(a, 1, b...)", []string{"f(b, 1, a...)"}, ""},
		{Keep, "a, b = 1, 2\nc = 3", []string{"a, b = 1, b\nc = 3"}, ""},
		{Unindex, "a[0] = b()[0]\na[1] = 2", []string{"a = b()\na[1] = 2"}, ""},
	} {
		const head = "package p\n\nfunc (x *T) f() "
		src := head + c.signature + "{" + c.body + "}\n"
		all, err := Of([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range all {
			if m.Operator != c.op {
				continue
			}
			if m.Func != "T.f" || m.Line < 3 {
				t.Errorf("%s: it is in %q, line %d", c.op, m.Func, m.Line)
			}
			text := string(Apply([]byte(src), m))
			if _, err := parser.ParseFile(token.NewFileSet(), "", text, 0); err != nil {
				t.Errorf("%s: %v in\n%s", c.op, err, text)
			}
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(text, head+c.signature+"{"), "}\n"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s makes of %q\n%q, want\n%q", c.op, c.body, got, c.want)
		}
	}
}

// A choice stays the same when names within its function, the layout or other functions change.
func TestAChoiceNamesOneMutant(t *testing.T) {
	src := []byte("package p\n\nimport \"x/ansi\"\n\nconst size = 4 * 3\n\nfunc f(b []byte, n int) {\n" +
		"\tb = ansi.AppendIL(b, n)\n\tif n == 0 { b = append(b, ansi.LF...) }\n\tif n == 1 { b = nil }\n}\n")
	other := []byte("package p\n\nimport \"x/ansi\"\n\nfunc g() { f(nil, 2) }\n\nconst size = 4 * 3\n\n" +
		"func f(buf []byte, rows int) {\n\tbuf = ansi.AppendIL(buf,\n\t\trows)\n\tif rows == 0 {\n" +
		"\t\tbuf = append(buf, ansi.LF...)\n\t}\n\tif rows == 1 {\n\t\tbuf = nil\n\t}\n}\n")
	for _, c := range []struct {
		choice     Choice
		want, then string // what becomes of which text; "" and why not
	}{
		{Choice{"f", Plus, "AppendIL", 1, ""}, "n -> (n)+1", "rows -> (rows)+1"},
		{Choice{"f", Drop, "nil", 0, ""}, "b = nil -> ", "buf = nil -> "},
		{Choice{"f", Never, "", -1, ""}, "n == 1 -> ((n == 1) && false)", "rows == 1 -> ((rows == 1) && false)"},
		{Choice{"f", Replace, "ansi.LF", 0, "nil"}, "ansi.LF -> nil", "ansi.LF -> nil"},
		{Choice{"size", Replace, "4", 0, "5"}, "4 -> 5", "4 -> 5"},
		{Choice{"f", Never, "", 2, ""}, "f has 2 places for never with \"\", and none is number 2", ""},
		{Choice{"f", Never, "", -3, ""}, "f has 2 places for never with \"\", and none is number -3", ""},
		{Choice{"h", Never, "", 0, ""}, "there is no h: if it has a new name, the list of bugs needs it, too", ""},
	} {
		if c.then == "" {
			c.then = c.want
		}
		for src, want := range map[string]string{string(src): c.want, string(other): c.then} {
			m, err := c.choice.In([]byte(src))
			got := src[m.From:m.To] + " -> " + m.New
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%+v: %s, want %s", c.choice, got, want)
			}
		}
	}
}

func TestMutantsOfARealFileCanBeParsedAndDiffer(t *testing.T) {
	src, err := os.ReadFile("finder.go")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Of(src)
	if err != nil || len(all) < 40 {
		t.Fatalf("%d mutants, %v", len(all), err)
	}
	plain, err := format.Source(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Operator == Replace { // its text comes from a Choice
			continue
		}
		text, err := format.Source(Apply(src, m))
		if err != nil || string(text) == string(plain) {
			t.Errorf("%s: %v, the same: %v", m, err, string(text) == string(plain))
		}
	}
	if _, err := Of([]byte("func")); err == nil {
		t.Error("what is no Go has mutants")
	}
}
