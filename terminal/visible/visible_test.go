package visible

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestWhatATerminalObeysOrAReaderMissesBecomesAToken(t *testing.T) {
	for _, c := range []struct{ in, want, counts string }{
		{"plain text, größe, 漢字 e\u0301 — “x” │", "plain text, größe, 漢字 e\u0301 — “x” │", ""},
		{"", "", ""},
		{"\x1b[31mred\x1b[0m", "␛[31mred␛[0m", "2 control"},
		{"\x00\a\b\r\n\t\x7f", "␀␇␈␍␊␉␡", "7 control"},
		{"\u009b31m\u0085", "<U+009B>31m<U+0085>", "2 control"},
		{"\x9b31m", "<0x9B>31m", "1 invalid"}, // a bare C1 byte is no UTF-8; an 8-bit terminal would take it for CSI
		{"a\u202eb\u2066c\u200e\u200f\u061c", "a<U+202E>b<U+2066>c<U+200E><U+200F><U+061C>", "5 bidi"},
		{"a\u200bb\ufeff\u00ad\u2060\u3164\u115f\u180e\u2028",
			"a<U+200B>b<U+FEFF><U+00AD><U+2060><U+3164><U+115F><U+180E><U+2028>", "8 invisible"},
		{"x\U000e0041\U000e007f\U000e0101", "x<U+E0041><U+E007F><U+E0101>", "1 invisible, 2 tag"},
		{"\xff\xe6\xbc\xffa\xc0\x80\xed\xa0\x80", "<0xFF><0xE6><0xBC><0xFF>a<0xC0><0x80><0xED><0xA0><0x80>",
			"9 invalid"},
		{"\ufffd \ufffe \ufdd0 \U0010ffff", "\ufffd <U+FFFE> <U+FDD0> <U+10FFFF>", "3 invalid"},
		{"\u0600\u0661 \u06dd", "\u0600\u0661 \u06dd", ""}, // these format characters are drawn
		// emoji
		{"❤\ufe0f ✂\ufe0e 1\ufe0f\u20e3 ©\ufe0f", "❤\ufe0f ✂\ufe0e 1\ufe0f\u20e3 ©\ufe0f", ""},
		{"👩\u200d👩\u200d👧 👩🏽\u200d💻 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈",
			"👩\u200d👩\u200d👧 👩🏽\u200d💻 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈", ""},
		{"🇩🇪 👍🏽", "🇩🇪 👍🏽", ""},
		{"a\ufe0f❤\ufe0f\ufe0f", "a<U+FE0F>❤\ufe0f<U+FE0F>", "2 invisible"},
		{"a\u200db 👩\u200d 👩\u200d\u200d👩 \u200d👩", "a<U+200D>b 👩<U+200D> 👩<U+200D><U+200D>👩 <U+200D>👩", "5 invisible"},
		{"pass\u200cword می\u200cخواهم", "pass<U+200C>word می<U+200C>خواهم", "2 invisible"},
		{"\ufe0f", "<U+FE0F>", "1 invisible"},
	} {
		got, n := Line(c.in)
		if got != c.want || n.String() != c.counts {
			t.Errorf("Line(%+q)\n got %+q (%s)\nwant %+q (%s)", c.in, got, n, c.want, c.counts)
		}
	}
}

func TestOptionsKeepWhatTheCallerAsksFor(t *testing.T) {
	if got, n := Lines("a\tb\nc\r\n"); got != "a\tb\nc␍\n" || n != (Counts{Control: 1}) {
		t.Errorf("Lines: %q, %v", got, n)
	}
	o := Options{ASCII: true}
	if got, _ := o.String("\x1b\x7f\r\u009b\u202e\xff"); got != "<ESC><DEL><CR><U+009B><U+202E><0xFF>" {
		t.Errorf("ASCII: %q", got)
	}
	o = Options{Joiners: true}
	if got, n := o.String("می\u200cخواهم क्\u200dष pass\u200cword"); got !=
		"می\u200cخواهم क्\u200dष pass<U+200C>word" || n.Invisible != 1 {
		t.Errorf("Joiners: %+q, %v", got, n)
	}
	for s, want := range map[string]int{"അവന്\u200d വന്നു": 0, "می\u200c": 0, "അവ\u200d വ": 1, "ന്x\u200d": 1,
		"می\u200c\u200cخ": 2, "\u200cمی": 1, "می \u200c": 1} {
		if _, n := o.String(s); n.Invisible != want {
			t.Errorf("Joiners: %+q has %d that are none, want %d", s, n.Invisible, want)
		}
	}
}

// A directional mark of text from right to left is out of sight in prose, and only there:
// elsewhere, and beside other letters, it is a token, and so is whatever turns letters around.
func TestDirectionalMarksAreOutOfSightInProseFromRightToLeft(t *testing.T) {
	dots := strings.Repeat(".", 20)
	const hebrew, arabic = "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627"
	for s, want := range map[string]string{
		hebrew + "!\u200f":                 hebrew + "!",
		"\u200f" + hebrew:                  hebrew,
		"C++\u200e " + hebrew:              "C++ " + hebrew,
		hebrew + " +972\u200e 3":           hebrew + " +972 3",
		arabic + "\u061c 12\u200f":         arabic + " 12",
		"a\u200fb":                         "a<U+200F>b",
		hebrew + " a\u200eb":               hebrew + " a<U+200E>b",
		"\u202e" + hebrew + "\u2066\u202c": "<U+202E>" + hebrew + "<U+2066><U+202C>",
		hebrew + dots + "\u200f" + dots:    hebrew + dots + "<U+200F>" + dots,
	} {
		if got, _ := (Options{Joiners: true}).String(s); got != want {
			t.Errorf("%+q is %+q, want %+q", s, got, want)
		}
		marks := 0
		for _, r := range s {
			if unicode.Is(unicode.Bidi_Control, r) {
				marks++
			}
		}
		if got, n := Line(s); n.Bidi != marks || strings.Count(got, "<U+") != marks {
			t.Errorf("outside of prose %+q is %+q", s, got)
		}
	}
}

func TestAFloodOfMarksIsCut(t *testing.T) {
	flood := "\u05d0" + strings.Repeat("\u05b0", 10) + "\u200f" + strings.Repeat("\u05b0", 30)
	once, n := Options{Joiners: true}.String(flood)
	if again, _ := (Options{Joiners: true}).String(once); n.Invisible != 10 || again != once {
		t.Errorf("beside a mark that is left out: %d tokens, again %+q", n.Invisible, again)
	}
	got, n := Line("e" + strings.Repeat("\u0301", 100) + "x" + strings.Repeat("\u0301", 30))
	if n.Invisible != 70 || !strings.HasSuffix(got, "x"+strings.Repeat("\u0301", 30)) {
		t.Errorf("%d tokens: %q", n.Invisible, got)
	}
}

func TestPiecesTellTokensFromText(t *testing.T) {
	var got []string
	for p := range (Options{}).Pieces("<U+202E>a\x1b\u202eb") {
		if p.Kind != Text {
			p.Text = "!" + p.Text
		}
		got = append(got, p.Text)
	}
	if s := strings.Join(got, "|"); s != "<U+202E>a|!␛|!<U+202E>|b" {
		t.Error(s)
	}
}

func TestCleanTextIsReturnedWithoutAnAllocation(t *testing.T) {
	s := "func main() {\n\tfmt.Println(\"größe 漢字 👩\u200d👩\u200d👧 1\ufe0f\u20e3\")\n}\n"
	if n := testing.AllocsPerRun(10, func() { Lines(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzOutputHoldsNoControlAndNothingIsLost(f *testing.F) {
	for _, s := range []string{"\x1b]52;c;AAAA\a", "\u009b2J", "\x9b2J", "❤\ufe0f\u200d🔥", "a\u202e\u2067",
		"\U000e0041", "\xc2", "e\u0301\u0301", "می\u200cخ", "1\ufe0f\u20e3"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(15))
	}
	f.Fuzz(func(t *testing.T, s string, opt uint8) {
		o := Options{Newline: opt&1 != 0, Tab: opt&2 != 0, Joiners: opt&4 != 0, ASCII: opt&8 != 0}
		got, n := o.String(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%+v: %q becomes invalid %q", o, s, got)
		}
		for _, r := range got {
			switch {
			case r == '\n' && o.Newline, r == '\t' && o.Tab:
			case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe0fff, r == 0x200b,
				r == 0xfeff:
				t.Fatalf("%+v: %+q in %+q, from %+q", o, r, got, s)
			}
		}
		var c Counts
		left := 0 // marks that are left out
		var joined, raw strings.Builder
		for p := range o.Pieces(s) {
			joined.WriteString(p.Text)
			raw.WriteString(p.Raw)
			c.Add(p.Kind)
			if p.Text == "" && o.Joiners && strings.ContainsAny(p.Raw, "\u200e\u200f\u061c") {
				left++
			} else if p.Raw == "" || p.Kind == Text && p.Text != p.Raw {
				t.Fatalf("%+v: piece %+v of %q", o, p, s)
			}
		}
		if joined.String() != got || raw.String() != s || c != n {
			t.Fatalf("%+v: %q: Pieces make %q %v, String %q %v", o, s, joined.String(), c, got, n)
		}
		if changed := n.Total()+left > 0; changed != (got != s) {
			t.Fatalf("%+v: %q becomes %q with %v", o, s, got, n)
		}
		// A second pass leaves it alone: what we write is harmless by our own rules.
		if again, m := o.String(got); again != got || m.Total() != 0 {
			// A token between two pieces can bring no new neighbours together, so this must not
			// happen.
			t.Fatalf("%+v: %+q becomes %+q, and that %+q", o, s, got, again)
		}
	})
}
