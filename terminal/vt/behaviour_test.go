package vt

import (
	"fmt"
	"strings"
	"testing"
)

// picture draws what a test wants to see: scrollback rows, a rule, the grid without blank rows at
// its end. A ">" behind a row says that it is soft-wrapped; the cursor is row,col from 0, with "+"
// for a pending wrap.
func picture(t *Terminal) string {
	var b strings.Builder
	row := func(r Row) {
		b.WriteString(r.Text())
		if r.Wrapped() {
			b.WriteByte('>')
		}
		b.WriteByte('|')
	}
	for i := range t.ScrollbackLen() {
		row(t.ScrollbackRow(i))
	}
	if t.ScrollbackLen() > 0 {
		b.WriteString("--|")
	}
	_, rows := t.Size()
	for rows > 0 && t.Row(rows-1).Text() == "" && !t.Row(rows-1).Wrapped() {
		rows--
	}
	for y := range rows {
		row(t.Row(y))
	}
	c := t.Cursor()
	fmt.Fprintf(&b, " %d,%d", c.Row, c.Col)
	if c.PendingWrap {
		b.WriteByte('+')
	}
	return b.String()
}

// behaviours are the points of the behaviour table, on a terminal of 10x4 with 10 rows of
// scrollback.
var behaviours = []struct{ area, name, in, want string }{
	{"wrap", "the last column leaves a pending wrap", "0123456789", "0123456789| 0,9+"},
	{"wrap", "the next character wraps", "0123456789a", "0123456789>|a| 1,1"},
	{"wrap", "CR, BS and moves clear it", "0123456789\rA\x1b[1;10H", "A123456789| 0,9"},
	{"wrap", "BS also moves", "0123456789\bX", "01234567X9| 0,9"},
	{"wrap", "EL and ED clear it", "0123456789\x1b[KX", "012345678X| 0,9+"},
	{"wrap", "SGR keeps it", "0123456789\x1b[1mX", "0123456789>|X| 1,1"},
	{"wrap", "TAB keeps it", "0123456789\tX", "0123456789>|X| 1,1"},
	{"wrap", "DECSC saves it, DECRC brings it back", "0123456789\x1b7\r\x1b8X", "0123456789>|X| 1,1"},
	{"wrap", "without DECAWM the last cell is overwritten", "\x1b[?7l0123456789ab", "012345678b| 0,9+"},
	{"wrap", "without DECAWM a wide character that does not fit is dropped", "\x1b[?7l012345678日x", "012345678x| 0,9+"},
	{"wide", "at the edge leaves a blank and wraps", "012345678日", "012345678>|日| 1,2"},
	{"wide", "a run of text over some", "日本語\rabcde", "abcde| 0,5"},
	{"wide", "overwriting the second half blanks the first", "日本\x1b[1;2Hx", " x本| 0,2"},
	{"wide", "overwriting the first half blanks the second", "日本\x1b[1;3Hx", "日x| 0,3"},
	{"wide", "DCH leaves no half", "日本x\x1b[1;2H\x1b[P", " 本x| 0,1"},
	{"wide", "ICH leaves no half", "日本x\x1b[1;2H\x1b[@", "   本x| 0,1"},
	{"wide", "ECH leaves no half", "日本x\x1b[1;2H\x1b[2X", "    x| 0,1"},
	{"wide", "EL leaves no half", "日本x\x1b[1;2H\x1b[K", " 0,1"},
	{"controls", "0x10 to 0x1f and DEL are cells", "a\x10\x7f\x18b", "a\x10\x7f\x18b| 0,5"},
	{"controls", "CAN ends a sequence", "\x1b[3\x18Cx", "Cx| 0,2"},
	{"controls", "C1 as UTF-8 is a cell", "a\u0085b", "a\u0085b| 0,3"},
	{"controls", "bad UTF-8 is one replacement for each subpart", "a\xff\xc3(\xe4\xb8b", "a\ufffd\ufffd(\ufffdb| 0,6"},
	{"clusters", "a ZWJ family is one", "👨\u200d👩\u200d👧x", "👨\u200d👩\u200d👧x| 0,3"},
	{"clusters", "a family is three without mode 2027", "\x1b[?2027l👨\u200d👩\u200d👧x", "👨\u200d👩\u200d👧x| 0,7"},
	{"clusters", "zero width that joins nothing is dropped", "\u200bx\u2060\ufeffy", "xy| 0,2"},
	{"clusters", "a mark after a move still attaches", "ab\x1b[1;2H\u0301", "a\u0301b| 0,1"},
	{"clusters", "a mark at column 0 is dropped", "\u0301x", "x| 0,1"},
	{"clusters", "with a pending wrap a mark attaches to the last cell", "0123456789\u0301", "0123456789\u0301| 0,9+"},
	{"clusters", "a skin tone after a letter stands alone", "a🏽", "a🏽| 0,3"},
	{"clusters", "VS16 makes it wide", "❤\ufe0fx", "❤\ufe0fx| 0,3"},
	{"clusters", "VS16 makes a digit wide", "1\ufe0fx", "1\ufe0fx| 0,3"},
	{"clusters", "VS15 makes it narrow and takes the cursor back", "⌚\ufe0ex", "⌚\ufe0ex| 0,2"},
	{"clusters", "a selector looks at the character before it", "🏴\u200d☠\ufe0fx", "🏴\u200d☠\ufe0fx| 0,3"},
	{"clusters", "not at the first one", "1\u0301\ufe0fx", "1\u0301x| 0,2"},
	{"clusters", "a selector behind anything else is dropped", "a\ufe0fx", "ax| 0,2"},
	{"clusters", "what becomes wide at the edge moves on", "012345678❤\ufe0f", "012345678>|❤\ufe0f| 1,2"},
	{"clusters", "a flag is two columns, one letter of it too", "🇩🇪🇩", "🇩🇪🇩| 0,4"},
	{"clusters", "flags do not join without mode 2027", "\x1b[?2027l🇩🇪", "🇩🇪| 0,4"},
	{"clusters", "a mark behind a full row joins its last letter without mode 2027", "\x1b[?2027l012345678e\u0301x",
		"012345678e\u0301>|x| 1,1"},
	{"clusters", "without autowrap, the one before it", "\x1b[?2027;7l012345678e\u0301x", "012345678\u0301x| 0,9+"},
	{"clusters", "sara am makes its base wide", "\u0e01\u0e33x", "\u0e01\u0e33x| 0,3"},
	{"clusters", "a conjunct is one", "\u0915\u094d\u0937x", "\u0915\u094d\u0937x| 0,3"},
	{"clusters", "a prepended letter joins what follows", "\u0d4e\u0915x", "\u0d4e\u0915x| 0,3"},
	{"clusters", "conjoining jamo that join nothing are dropped", "a\u1160\u11a8", "a| 0,1"},
	{"erase", "ED 2 keeps the cursor and the scrollback", "1\r\n2\r\n3\r\n4\r\n5\x1b[2J", "1|--| 3,1"},
	{"erase", "ED 3 drops the scrollback alone", "1\r\n2\r\n3\r\n4\r\n5\x1b[3J", "2|3|4|5| 3,1"},
	{"erase", "ED 22 pushes what is in use and takes the cursor along", "1\r\n2\x1b[4;1H\x1b[22J", "1|2|--| 1,0"},
	{"erase", "ED 2 at a prompt pushes", "out\r\n\n\n\x1b]133;A\a$ \x1b[H\x1b[2J", "out|||$|--| 0,0"},
	{"erase", "EL 2 ends the soft wrap", "0123456789a\x1b[A\x1b[2K", "|a| 0,1"},
	{"erase", "EL 0 ends the soft wrap", "0123456789a\x1b[A\x1b[K", "0|a| 0,1"},
	{"scroll", "LF at the bottom pushes", "1\r\n2\r\n3\r\n4\r\n5", "1|--|2|3|4|5| 3,1"},
	{"scroll", "SU pushes", "1\r\n2\r\n3\x1b[2S", "1|2|--|3| 2,1"},
	{"scroll", "a region from the top pushes, also above the bottom", "1\r\n2\r\n3\r\n4\x1b[1;2r\x1b[2;1H\n",
		"1|--|2||3|4| 1,0"},
	{"scroll", "a region below loses", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n", "1|3||4| 2,0"},
	{"scroll", "SD loses the bottom rows", "1\r\n2\r\n3\r\n4\x1b[2T", "||1|2| 3,1"},
	{"scroll", "RI at the top scrolls down", "1\r\n2\x1b[H\x1bM", "|1|2| 0,0"},
	{"scroll", "IL goes to the left margin", "1\r\nxy\x1b[L", "1||xy| 1,0"},
	{"scroll", "DL goes to the left margin", "1\r\nxy\r\nz\x1b[2;2H\x1b[M", "1|z| 1,0"},
	{"scroll", "IL and DL end the soft wrap of rows that move", "0123456789a\x1b[1;1H\x1b[L", "|0123456789|a| 0,0"},
	{"scroll", "IL outside of the region is ignored", "1\r\n2\r\n3\r\n4\x1b[1;2r\x1b[4;1H\x1b[L", "1|2|3|4| 3,0"},
	{"scroll", "margins cut rows", "abcdefgh\r\nijklmnop\x1b[?69h\x1b[3;5s\x1b[1;3H\x1b[M", "abklmfgh|ij   nop| 0,2"},
	{"margins", "an invalid range does not home", "ab\x1b[3;2r", "ab| 0,2"},
	{"margins", "a valid one homes", "ab\x1b[2;3r", "ab| 0,0"},
	{"margins", "DECSLRM needs mode 69", "ab\x1b[3;5s\x1b[1;1Hx", "xb| 0,1"},
	{"tabs", "every eight, then the edge", "a\tb\tc", "a       bc| 0,9+"},
	{"tabs", "CSI g without a parameter is ignored", "\t\x1b[g\r\tx", "        x| 0,9"},
	{"tabs", "CSI 0 g clears the stop of the column, and sets none", "\t\x1b[0g\r\x1b[5G\x1b[0g\r\tx",
		"         x| 0,9+"},
	{"tabs", "CSI 2 W does, too", "\x1b[5G\x1b[2W\r\tx", "        x| 0,9"},
	{"tabs", "CSI 3 g clears all, CSI ? 5 W resets", "\x1b[3g\tx\x1b[?5W\r\ty", "        yx| 0,9"},
	{"tabs", "HTS and CBT", "ab\x1bH\r\tx\x1b[Zy", "aby| 0,3"},
	{"cursor", "SCOSC and DECSC share a slot", "ab\x1b[scd\x1b8x", "abxd| 0,3"},
	{"cursor", "DECRC without a save homes", "ab\x1b8x", "xb| 0,1"},
	{"cursor", "origin mode counts from the margins", "\x1b[2;3r\x1b[?6hx\x1b[9;1Hy", "|x|y| 2,1"},
	{"cursor", "reverse wrap goes back over a soft wrap only", "0123456789a\x1b[?45h\b\b\bX", "01234567X9>|a| 0,9"},
	{"cursor", "reverse wrap stops at a hard end", "ab\r\nc\x1b[?45h\b\bX", "ab|X| 1,1"},
	{"cursor", "extended reverse wrap goes anywhere", "ab\r\nc\x1b[?1045h\b\bX", "ab       X|c| 0,9+"},
	{"alternate", "1049 saves and restores the cursor", "ab\x1b[?1049hxyz\x1b[?1049lc", "abc| 0,3"},
	{"alternate", "1049 restores even if never entered", "\x1b7abc\x1b[?1049lx", "xbc| 0,1"},
	{"alternate", "1049 clears when it is set", "ab\x1b[?1049hxyz\x1b[?1049l\x1b[?1049h", " 0,2"},
	{"alternate", "1047 clears when it is reset", "ab\x1b[?1047hxyz\x1b[?1047l\x1b[?1047h", " 0,5"},
	{"alternate", "47 takes the cursor along and clears nothing", "ab\x1b[?47hX\x1b[?47l", "ab| 0,3"},
	{"alternate", "it has no scrollback", "1\r\n2\r\n3\r\n4\r\n5\x1b[?1049h\x1b[H\n\n\n\n\n", " 3,0"},
	{"insert", "IRM moves the rest", "abc\x1b[1;2H\x1b[4hXY", "aXYbc| 0,3"},
	{"repeat", "REP repeats the last character, also after moves", "ab\x1b[3b\x1b[2;1H\x1b[2b", "abbbb|bb| 1,2"},
	{"charset", "line drawing", "\x1b(0lqk\x1b(Bq", "┌─┐q| 0,4"},
	{"charset", "a mapped set blanks what is not Latin-1", "\x1b(0中q", " ─| 0,3"},
	{"charset", "SO, SI, SS2", "\x1b)0\x0eq\x0fq\x1b*0\x1bNqq", "─q─q| 0,4"},
	{"protect", "DECSEL spares DECSCA cells, EL does not", "a\x1b[1\"qb\x1b[0\"qc\x1b[1;1H\x1b[?2K", " b| 0,0"},
	{"protect", "EL spares SPA cells", "a\x1bVb\x1bWc\x1b[1;1H\x1b[2K", " b| 0,0"},
	{"align", "DECALN fills with E and homes", "\x1b#8", "EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE| 0,0"},
	{"reset", "RIS drops everything", "1\r\n2\r\n3\r\n4\r\n5\x1b[2;3r\x1b[?7l\x1bcx", "x| 0,1"},
	{"reset", "DECSTR is not known", "ab\x1b[!px", "abx| 0,3"},
	{"prompt", "A starts on a fresh line", "ab\x1b]133;A\a$", "ab|$| 1,1"},
	{"prompt", "A at the start of a line does not", "ab\r\n\x1b]133;A\a$", "ab|$| 1,1"},
	{"prompt", "ConEmu's mark is one, too", "ab\x1b]9;12\a$", "ab|$| 1,1"},
	{"parser", "25 parameters void a sequence", "\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;4mx", "x| 0,1"},
	{"parser", "too many parameters for a function void it", "\x1b[2;2;2Hx", "x| 0,1"},
	{"columns", "DECCOLM needs mode 40", "ab\x1b[?3hx", "abx| 0,3"},
}

func TestBehaviours(t *testing.T) {
	for _, c := range behaviours {
		t.Run(c.area+": "+c.name, func(t *testing.T) {
			term := newTest(10, 4, 10)
			term.WriteString(c.in)
			if got := picture(term); got != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.in, got, c.want)
			}
			if err := term.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestResizes plays a size, input, another size: the picture after it.
func TestResizes(t *testing.T) {
	for _, c := range []struct {
		name, in   string
		cols, rows int
		want       string
	}{
		{"narrower splits, the cursor stays on its cell", "0123456789abc\r\nx\x1b[1;8H", 5, 4,
			"01234>|56789>|abc|x| 1,2"},
		{"wider joins", "0123456789abc\r\nx", 20, 4, "0123456789abc|x| 1,1"},
		{"a wide character never splits", "012日本語\b\b", 4, 4, "012>|日本>|語| 2,0"},
		{"a cursor behind the text of a row that splits stays there", "012日本語", 4, 4, "012>|日本>|語| 2,2"},
		{"so do the blanks before it", "abc\x1b[6C", 5, 4, "abc>| 1,4"},
		{"a pending wrap stays one", "0123456789", 20, 4, "0123456789| 0,9+"},
		{"rows pushed by narrowing go to the scrollback", "0123456789\r\n0123456789\r\n0123456789\r\nx\b", 5, 4,
			"01234>|56789|01234>|--|56789|01234>|56789|x| 3,0"},
		{"lower: blank rows go first", "1\r\n2", 10, 2, "1|2| 1,1"},
		{"lower: then the top is pushed", "1\r\n2\r\n3\r\n4", 10, 2, "1|2|--|3|4| 1,1"},
		{"higher: rows come back when the cursor is on the last", "1\r\n2\r\n3\r\n4\r\n5\r\n6", 10, 6,
			"1|2|3|4|5|6| 5,1"},
		{"higher: none come back when it is not", "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[A", 10, 6, "1|2|--|3|4|5|6| 2,1"},
		{"without DECAWM rows are cut", "0123456789\x1b[?7l", 5, 4, "01234| 0,4+"},
		{"margins go", "\x1b[2;3r\x1b[4;1Hx", 10, 5, "|||x| 3,1"},
		{"a prompt is blanked for the shell to draw again", "out\r\n\x1b]133;A\a$ \x1b]133;B\als", 8, 4, "out| 1,4"},
		{"unless it says that it will not", "out\r\n\x1b]133;A;redraw=0\a$ \x1b]133;B\als", 8, 4, "out|$ ls| 1,4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := newTest(10, 4, 10)
			term.WriteString(c.in)
			term.Resize(c.cols, c.rows)
			if got := picture(term); got != c.want {
				t.Errorf("%q to %dx%d\n got %s\nwant %s", c.in, c.cols, c.rows, got, c.want)
			}
			if err := term.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnOlderGhosttyCutsTheBlanksBeforeTheCursor(t *testing.T) {
	term := New(Config{Cols: 10, Rows: 4, Personality: Personality{ReflowCutsCursor: true}})
	term.WriteString("012日本語")
	term.Resize(4, 4)
	if got, want := picture(term), "012>|日本>|語| 0,3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheAlternateScreenNeverRewraps(t *testing.T) {
	term := newTest(10, 4, 10)
	term.WriteString("0123456789ab\b\x1b[?1049h\x1b[H0123456789ab")
	term.Resize(5, 4)
	if got, want := picture(term), "01234>|ab| 1,2"; got != want {
		t.Errorf("alternate: got %s, want %s", got, want)
	}
	term.WriteString("\x1b[?1049l")
	if got, want := picture(term), "01234>|56789>|ab| 2,1"; got != want {
		t.Errorf("primary: got %s, want %s", got, want)
	}
}

func TestNarrowingAndWideningLosesNothing(t *testing.T) {
	term := newTest(20, 4, 50)
	for i := range 60 {
		fmt.Fprintf(term, "%02d4567890123456789\r\n", i)
	}
	before := strings.Join(term.Tape(), "|")
	term.Resize(5, 4)
	term.Resize(20, 4)
	if got := strings.Join(term.Tape(), "|"); got != before {
		t.Errorf("got  %s\nwant %s", got, before)
	}
	if term.ScrollbackLen() != 50 {
		t.Errorf("%d rows of scrollback", term.ScrollbackLen())
	}
}

func TestAMarkBehindAPendingWrapWithoutClusters(t *testing.T) {
	for _, c := range []struct {
		personality Personality
		mode, want  string
	}{
		{Personality{}, "", "abc\u0301"},
		{Personality{}, "\x1b[?7l", "ab\u0301c"},
		{Personality{NoGraphemeClusters: true}, "", "abc\u0301"},
		{Personality{NoGraphemeClusters: true}, "\x1b[?7l", "abc\u0301"},
	} {
		term := New(Config{Cols: 3, Rows: 1, Personality: c.personality})
		term.WriteString("\x1b[?2027l" + c.mode + "abc\u0301")
		if got := term.Row(0).Text(); got != c.want {
			t.Errorf("%+v, %q: got %q, want %q", c.personality, c.mode, got, c.want)
		}
	}
}
