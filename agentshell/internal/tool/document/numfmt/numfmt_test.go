package numfmt

import (
	"math"
	"testing"
	"unicode/utf8"
)

func TestANumberIsShownAsItsFormatSays(t *testing.T) {
	for _, c := range []struct {
		code string
		v    float64
		want string
	}{
		{"", 0.1 + 0.2, "0.3"}, {"General", -12, "-12"}, {"", 1e-10, "1E-10"}, {"", 0, "0"}, {"", math.Inf(1), "+Inf"},
		{`General" pcs"`, 3, "3 pcs"},
		// Digits.
		{"0", 2.5, "3"}, {"0.00", 1.005, "1.01"}, {"0.00", 99.999, "100.00"}, {"#.##", 0.5, ".5"}, {"#.##", 5, "5."},
		{"0.0#", 1.25, "1.25"}, {"0.0#", 1.2, "1.2"}, {"00000", 42, "00042"}, {"?0.0?", 1.5, "1.5"},
		{"#,##0", 1234567, "1,234,567"}, {"0,000", 5, "0,005"}, {"#,##0.00", 0.5, "0.50"}, {"#,", 1234567, "1235"},
		{"0.0,,", 1234567, "1.2"}, {"0.0,,\" M\"", 1234567, "1.2 M"}, {"#", 0, ""},
		{"000-0000", 5551234, "555-1234"}, {"(###) ###-####", 2065551234, "(206) 555-1234"}, {"###-####",
			12065551234, "1206555-1234"},
		{"0%", 0.256, "26%"}, {"0.0%", -0.256, "-25.6%"}, {"0.00E+00", 12345, "1.23E+04"}, {"0.0E-0", 12345, "1.2E4"},
		{"0.0E-0", 0.00012, "1.2E-4"}, {"##0.0E+0", 12345, "12.3E+3"}, {"##0.0E+0", 999990, "1.0E+6"}, {"0E+0", 0,
			"0E+0"},
		{"0E+0", 9.6, "1E+1"}, {"# ?/?", 1.25, "1 1/4"}, {"# ??/??", 3.14159, "3 14/99"}, {"# ???/???", 3.14159,
			"3 16/113"},
		{"# ?/?", 0.25, "1/4"}, {"# ?/?", 2, "2"}, {"?/?", 1.5, "3/2"}, {"# ?/8", 0.3, "2/8"}, {"# ??/16", 0.99, "1"},
		// Sections, conditions, what is between digits.
		{"0;(0)", -5, "(5)"}, {"0;(0);zero", 0, "zero"}, {"0;;", -5, ""}, {"[Red]0", -5, "-5"}, {"[$€-407] 0", 5,
			"€ 5"},
		{"[$-409]0", 5, "5"}, {"[<10]\"few\";[<100]\"some\";\"many\"", 50, "some"},
		{"[<10]\"few\";[<100]\"some\";\"many\"", 500, "many"},
		{"[>=100]0;[<0]0.0", 5, "5"}, {"[<0](0);0", -5, "(5)"}, {"[>10]0", -5, "-5"}, {`\x0\y`, 5, "x5y"},
		{"_(* #,##0_);_(* (#,##0);_(* \"-\"_)", -1234, "(1,234)"},
		{"_-* #,##0.00 [$€-1]_-", 12, "12.00 €"}, {`"a;b"0`, 1, "a;b1"}, {"@", 1.5, "1.5"}, {"0;0;0;@", 3, "3"},
		{"0;@", -2, "-2"},
		// Days and times.
		{"yyyy-mm-dd", 45292, "2024-01-01"}, {"d/m/yy", 45292.99999999, "1/1/24"}, {"yyyy-mm-dd", 60, "1900-02-29"},
		{"yyyy-mm-dd", 61, "1900-03-01"}, {"yyyy-mm-dd", 59, "1900-02-28"}, {"yyyy-mm-dd", 0, "1900-01-00"},
		{"ddd", 1, "Sun"}, {"dddd", 45292, "Monday"},
		{"mmm mmmm mmmmm", 45292, "Jan January J"}, {"h:mm", 0.5, "12:00"}, {"hh:mm:ss", 0.999999, "00:00:00"},
		{"h AM/PM", 0, "12 AM"},
		{"h:mm a/p", 0.75, "6:00 P"}, {"mm:ss", 1.0 / 48, "30:00"}, {"mm:ss.0", 1.25 / 86400, "00:01.3"}, {"s.000",
			1.0005 / 86400, "1.001"},
		{"[h]:mm", 1.5, "36:00"}, {"[mm]:ss", 1.0 / 24, "60:00"}, {"[s]", 1, "86400"}, {"[hh]", 0.25, "06"},
		{"yyyy-mm-dd", -1, "-1"},
		{"yyyy", maxDayNumber, "2958466"}, {"[$-409]d\\-mmm\\-yyyy;@", 45292, "1-Jan-2024"}, {"YYYY/MM/DD HH:MM",
			45292.25, "2024/01/01 06:00"},
		{"yyyy\"年\"m\"月\"d\"日\"", 45292, "2024年1月1日"}, {"dd.mm.yyyy", 45292, "01.01.2024"},
	} {
		if got := Parse(c.code).Number(c.v); got != c.want {
			t.Errorf("%v as %s: %q, want %q", c.v, c.code, got, c.want)
		}
	}
	if got := (Format{From1904: true, sections: Parse("ddd yyyy-mm-dd").sections}).Number(0); got != "Fri 1904-01-01" {
		t.Error(got)
	}
}

func TestATextIsShownAsItsFormatSays(t *testing.T) {
	for code, want := range map[string]string{"": "x", "0": "x", "@": "x", `"No. "@`: "No. x",
		`0;0;0;"<"@">"`: "<x>", "0;0;0;": "", "0;@": "x"} {
		if got := Parse(code).Text("x"); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestAFormatWithANumberHasItsCode(t *testing.T) {
	for id, want := range map[int]string{0: "", 4: "#,##0.00", 14: "yyyy-mm-dd", 58: "yyyy-mm-dd", 59: "", -1: "",
		200: ""} {
		if got := Builtin(id); got != want {
			t.Errorf("%d: %q", id, got)
		}
	}
	if got := Parse(Builtin(44)).Number(-1234.5); got != "$(1,234.50)" {
		t.Error(got)
	}
}

func FuzzAFormatShowsEachNumber(f *testing.F) {
	f.Add("[<10]#,##0.0%;[h]:mm:ss.00 AM/PM;# ??/??;\"x\"@", 1234.5)
	f.Add("0.00E+00[$€-1]_)*-\\", -0.001)
	f.Fuzz(func(t *testing.T, code string, v float64) {
		got := Parse(code).Number(v)
		if utf8.ValidString(code) && !utf8.ValidString(got) || len(got) > 400+64*len(code) {
			t.Errorf("%q", got)
		}
		Parse(code).Text("x")
	})
}
