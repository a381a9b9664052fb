package stdinbuf

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// show writes tokens so that a table can be read: Text as it is, others as Kind(data).
func show(seq iter.Seq[Token]) []string {
	var out []string
	for t := range seq {
		out = append(out, showOne(t))
	}
	return out
}

func showOne(t Token) string {
	if t.Kind == Text {
		return string(t.Data)
	}
	more := ""
	if t.More {
		more = "+"
	}
	return fmt.Sprintf("%v(%s)%s", t.Kind, strings.ReplaceAll(string(t.Data), "\x1b", "^"), more)
}

func TestBytesBecomeTokens(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"ab", "a b"},
		{"é漢👍", "é 漢 👍"},
		{"a\xffb\xe6\xbcx", "a \xff b \xe6 \xbc x"},
		{"\r\n\t\x7f\x03", "Control(\r) Control(\n) Control(\t) Control(\x7f) Control(\x03)"},
		{"\x1b[A\x1b[1;5C\x1b[3~", "CSI(^[A) CSI(^[1;5C) CSI(^[3~)"},
		{"\x1bOA\x1bOPx", "SS3(^OA) SS3(^OP) x"},
		{"\x1bO5Pa", "SS3(^O5P) a"},
		{"\x1bO\r", "Alt(^O) Control(\r)"},
		{"\x1ba\x1b\r\x1b\x7f\x1bé", "Alt(^a) Alt(^\r) Alt(^\x7f) Alt(^é)"},
		{"\x1b[[A\x1b[[x", "CSI(^[[A) Alt(^[) [ x"},
		{"\x1b[\r\x1b[é", "Alt(^[) Control(\r) Alt(^[) é"},
		{"\x1b[<0;3;4Mx", "CSI(^[<0;3;4M) x"},
		{"\x1b[M \"#x", "Mouse(^[M \"#) x"},
		{"\x1b[M\xff\x1b[x", "Mouse(^[M\xff^[) x"},
		{"\x1b[?62;22cx", "CSI(^[?62;22c) x"},
		{"\x1b[27;5;106~", "CSI(^[27;5;106~)"},
		{"\x1b[3$x\x1b[4;1$yx\x1b[?4;1$yx", "CSI(^[3$) x CSI(^[4;1$y) x CSI(^[?4;1$y) x"},
		// strings
		{"\x1b]11;rgb:0/0/0\x1b\\x", "OSC(^]11;rgb:0/0/0^\\) x"},
		{"\x1b]11;rgb:0/0/0\ax", "OSC(^]11;rgb:0/0/0\a) x"},
		{"\x1bP>|kitty(0.26)\x1b\\", "DCS(^P>|kitty(0.26)^\\)"},
		{"\x1b_Gi=31;OK\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\", "APC(^_Gi=31;OK^\\) PM(^^pm^\\) SOS(^Xsos^\\)"},
		{"\x1b]11;rg\x1b[A", "Broken(^]11;rg) CSI(^[A)"},
		{"\x1b]11;rg\rx", "Broken(^]11;rg) Control(\r) x"},
		{"\x1b]\r\x1bP\x1ba", "Alt(^]) Control(\r) Alt(^P) Alt(^a)"},
		// cut sequences
		{"\x1b[?6\x1b[A", "Broken(^[?6) CSI(^[A)"},
		{"\x1b[1;\rx", "Broken(^[1;) Control(\r) x"},
		{"\x1b[1;漢", "Broken(^[1;) 漢"},
		// two escapes
		{"\x1b\x1bx", "Escape(^) Alt(^x)"},
		{"\x1b\x1b[A\x1b\x1bOA\x1b\x1b[5~\x1b\x1b[a", "CSI(^^[A) SS3(^^OA) CSI(^^[5~) CSI(^^[a)"},
		{"\x1b\x1b[<0;3;4M", "Escape(^) CSI(^[<0;3;4M)"},
		{"\x1b\x1b[M   ", "Escape(^) Mouse(^[M   )"},
		{"\x1b\x1b[I\x1b\x1b[O", "Escape(^) CSI(^[I) Escape(^) CSI(^[O)"},
		{"\x1b\x1b[?62c", "Escape(^) CSI(^[?62c)"},
		{"\x1b\x1b[5;20R", "Escape(^) CSI(^[5;20R)"},
		{"\x1b\x1b]11;x\a", "Escape(^) OSC(^]11;x\a)"},
		{"\x1b\x1b\x1b[A", "Escape(^) CSI(^^[A)"},
		{"\x1b\x1b\x1b\x1bx", "Escape(^) Escape(^) Escape(^) Alt(^x)"},
		{"\x1b\x1b[200~hi\x1b[201~", "Escape(^) Paste(hi)"},
		// pastes
		{"\x1b[200~one\r\ntwo \x1b[31m\x1b[201~x", "Paste(one\r\ntwo ^[31m) x"},
		{"\x1b[200~\x1b[201~x", "Paste() x"},
		{"\x1b[200~a\x1b[20\x1b[201~\x1b[200~b\x1b[201~", "Paste(a^[20) Paste(b)"},
		{"\x1b[201~x", "CSI(^[201~) x"},
		// not complete
		{"x\x1b", "x"}, {"\x1b[", ""}, {"\x1b[12;", ""}, {"\x1b[?", ""}, {"\x1b]0;x", ""}, {"\x1b]0;x\x1b", ""},
		{"\xe6\xbc", ""}, {"\x1b\xe6", ""}, {"\x1b\x1b", ""}, {"\x1b[200~x", ""}, {"\x1b[M  ", ""},
	} {
		var b Buffer
		if got := strings.Join(show(b.Feed([]byte(c.in))), " "); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

func TestFlushGivesWhatIsPending(t *testing.T) {
	for _, c := range []struct {
		in, want string
		wait     time.Duration // 0: nothing is pending
	}{
		{"x", "", 0},
		{"\x1b", "Escape(^)", 50 * time.Millisecond},
		{"\x1b\x1b", "Escape(^) Escape(^)", 50 * time.Millisecond},
		{"\x1b[", "Alt(^[)", 50 * time.Millisecond},
		{"\x1b[[", "Alt(^[) [", time.Second},
		{"\x1bO", "Alt(^O)", 50 * time.Millisecond},
		{"\x1bP", "Alt(^P)", 50 * time.Millisecond},
		{"\x1b\x1b[", "Escape(^) Alt(^[)", 50 * time.Millisecond},
		{"\x1b\x1b[1;", "Escape(^) Broken(^[1;)", time.Second},
		{"\x1b[1;5", "Broken(^[1;5)", time.Second},
		{"\x1b[M ", "Broken(^[M )", time.Second},
		{"\x1b[?62;", "", 0}, // a reply on a slow link: it may take as long as it wants
		{"\x1b]11;rgb", "Broken(^]11;rgb)", time.Second},
		{"\x1b]11;rgb\x1b", "Broken(^]11;rgb^)", time.Second},
		{"\xe6\xbc", "\xe6 \xbc", 50 * time.Millisecond},
		{"\x1b\xe6\xbc", "Alt(^\xe6) \xbc", 50 * time.Millisecond},
		{"\x1b[200~lost", "Paste(lost)", time.Second},
		{"\x1b[200~lost\x1b[20", "Paste(lost)", time.Second},
		{"\x1b[200~", "Paste()", time.Second},
	} {
		var b Buffer
		show(b.Feed([]byte(c.in)))
		if wait, ok := b.Pending(); wait != c.wait || ok != (c.wait > 0) {
			t.Errorf("%q: wait %v, %v, want %v", c.in, wait, ok, c.wait)
		}
		if got := strings.Join(show(b.Flush()), " "); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.in, got, c.want)
		}
		if _, ok := b.Pending(); ok {
			t.Errorf("%q: pending after a flush", c.in)
		}
		if got := strings.Join(show(b.Feed([]byte("cx"))), " "); !strings.HasSuffix(got, "x") {
			t.Errorf("%q: x typed after the flush comes as %q", c.in, got)
		}
	}
	if wait, ok := (&Buffer{Esc: time.Second / 4, buf: []byte("\x1b")}).Pending(); wait != time.Second/4 || !ok {
		t.Errorf("own wait: %v", wait)
	}
}

func TestCapsEndWhatDoesNotEnd(t *testing.T) {
	small := func() *Buffer { return &Buffer{csiCap: 8, privateCap: 6, stringCap: 8, pasteCap: 8} }
	for _, c := range []struct{ in, want string }{
		{"\x1b[12345;6A", "Broken(^[12345;)"}, // the tail up to the final byte is dropped
		{"\x1b[12345678901234;567mx", "Broken(^[123456) x"},
		{"\x1b[12345678901234\rx", "Broken(^[123456) Control(\r) x"},
		{"\x1b[?123456;7cx", "Broken(^[?123) x"},
		{"\x1b]0;12345678\ax", "Broken(^]0;1234) x"},
		{"\x1b]0;12345678\x1b\\x", "Broken(^]0;1234) x"},
		{"\x1b]0;12345678\x1b[Ax", "Broken(^]0;1234) CSI(^[A) x"},
		{"\x1b]0;12345678\x03x", "Broken(^]0;1234) Control(\x03) x"},
		{"\x1bP12345678\ax", "Broken(^P123456) x"},
		{"\x1b[200~0123456\x1b[201~x", "Paste(0123456) x"},
		{"\x1b[200~01234567\x1b[201~x", "Paste(01234567) x"},
		{"\x1b[200~0123456789\x1b[201~x", "Paste(01234567)+ Paste(89) x"},
		{"\x1b[200~0123456789abcdef\x1b[201~x", "Paste(01234567)+ Paste(89abcdef) x"},
		{"\x1b[200~0123456漢9\x1b[201~x", "Paste(0123456)+ Paste(漢9) x"},
		{"\x1b[200~\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\x1b[201~x",
			"Paste(\xbf\xbf\xbf\xbf)+ Paste(\xbf\xbf\xbf\xbf\xbf\xbf) x"},
	} {
		b := small()
		if got := strings.Join(show(b.Feed([]byte(c.in))), " "); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.in, got, c.want)
		}
		b = small()
		var got []string
		for i := range len(c.in) {
			got = append(got, show(b.Feed([]byte(c.in[i:i+1])))...)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q byte by byte:\n got %q\nwant %q", c.in, s, c.want)
		}
	}
	// Flushed while it is thrown away: what comes then is input again.
	b := small()
	show(b.Feed([]byte("\x1b]0;1234567890")))
	show(b.Flush())
	if got := show(b.Feed([]byte("x"))); !slices.Equal(got, []string{"x"}) {
		t.Errorf("after a flushed discard: %q", got)
	}
}

func TestBreakingOffKeepsTheRest(t *testing.T) {
	var b Buffer
	for tok := range b.Feed([]byte("ab\x1b[Ac\x1b")) {
		if string(tok.Data) == "b" {
			break
		}
	}
	if got := show(b.Feed([]byte("[B"))); !slices.Equal(got, []string{"CSI(^[A)", "c", "CSI(^[B)"}) {
		t.Errorf("%q", got)
	}
}

func TestALargePasteTakesLinearTimeAndArrivesWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 10<<20)
	for i := range text {
		text[i] = "abc \n\x1b[2é01~"[rng.IntN(13)]
	}
	text = bytes.ReplaceAll(text, []byte(pasteEnd), nil)
	in := slices.Concat([]byte(pasteStart), text, []byte(pasteEnd))
	for _, size := range []int{100, 4096, len(in)} { // quadratic work at 100 bytes a read would be 10^12 bytes
		var b Buffer
		var got []Token
		for rest := in; len(rest) > 0; {
			n := min(size, len(rest))
			for tok := range b.Feed(rest[:n]) {
				got = append(got, Token{Kind: tok.Kind, Data: bytes.Clone(tok.Data), More: tok.More})
			}
			if cap(b.buf) > 4*maxPaste && size < len(in) {
				t.Fatalf("reads of %d: %d bytes are held", size, cap(b.buf))
			}
			rest = rest[n:]
		}
		var all []byte
		for i, tok := range got {
			all = append(all, tok.Data...)
			if tok.Kind != Paste || tok.More != (i < len(got)-1) {
				t.Fatalf("reads of %d: token %d of %d is %v, more %v", size, i, len(got), tok.Kind, tok.More)
			}
		}
		if sha256.Sum256(all) != sha256.Sum256(text) {
			t.Fatalf("reads of %d: %d tokens hold another text", size, len(got))
		}
		show(b.Feed(nil))
		if cap(b.buf) > maxKeptBuffer {
			t.Errorf("%d bytes are kept", cap(b.buf))
		}
	}
}

func TestLongStringsTakeLinearTime(t *testing.T) {
	for _, start := range []string{"\x1b]52;c;", "\x1bP", "\x1b_G", "\x1b[1", "\x1b[?"} {
		var b Buffer
		n := 0
		chunk := bytes.Repeat([]byte("0"), 64)
		for range b.Feed([]byte(start)) {
		}
		for range (20 << 20) / len(chunk) { // over the cap of strings
			for range b.Feed(chunk) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q: %d tokens", start, n)
		}
	}
}

// script is a mix of everything, for the fuzz targets.
var script = []string{
	"plain é漢👍", "\x1b", "\x1b\x1b", "\x1b[A\x1bOB\x1b\x1b[C", "\x1b[200~paste\r\n\x1b[3~\x1b[201~",
	"\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1bP>|tmux 3.5\x1b\\",
	"\x1b_Gi=1;OK\x1b\\", "\x1b[?62;4c\x1b[?2026;2$y", "\x1b[M !!", "\x1b[<0;1;2M", "\x1b[12;40R", "\x1b[27;5;106~",
	"\x1b[97;5u", "\xff\xfe\xe6", "\x1b[[A", "\x1bO", "\x1b]unfinished", "\x1b[200~lost",
}

func FuzzChunkingDoesNotMatter(f *testing.F) {
	for i, s := range script {
		f.Add([]byte(s+script[(i+3)%len(script)]+"x"), uint64(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		read := func(small, cut bool) (out []string) {
			rng := rand.New(rand.NewPCG(seed, 0))
			var b Buffer
			if small {
				b = Buffer{csiCap: 8, privateCap: 6, stringCap: 12, pasteCap: 7}
			}
			for rest := in; len(rest) > 0; {
				n := len(rest)
				if cut {
					n = min(1+rng.IntN(4), n)
				}
				out = append(out, show(b.Feed(rest[:n]))...)
				rest = rest[n:]
			}
			return append(append(out, "FLUSH"), show(b.Flush())...)
		}
		for _, small := range []bool{false, true} {
			if whole, cut := read(small, false), read(small, true); !slices.Equal(whole, cut) {
				t.Fatalf("seed %d, small caps %v: %q\nwhole %q\n  cut %q", seed, small, in, whole, cut)
			}
		}
	})
}

// TestTheEndOfACutReplyIsNoTyping cuts replies at every byte behind their beginning, lets the time
// for them run out, and types before the end comes.
func TestTheEndOfACutReplyIsNoTyping(t *testing.T) {
	replies := []string{"\x1b]11;rgb:1e1e/2a2a/ffff\x1b\\", "\x1b]10;rgb:ff/ff/ff\a", "\x1b]4;1;#aabbcc\x1b\\",
		"\x1bP>|XTerm(379)\x1b\\", "\x1bP1+r524742=38\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b[12;34R", "\x1b[6;17;8t",
		"\x1b[48;24;80;480;640t", "\x1b[0n", "\x1b[?2026;2$y", "\x1b[?62;4c", "\x1b[>41;379;0c"}
	typings := []string{"", "y", "n", "1", "\r", "\x1b[A", "ok", "é"}
	for _, reply := range replies {
		for cut := 3; cut < len(reply); cut++ {
			for _, typing := range typings {
				if typing == reply[cut:] {
					continue // nobody can tell the two apart, and one of them arrives
				}
				if strings.HasPrefix(reply, "\x1b[") && strings.ContainsAny(typing, "y1nok") &&
					(reply[2] == '?' || reply[2] == '>') {
					continue // no time limit: what comes next is a part of it
				}
				var b Buffer
				var got []string
				read := func(s string) {
					got = append(append(got, show(b.Feed([]byte(s)))...), show(b.Flush())...)
				}
				read(reply[:cut])
				read(typing)
				read(reply[cut:])
				read("z")
				got = slices.DeleteFunc(got, func(s string) bool {
					return strings.HasPrefix(s, "Broken") || strings.HasPrefix(s, "CSI(^["+reply[2:min(cut, 4)])
				})
				var free Buffer
				want := append(append(show(free.Feed([]byte(typing))), show(free.Flush())...), "z")
				if !slices.Equal(got, want) {
					t.Errorf("%q cut at %d, and %q typed: %q, want %q", reply, cut, typing, got, want)
				}
			}
		}
	}
}

func FuzzNoByteIsInventedAndTypingGoesOn(f *testing.F) {
	for _, s := range script {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var b Buffer
		rest := in
		check := func(seq iter.Seq[Token]) {
			for tok := range seq {
				if tok.Kind != Paste && len(tok.Data) == 0 {
					t.Fatalf("%q: an empty %v", in, tok.Kind)
				}
				i := bytes.Index(rest, tok.Data)
				if i < 0 {
					t.Fatalf("%q: %v(%q) is not in %q", in, tok.Kind, tok.Data, rest)
				}
				rest = rest[i+len(tok.Data):]
			}
		}
		check(b.Feed(in))
		check(b.Flush())
		rest = []byte("c\rx")
		got := append(show(b.Feed([]byte("c\rx"))), show(b.Flush())...)
		if len(got) < 2 || got[len(got)-1] != "x" || got[len(got)-2] != "Control(\r)" {
			t.Fatalf("%q: then Enter and x come as %q", in, got)
		}
	})
}

func BenchmarkTyping(b *testing.B) {
	in := []byte("hello world \x1b[A\x1b[1;5C\x1b[97;5u é")
	var buf Buffer
	b.ReportAllocs()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		for range buf.Feed(in) {
		}
	}
}
