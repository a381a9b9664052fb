package hashline

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestASectionIsReadAgainAsItIsWritten(t *testing.T) {
	s := Section{Path: "a b#c.go", Tag: "0A3B", Line: 1, Hunks: []Hunk{
		{Verb: Replace, From: 1, To: 2, Body: []string{"", "+x", "-y", "¶z#0000", "*** Abort"}},
		{Verb: Replace, From: 5, To: 5, Block: true, Body: []string{"x"}},
		{Verb: Delete, From: 7, To: 9}, {Verb: Delete, From: 11, To: 11, Block: true},
		{Verb: Before, From: 12, To: 12, Body: []string{"x"}}, {Verb: After, From: 13, To: 13, Body: []string{" "}},
		{Verb: After, From: 14, To: 14, Block: true, Body: []string{"x"}}, {Verb: Head, Body: []string{"h"}},
		{Verb: Tail, Body: []string{"t"}},
	}}
	line := 2
	for i := range s.Hunks {
		s.Hunks[i].Line = line
		line += 1 + len(s.Hunks[i].Body)
	}
	got, err := Parse(s.String())
	if err != nil || len(got.Warnings) > 0 || !reflect.DeepEqual(got.Sections, []Section{s}) {
		t.Errorf("%s\n%+v, %v", s, got, err)
	}
	if paths := Paths("x\n" + s.String() + "¶b#0000\r\n1:¶d#0000\n¶b#FFFF\n¶e\n"); fmt.Sprint(paths) != "[a b#c.go b]" {
		t.Errorf("the paths are %q", paths)
	}
}

func TestMovedHunks(t *testing.T) {
	text := "1\n2\n3\n4\n5\n6\n7\n8\n"
	asked := ""
	moved := func(from, to int) (int, bool) {
		asked += fmt.Sprintf("%d-%d ", from, to)
		return 2, true
	}
	hunks := []Hunk{{Verb: Head, Body: []string{"h"}}, {Verb: Replace, From: 2, To: 3, Body: []string{"x"}},
		{Verb: Before, From: 5, To: 5, Body: []string{"b"}},
		{Verb: After, From: 6, To: 7, Block: true, Body: []string{"a"}},
		{Verb: Tail, Body: []string{"t"}}}
	got, ok := Rebase(text, hunks, moved)
	if want := "1-0 2-3 5-4 8-7 9-8 "; asked != want || !ok {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	after, _, err := Apply("+\n+\n"+text, got, nil)
	if want := "h\n+\n+\n1\nx\n4\nb\n5\n6\n7\na\n8\nt\n"; after != want || err != nil {
		t.Errorf("%q, %v; want %q", after, err, want)
	}
	if _, ok := Rebase(text, hunks, func(from, to int) (int, bool) { return 0, from != 5 }); ok {
		t.Error("a hunk is moved whose line is not there any more")
	}
}

func TestAMismatchNamesLinesThatThereAreNot(t *testing.T) {
	s := Section{Path: "a", Tag: "0000", Hunks: []Hunk{{Verb: Delete, From: 1, To: 9}, {Verb: Tail}}}
	err := MismatchError(s, "FFFF", "x\ny\n", true)
	if !strings.Contains(err.Error(), "\n*1:x\n*2:y\n(the file has 2 lines; there is no line 9)\n") {
		t.Error(err)
	}
}
