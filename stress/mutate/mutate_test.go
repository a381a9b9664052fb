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
			text := string(m.Apply([]byte(src)))
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

func TestMutantsOfARealFileCanBeParsedAndDiffer(t *testing.T) {
	src, err := os.ReadFile("mutate.go")
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
		text, err := format.Source(m.Apply(src))
		if err != nil || string(text) == string(plain) {
			t.Errorf("%s: %v, the same: %v", m, err, string(text) == string(plain))
		}
	}
	if _, err := Of([]byte("func")); err == nil {
		t.Error("what is no Go has mutants")
	}
}
