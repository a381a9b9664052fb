package vt

import (
	"strings"
	"testing"
	"time"
)

// TestReplies asks and compares the answer, on a terminal of 80x24.
func TestReplies(t *testing.T) {
	const gfx = "\x1b_G"
	for _, c := range []struct{ name, in, want string }{
		{"DA1", "\x1b[c", "\x1b[?62;22;52c"},
		{"DECID", "\x1bZ", "\x1b[?62;22;52c"},
		{"DA2", "\x1b[>c", "\x1b[>1;10;0c"},
		{"DA3", "\x1b[=c", ""},
		{"XTVERSION", "\x1b[>q", "\x1bP>|ghostty 1.3.0\x1b\\"},
		{"DSR", "\x1b[5n", "\x1b[0n"},
		{"CPR", "\x1b[3;7H\x1b[6n", "\x1b[3;7R"},
		{"CPR in origin mode", "\x1b[3;9r\x1b[?6h\x1b[2;2H\x1b[6n", "\x1b[2;2R"},
		{"CPR with a pending wrap", strings.Repeat("x", 80) + "\x1b[6n", "\x1b[1;80R"},
		{"DECXCPR", "\x1b[?6n", ""},
		{"DECRQM", "\x1b[?7$p\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p\x1b[?2048$p\x1b[?9999$p",
			"\x1b[?7;1$y\x1b[?2026;2$y\x1b[?2027;1$y\x1b[?2031;2$y\x1b[?2048;2$y\x1b[?9999;0$y"},
		{"DECRQM of ANSI modes", "\x1b[4$p", ""},
		{"colour scheme", "\x1b[?996n", "\x1b[?997;1n"},
		{"in-band size", "\x1b[?2048h", "\x1b[48;24;80;384;640t"},
		{"focus", "\x1b[?1004h", "\x1b[I"},
		{"keyboard", "\x1b[?u\x1b[>5u\x1b[?u\x1b[=2;2u\x1b[?u\x1b[=4;3u\x1b[?u\x1b[<u\x1b[?u",
			"\x1b[?0u\x1b[?5u\x1b[?7u\x1b[?3u\x1b[?0u"},
		{"keyboard stack", "\x1b[>1u\x1b[>2u\x1b[<u\x1b[?u\x1b[>3u\x1b[>4u\x1b[<2u\x1b[?u\x1b[<9u\x1b[?u",
			"\x1b[?1u\x1b[?1u\x1b[?0u"},
		{"keyboard of the alternate screen", "\x1b[>5u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?5u"},
		{"sizes", "\x1b[14t\x1b[16t\x1b[18t\x1b[11t\x1b[21t", "\x1b[4;384;640t\x1b[6;16;8t\x1b[8;24;80t"},
		{"colours with the query's terminator", "\x1b]10;?\a\x1b]11;?\x1b\\",
			"\x1b]10;rgb:ffff/ffff/ffff\a\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"the cursor's colour falls back to the text's", "\x1b]10;#123456\a\x1b]12;?\a",
			"\x1b]12;rgb:1212/3434/5656\a"},
		{"several colours at once", "\x1b]10;?;?\a", "\x1b]10;rgb:ffff/ffff/ffff\a\x1b]11;rgb:0000/0000/0000\a"},
		{"palette", "\x1b]4;1;?\a\x1b]4;1;rgb:f/80/0000;1;?\a\x1b]104;1\a\x1b]4;1;?;232;?\a",
			"\x1b]4;1;rgb:cccc/6666/6666\a\x1b]4;1;rgb:ffff/8080/0000\a" +
				"\x1b]4;1;rgb:cccc/6666/6666\a\x1b]4;232;rgb:0808/0808/0808\a"},
		{"other colours", "\x1b]13;?\a\x1b]19;?\a", ""},
		{"kitty colours", "\x1b]21;foreground=?;cursor=?;3=?;nonsense=?\x1b\\",
			"\x1b]21;foreground=rgb:ff/ff/ff;cursor=;3=rgb:f0/c6/74\x1b\\"},
		{"XTGETTCAP", "\x1bP+q544e;436f;524742;6162;616d\x1b\\",
			"\x1bP1+r544E=787465726D2D67686F73747479\x1b\\\x1bP1+r436F=323536\x1b\\\x1bP1+r524742=38\x1b\\" +
				"\x1bP1+r616D\x1b\\"},
		{"XTGETTCAP of keys and parameters", "\x1bP+q6B4443;6B663133;536D756C78\x1b\\",
			"\x1bP1+r6B4443=1B5B333B327E\x1b\\\x1bP1+r6B663133=1B5B313B3250\x1b\\" +
				"\x1bP1+r536D756C78=5C455B343A25703125646D\x1b\\"},
		{"DECRQSS",
			"\x1b[1;4:3;38;5;99;41m\x1bP$qm\x1b\\\x1b[5 q\x1bP$q " +
				"q\x1b\\\x1b[2;9r\x1bP$qr\x1b\\\x1bP$qs\x1b\\\x1bP$qx\x1b\\",
			"\x1bP1$r0;1;4:3;38:5:99;41m\x1b\\\x1bP1$r5 q\x1b\\\x1bP1$r2;9r\x1b\\\x1bP0$r\x1b\\\x1bP0$r\x1b\\"},
		{"silent ones", "\x05\x1b[?4m\x1b[1*y\x1b[?1;1;0S\x1b]52;c;?\a", ""},
		{"graphics: query", gfx + "a=q,i=31,s=1,v=1;AAAAAA==\x1b\\", gfx + "i=31;OK\x1b\\"},
		{"graphics: no id, no number", gfx + "a=T,s=1,v=1;AAAAAA==\x1b\\", ""},
		{"graphics: quiet", gfx + "i=1,s=1,v=1,q=1;AAAAAA==\x1b\\" + gfx + "i=1,s=2,v=1,q=1;AAAAAA==\x1b\\" + gfx +
			"i=1,s=2,v=1,q=2;AAAAAA==\x1b\\", gfx + "i=1;EINVAL: invalid data\x1b\\"},
		{"graphics: number", gfx + "I=7,s=1,v=1;AAAAAA==\x1b\\", gfx + "i=1,I=7;OK\x1b\\"},
		{"graphics: id and number", gfx + "i=1,I=7,s=1,v=1;AAAAAA==\x1b\\",
			gfx + "i=1,I=7;EINVAL: image ID and number are mutually exclusive\x1b\\"},
		{"graphics: pieces", gfx + "i=3,s=2,v=1,m=1;AAAAAA==\x1b\\" + gfx + "m=0;AAAAAA==\x1b\\", gfx + "i=3;OK\x1b\\"},
		{"graphics: placement of nothing", gfx + "a=p,i=9,p=2\x1b\\", gfx + "i=9,p=2;ENOENT: image not found\x1b\\"},
		{"graphics: a file", gfx + "a=q,i=1,t=f;L2V0Yy9wYXNzd2Q=\x1b\\", gfx + "i=1;EINVAL: unsupported medium\x1b\\"},
		{"graphics: too large", gfx + "i=1,s=10001,v=1,f=24;AAAA\x1b\\",
			gfx + "i=1;EINVAL: dimensions too large\x1b\\"},
		{"graphics: compressed", gfx + "i=1,s=1,v=1,o=z;eJxjYGBgAAAABAAB\x1b\\", gfx + "i=1;OK\x1b\\"},
		{"graphics: compressed badly", gfx + "i=1,s=1,v=1,o=z;AAAA\x1b\\",
			gfx + "i=1;EINVAL: decompression failed\x1b\\"},
		{"graphics: a frame of nothing", gfx + "a=f,i=1,s=1,v=1;AAAA\x1b\\", gfx + "i=1;ENOENT: image not found\x1b\\"},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := newTest(80, 24, 0)
			term.WriteString(c.in)
			if got := string(term.TakeReplies()); got != c.want {
				t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

func TestUnsolicitedReports(t *testing.T) {
	term := newTest(80, 24, 0)
	term.SetLight(true)
	term.SetFocus(false)
	term.Resize(40, 10)
	if got := term.TakeReplies(); got != nil {
		t.Errorf("nobody asked for %q", got)
	}
	term.WriteString("\x1b[?2031;1004;2048h")
	term.TakeReplies()
	term.SetLight(false)
	term.SetFocus(true)
	term.Resize(80, 24)
	if got, want := string(term.TakeReplies()), "\x1b[?997;1n\x1b[I\x1b[48;24;80;384;640t"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVisibilityIsReportedWhenItChanges(t *testing.T) {
	term := newTest(80, 24, 0)
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { term.SetVisible(false) }, ""},
		{func() { term.WriteString("\x1b[?998n") }, "\x1b[?999;2n"},
		{func() { term.WriteString("\x1b[?2033h") }, "\x1b[?999;2n"},
		{func() { term.SetVisible(false) }, ""},
		{func() { term.SetVisible(true) }, "\x1b[?999;1n"},
		{func() { term.SetVisible(false) }, "\x1b[?999;2n"},
		{func() { term.WriteString("\x1bc\x1b[?998n") }, "\x1b[?999;2n"}, // RIS is not the window's
		{func() { term.SetVisible(true) }, ""},
	} {
		step.do()
		if got := string(term.TakeReplies()); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
	other := New(Config{Personality: Personality{Replies: &Replies{}}})
	other.WriteString("\x1b[?998n\x1b[?2033h\x1b[?117$p")
	if got := string(other.TakeReplies()); got != "\x1b[?117;0$y" {
		t.Errorf("a terminal that knows none of it answers %q", got)
	}
}

func TestRepliesGoToTheFunction(t *testing.T) {
	var got []byte
	term := New(Config{Reply: func(b []byte) { got = append(got, b...) }})
	term.WriteString("\x1b[5n\x1b[6n")
	if string(got) != "\x1b[0n\x1b[1;1R" {
		t.Errorf("got %q", got)
	}
	if b := term.TakeReplies(); b != nil {
		t.Errorf("TakeReplies has %q as well", b)
	}
}

func TestSynchronizedOutputEndsAfterASecondAndAtAResize(t *testing.T) {
	now := time.Unix(0, 0)
	term := New(Config{Now: func() time.Time { return now }})
	term.WriteString("\x1b[?2026h")
	now = now.Add(999 * time.Millisecond)
	if !term.Mode(2026, true) {
		t.Error("off before its time")
	}
	now = now.Add(time.Millisecond)
	if term.Mode(2026, true) {
		t.Error("on after a second")
	}
	term.WriteString("\x1b[?2026h")
	term.Resize(40, 10)
	if term.Mode(2026, true) {
		t.Error("on after a resize")
	}
}

func TestStartModes(t *testing.T) {
	term := newTest(10, 4, 0)
	const want = "12 ?7 ?25 ?1007 ?1035 ?1036 ?2027"
	if got := strings.Join(term.Modes(), " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	term.WriteString("\x1b[?7l\x1b[?1h\x1b[4h\x1bc")
	if got := strings.Join(term.Modes(), " "); got != want {
		t.Errorf("after RIS: got %s, want %s", got, want)
	}
}

func TestTitleAndDirectory(t *testing.T) {
	for _, c := range []struct{ in, title, pwd string }{
		{"\x1b]0;a\a", "a", ""},
		{"\x1b]2;é\x1b\\", "é", ""},
		{"\x1b]2;a\x18", "a", ""},
		{"\x1b]2;a\x1b[1m", "a", ""},
		{"\x1b]2;a\a\x1b]1;icon\a", "a", ""},
		{"\x1b]2;a\a\x1b]2;\xff\a", "a", ""},
		{"\x1b]2;a\a\x1b]2;" + strings.Repeat("x", 2048) + "\a", "a", ""},
		{"\x1b]2;" + strings.Repeat("x", 2047) + "\a", strings.Repeat("x", 1024), ""},
		{"\x1b]2;a\a\x1b[22;0t\x1b]2;b\a\x1b[23;0t", "b", ""},
		{"\x1b]2;a\a\x1bc", "", ""},
		{"\x1b]7;file://host/tmp/a%20b\a", "", "/tmp/a b"},
		{"\x1b]7;kitty-shell-cwd://host/tmp/a%20b\a", "", "/tmp/a%20b"},
	} {
		term := newTest(10, 4, 0)
		term.WriteString(c.in)
		if term.Title() != c.title || term.Pwd() != c.pwd {
			t.Errorf("%.40q: title %.40q, want %.40q; pwd %q, want %q", c.in, term.Title(), c.title, term.Pwd(), c.pwd)
		}
	}
}

func TestTheClipboardIsKeptAndNeverRead(t *testing.T) {
	term := newTest(10, 4, 0)
	term.WriteString("\x1b]52;c;aGVsbG8=\a\x1b]52;p;cA==\a\x1b]52;;?\a\x1b]52;c;%%%\a\x1b]52;x\a")
	for kind, want := range map[byte]string{'c': "hello", 'p': "p", 's': ""} {
		if got := string(term.Clipboard(kind)); got != want {
			t.Errorf("%c: got %q, want %q", kind, got, want)
		}
	}
	if b := term.TakeReplies(); b != nil {
		t.Errorf("it answered %q", b)
	}
	term.WriteString("\x1b]52;;d29ybGQ=\a")
	if got := string(term.Clipboard('c')); got != "world" {
		t.Errorf("without a kind: got %q", got)
	}
}
