package vt

import (
	"strings"
	"testing"
)

// The answers of the ghostty application, from its source: the core alone, which stress/oracle
// asks, gives only some of them.
func TestQueriesAreAnsweredAsTheGhosttyApplicationDoes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"DA1", "\x1b[c", "\x1b[?62;22;52c"},
		{"DA1 with 0", "\x1b[0c", "\x1b[?62;22;52c"},
		{"DECID", "\x1bZ", "\x1b[?62;22;52c"},
		{"DA2", "\x1b[>c", "\x1b[>1;10;0c"},
		{"DA3 has no answer", "\x1b[=c", ""},
		{"XTVERSION", "\x1b[>q", "\x1bP>|ghostty 1.3.0\x1b\\"},
		{"DSR", "\x1b[5n", "\x1b[0n"},
		{"CPR", "\x1b[3;7H\x1b[6n", "\x1b[3;7R"},
		{"CPR in origin mode is relative to the margins", "\x1b[2;4r\x1b[?69h\x1b[3;8s\x1b[?6h\x1b[2;2H\x1b[6n",
			"\x1b[2;2R"},
		{"CPR with a pending wrap reports the last column", "\x1b[1;20Hx\x1b[6n", "\x1b[1;20R"},
		{"DECXCPR has no answer", "\x1b[?6n", ""},
		{"DECRQM, set", "\x1b[?2027$p", "\x1b[?2027;1$y"},
		{"DECRQM, reset", "\x1b[?2026$p\x1b[?2031$p\x1b[?2048$p\x1b[?1048$p\x1b[?1049$p",
			"\x1b[?2026;2$y\x1b[?2031;2$y\x1b[?2048;2$y\x1b[?1048;2$y\x1b[?1049;2$y"},
		{"DECRQM, set at the start", "\x1b[?1007$p", "\x1b[?1007;1$y"},
		{"DECRQM, unknown", "\x1b[?1234$p", "\x1b[?1234;0$y"},
		{"DECRQM, never set", "\x1b[?117$p\x1b[?117h\x1b[?117$p", "\x1b[?117;4$y\x1b[?117;4$y"},
		{"DECRQM, known but not enabled", "\x1b[?5522h\x1b[?5522$p", "\x1b[?5522;0$y"},
		{"DECRQM for ANSI modes has no answer", "\x1b[4$p", ""},
		{"DECRQM of a mode that was changed", "\x1b[?2026h\x1b[?2026$p", "\x1b[?2026;1$y"},
		{"visibility", "\x1b[?2033$p\x1b[?998n\x1b[?2033$p", "\x1b[?2033;2$y\x1b[?999;1n\x1b[?2033;2$y"},
		{"visibility, whenever it is asked to be reported", "\x1b[?2033h\x1b[?2033h\x1b[?2033$p\x1b[?2033l",
			"\x1b[?999;1n\x1b[?999;1n\x1b[?2033;1$y"},
		{"visibility, reported again when that is restored", "\x1b[?2033h\x1b[?2033s\x1b[?2033l\x1b[?2033r",
			"\x1b[?999;1n\x1b[?999;1n"},
		{"colour scheme", "\x1b[?996n", "\x1b[?997;1n"},
		{"kitty keyboard", "\x1b[>5u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?5u\x1b[?0u"},
		{"kitty keyboard flags are set, added and removed", "\x1b[=3u\x1b[=4;2u\x1b[=1;3u\x1b[?u", "\x1b[?6u"},
		{"kitty graphics", "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", "\x1b_Gi=31;OK\x1b\\"},
		{"kitty graphics, q=1 hides OK", "\x1b_Gi=31,q=1,s=1,v=1,a=T,t=d,f=24;AAAA\x1b\\", ""},
		{"kitty graphics without id has no answer", "\x1b_Gs=1,v=1,a=T,t=d,f=24;AAAA\x1b\\", ""},
		{"foreground, with the terminator of the query", "\x1b]10;?\x1b\\\x1b]10;?\a",
			"\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]10;rgb:ffff/ffff/ffff\a"},
		{"background", "\x1b]11;?\a", "\x1b]11;rgb:0000/0000/0000\a"},
		{"the cursor's colour falls back to the foreground", "\x1b]12;?\a", "\x1b]12;rgb:ffff/ffff/ffff\a"},
		{"a colour that was set", "\x1b]11;#102030\a\x1b]11;?\a", "\x1b]11;rgb:1010/2020/3030\a"},
		{"OSC 13 to 19 are silent", "\x1b]13;?\a\x1b]17;?\a\x1b]19;?\a", ""},
		{"a palette entry that was set", "\x1b]4;1;rgb:01/02/03\a\x1b]4;1;?\a", "\x1b]4;1;rgb:0101/0202/0303\a"},
		{"OSC 21", "\x1b]21;foreground=?\x1b\\", "\x1b]21;foreground=rgb:ff/ff/ff\x1b\\"},
		{"XTGETTCAP, the name", "\x1bP+q544e\x1b\\", "\x1bP1+r544E=787465726D2D67686F73747479\x1b\\"},
		{"XTGETTCAP, unknown has no answer", "\x1bP+q7a7a7a\x1b\\", ""},
		{"DECRQSS, SGR begins with 0", "\x1b[1;4:3;38;5;9m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4:3;91m\x1b\\"},
		{"DECRQSS, each underline, and an overline",
			"\x1b[53;4m\x1bP$qm\x1b\\\x1b[21m\x1bP$qm\x1b\\\x1b[4:4;9m\x1bP$qm\x1b\\\x1b[4:5;55m\x1bP$qm\x1b\\",
			"\x1bP1$r0;4;53m\x1b\\\x1bP1$r0;4:2;53m\x1b\\\x1bP1$r0;4:4;53;9m\x1b\\\x1bP1$r0;4:5;9m\x1b\\"},
		{"DECRQSS, cursor style", "\x1b[4 q\x1bP$q q\x1b\\", "\x1bP1$r4 q\x1b\\"},
		{"DECRQSS, margins", "\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP1$r2;3r\x1b\\"},
		{"DECRQSS, left and right margins only with ?69", "\x1bP$qs\x1b\\", "\x1bP0$r\x1b\\"},
		{"DECRQSS, something else", "\x1bP$qz\x1b\\", "\x1bP0$r\x1b\\"},
		{"sizes", "\x1b[14t\x1b[16t\x1b[18t", "\x1b[4;80;160t\x1b[6;16;8t\x1b[8;5;20t"},
		{"other window operations are silent", "\x1b[11t\x1b[13t\x1b[15t\x1b[19t\x1b[20t\x1b[21t\x1b[8;50;50t", ""},
		{"in-band size reports begin at once", "\x1b[?2048h", "\x1b[48;5;20;80;160t"},
		{"the focus is reported at once", "\x1b[?1004h", "\x1b[I"},
		{"ENQ, DECRQCRA, XTSMGRAPHICS, XTQMODKEYS have no answer", "\x05\x1b[1;1;1;1;2;2*y\x1b[?1;1;0S\x1b[?4m", ""},
	} {
		for _, chunk := range []int{1, len(tt.in)} {
			term := New(Config{Cols: 20, Rows: 5})
			for rest := tt.in; rest != ""; {
				n := min(chunk, len(rest))
				term.WriteString(rest[:n])
				rest = rest[n:]
			}
			if got := string(term.TakeReplies()); got != tt.want {
				t.Errorf("%s, %d bytes at a time: got %q, want %q", tt.name, chunk, got, tt.want)
			}
		}
	}
}

func TestReportsComeWithChangesOfTheWindow(t *testing.T) {
	term := New(Config{Cols: 20, Rows: 5})
	term.Resize(30, 6)
	term.SetLight(true)
	term.SetFocus(false)
	if got := term.TakeReplies(); got != nil {
		t.Errorf("nobody asked, got %q", got)
	}
	term.WriteString("\x1b[?2048h\x1b[?2031h\x1b[?1004h")
	term.TakeReplies()
	term.Resize(40, 7)
	term.SetLight(false)
	term.SetFocus(true)
	if got, want := string(term.TakeReplies()), "\x1b[48;7;40;112;320t"+"\x1b[?997;1n"+"\x1b[I"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRepliesGoToTheCallbackAndAreBounded(t *testing.T) {
	var got strings.Builder
	term := New(Config{Reply: func(b []byte) { got.Write(b) }})
	term.WriteString("\x1b[5n\x1b[6n")
	if got.String() != "\x1b[0n\x1b[1;1R" || term.TakeReplies() != nil {
		t.Errorf("the callback got %q", &got)
	}
	term = New(Config{})
	flood := strings.Repeat("\x1b[?2026$p", 1<<20)
	term.WriteString(flood)
	if n := len(term.TakeReplies()); n == 0 || n > maxReplies {
		t.Errorf("%d bytes of replies are kept, the limit is %d", n, maxReplies)
	}
}
