package vt

import (
	"bytes"
	"fmt"
	"testing"
)

// seeds are inputs that mutations of make interesting ones.
var seeds = []string{
	"hello\r\nworld\tx\b\x1b[1;31mred\x1b[0m",
	"\x1b[3;5r\x1b[2;1H\n\n\n\x1bM\x1bM\x1b[2L\x1b[3M\x1b[4S\x1b[2T\x1b[r",
	"\x1b[?69h\x1b[3;9s\x1b[1;3Habc日本語\x1b[2P\x1b[3@\x1b[4X\x1b[2L\x1b[1M",
	"日本語日本語👩\u200d💻🇩🇪🇩e\u0301\u0d4ea\u0915\u094d\u0915❤\ufe0f1\ufe0f1\ufe0e\x1b[D\u0301",
	"\x1b[?1049hx\x1b[?1049l\x1b[?47h\x1b[?1047l\x1b7\x1b8\x1bc\x1b#8",
	"\x1b]0;title\a\x1b]8;id=1;http://a\x1b\\x\x1b]8;;\x1b\\\x1b]133;A\a$ \x1b]133;B\als\r\n" +
		"\x1b]133;C\aout\x1b[2J\x1b[22J\x1b[3J",
	"\x1b[38;5;1;48;2;1;2;3;4:3;58:2::1:2:3mx\x1b[4:9;1:2;38;2;1mz\x1b[38:2:1:2:3:4:5m",
	"\x1b[6n\x1b[c\x1b[>c\x1b[>q\x1b[?2026$p\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b[14t" +
		"\x1b]10;?\a\x1b]4;1;?\a\x1b[?u\x1b[>5u\x1b[<u",
	"\x1b_Ga=T,i=1,s=1,v=1,c=3,r=2;AAAAAA==\x1b\\\x1b_Ga=p,i=1,p=2,U=1\x1b\\\x1b_Ga=d,d=A\x1b\\\x1b_Ga=q," +
		"i=3;AAAA\x1b\\",
	"\x1b[?45h\x1b[?1045h\x1b[5D\b\b\b\x1b[?40h\x1b[?3h\x1b[?3l\x1b[?7l0123456789abcdef\x1b[4habc\x1b[b\x1b[20b",
	"\x1b(0qqq\x1b)A\x0e#\x0f\x1bN#\x1bO#中\x1b[1\"qp\x1b[?J\x1b[?2K\x1bVx\x1b[K\x1bW",
	"\xff\xc3(\xe4\xb8b\xf0\x9f\x98\x1b[1\x18m\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25m",
}

// play feeds input in pieces and resizes in between, as the bytes of cut say: each is the size of
// the next piece and, if it is above 200, a resize after it.
func play(term *Terminal, input, cut []byte, check func(step string)) {
	for i := 0; len(input) > 0; i++ {
		n := len(input)
		resize := false
		if len(cut) > 0 {
			c := cut[i%len(cut)]
			n = min(n, 1+int(c)%64)
			if resize = c > 200; resize {
				term.Resize(1+int(c)%37, 1+int(c)%11)
			}
		}
		check(fmt.Sprintf("before %q", input[:n]))
		term.Write(input[:n])
		check(fmt.Sprintf("after %q", input[:n]))
		input = input[n:]
	}
}

// FuzzNothingBreaksTheTerminal writes anything in any pieces, with resizes between them.
func FuzzNothingBreaksTheTerminal(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), []byte{byte(i * 7), 250, 3, byte(200 + i)})
	}
	f.Fuzz(func(t *testing.T, input, cut []byte) {
		term := New(Config{Cols: 10, Rows: 4, Scrollback: 20})
		play(term, input, cut, func(step string) {
			if err := term.Check(); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
		})
	})
}

// FuzzPiecesMakeNoDifference writes the same input at once and in pieces.
func FuzzPiecesMakeNoDifference(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), []byte{byte(i), 1, 9})
	}
	f.Fuzz(func(t *testing.T, input, cut []byte) {
		whole := New(Config{Cols: 12, Rows: 5, Scrollback: 10})
		whole.Write(input)
		pieces := New(Config{Cols: 12, Rows: 5, Scrollback: 10})
		small := make([]byte, len(cut)) // no resizes
		for i := range cut {
			small[i] = cut[i] % 200
		}
		play(pieces, input, small, func(string) {})
		if a, b := describe(whole), describe(pieces); a != b {
			t.Fatalf("at once:\n%s\nin pieces:\n%s", a, b)
		}
	})
}

// describe is everything that can be seen of a terminal.
func describe(t *Terminal) string {
	var b bytes.Buffer
	row := func(r Row) {
		fmt.Fprintf(&b, "%v %d", r.Wrapped(), r.Prompt())
		for _, c := range r.Cells() {
			fmt.Fprintf(&b, "|%q %d %v %s %v", c.Text, c.Width, c.Style, c.Link, c.Protected)
		}
		b.WriteByte('\n')
	}
	for i := range t.ScrollbackLen() {
		row(t.ScrollbackRow(i))
	}
	_, rows := t.Size()
	for y := range rows {
		row(t.Row(y))
	}
	fmt.Fprintf(&b, "%+v %v %v %q %q %d %d %q %+v", t.Cursor(), t.AltScreen(), t.Modes(), t.Title(), t.Pwd(),
		t.KittyKeyboard(), t.Bells(),
		t.TakeReplies(), t.Placements())
	return b.String()
}
