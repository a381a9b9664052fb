package oracle

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// Classes returns the names of the kinds of operations that [Generate] can use.
func Classes() []string {
	var names []string
	for _, c := range classes {
		names = append(names, c.name)
	}
	return names
}

// Generate returns the random program of a seed: the number of operations ops, of the classes in
// only (nil for all), on a small terminal, where edges are reached often. The class text is always
// used. The same arguments return the same program.
func Generate(seed uint64, ops int, only []string) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x5ca1ab1e))}
	g.cols, g.rows = 2+g.IntN(18), 1+g.IntN(9)
	switch g.IntN(12) {
	case 0:
		g.cols = 1 + g.IntN(90)
	case 1:
		g.cols, g.rows = 80, 24
	}
	p := Program{Size: screen.Size{Cols: g.cols, Rows: g.rows, Scrollback: 100_000}}
	switch g.IntN(16) {
	case 0:
		p.Size.Scrollback = 0
	case 1:
		p.Size.Scrollback = 1 + g.IntN(20)
	}
	// A program draws from a few classes more often than from the rest: so features meet each
	// other, and some programs are all of one kind.
	var pool []int
	for i, c := range classes {
		if only != nil && !slices.Contains(only, c.name) {
			continue
		}
		weight := c.weight
		switch g.IntN(4) {
		case 0:
			weight *= 4
		case 1:
			weight = 0
		}
		for range weight {
			pool = append(pool, i)
		}
	}
	for i, c := range classes {
		if c.name == "text" {
			pool = append(pool, slices.Repeat([]int{i}, 3+len(pool)/4)...)
		}
	}
	for len(p.Ops) < ops {
		p.Ops = append(p.Ops, classes[pool[g.IntN(len(pool))]].make(g)...)
	}
	p.Ops = p.Ops[:ops]
	for i := range p.Ops {
		p.Ops[i].Dump = g.IntN(ops/2+1) == 0
	}
	return p
}

// generator creates random operations for a screen of cols columns and rows rows.
type generator struct {
	*rand.Rand
	cols, rows int
}

type class struct {
	name   string
	weight int
	make   func(*generator) []Op
}

func one(name, bytes string) []Op { return []Op{{Name: name, Bytes: bytes}} }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// param returns a random parameter of a sequence: mostly small, sometimes absent, zero, about as
// large as the screen, or far too large.
func (g *generator) param() string {
	switch g.IntN(16) {
	case 0:
		return ""
	case 1:
		return "0"
	case 2:
		return fmt.Sprint(g.cols + g.IntN(3) - 1)
	case 3:
		return fmt.Sprint(g.rows + g.IntN(3) - 1)
	case 4:
		return g.pick("99", "300", "65535", "65536", "99999")
	default:
		return fmt.Sprint(1 + g.IntN(4))
	}
}

func (g *generator) row() string { return fmt.Sprint(g.IntN(g.rows + 2)) }
func (g *generator) col() string { return fmt.Sprint(g.IntN(g.cols + 2)) }

func (g *generator) repeat(limit int, f func() string) string {
	var b strings.Builder
	for range 1 + g.IntN(limit) {
		b.WriteString(f())
	}
	return b.String()
}

var words = []string{"a", "b", "c", "x", "y", "A", "Z", "0", "7", " ", " ", "-", "~", "{", "hello", "world"}

var wide = []string{"世", "界", "中", "한", "글", "あ", "ア", "🙂", "🚀", "👍", "🎉", "Ａ", "、", "𠀀", "⌚", "☕", "⛄", "🀄", "㊗"}

var clusters = map[string][]string{
	"comb": {"e\u0301", "a\u0308\u0323", "n\u0303", "o\u20dd", "\u0301", "x\u0336\u0336", "世\u0301", "q\u035c"},
	"zwj": {"👩\u200d👩\u200d👧\u200d👦", "👩\u200d💻", "🏳\ufe0f\u200d🌈", "👁\ufe0f\u200d🗨\ufe0f", "\u200d", "a\u200db",
		"🐻\u200d❄\ufe0f", "👨\u200d"},
	"skin":  {"👍🏽", "👋🏿", "a🏽", "🏽", "👩🏽\u200d🚀", "☝🏻", "🤝🏼🏿"},
	"flags": {"🇩🇪", "🇺🇸🇬", "🇫", "🇯🇵🇰🇷", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇦a🇧"},
	"vs": {"❤\ufe0f", "❤\ufe0e", "⌚\ufe0e", "1\ufe0f\u20e3", "1\ufe0f", "#\ufe0f", "a\ufe0f", "☺\ufe0e", "☎\ufe0f",
		"🙂\ufe0e", "\ufe0f", "↔\ufe0f", "世\ufe0e", "©\ufe0f"},
	"indic": {"क\u094dष", "न\u093f", "க\u0bbe", "த\u0bc6", "श\u094dर\u0940", "ก\u0e33", "ก\u0e34\u0e49", "ລ\u0eb3",
		"ক\u09cdষ", "\u0e33", "র\u09cd\u200dয", "ක\u0dca\u200dර", "ണ\u0d4d"},
	"hangul": {"\u1112\u1161\u11ab", "\u1100\u1161", "\u1161", "\u11a8", "가\u11a8", "\ud7b0"},
	"zero": {"\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u034f", "\u061c", "\u2066", "\u180e",
		"\U000e0001", "\U000e0100"},
	"odd": {"…", "±", "①", "\u2e3a", "\u2e3b", "\u0600", "\u06dd", "\ue000", "\U0010fffd", "\ufffd", "\uffff",
		"\U0001fad7", "☰", "䷀", "\U0001f1e6", "\U0001f8b0", "\u3000", "\u00a0", "\u0378", "ﷺ", "\U0001f6d8", "\u115f",
		"\u3164", "\u2028", "\u0085", "\u009b"},
}

func (g *generator) clusterText(kind string) []Op {
	return one(kind, g.repeat(4, func() string {
		if g.IntN(4) == 0 {
			return g.pick(words...)
		}
		return g.pick(clusters[kind]...)
	}))
}

func cluster(kind string) func(*generator) []Op {
	return func(g *generator) []Op { return g.clusterText(kind) }
}

var classes = []class{
	{"text", 10, func(g *generator) []Op {
		if g.IntN(5) == 0 { // a run that meets the edge
			return one("text", strings.Repeat(g.pick("a", "b", "word "), 1+g.IntN(g.cols*2)))
		}
		return one("text", g.repeat(6, func() string { return g.pick(words...) }))
	}},
	{"full", 4, func(g *generator) []Op {
		// One write that fills one to three rows to the last column or one off, of plain letters
		// and a few of everything else: what fast paths for runs must get right.
		var b strings.Builder
		odd := []string{"e\u0301", "世", "🙂", "é", "я", "❤\ufe0f", "a\u0308\u0323", "1\ufe0f", "🇩🇪", "क\u094dष",
			"\u200b", "ท", "\t", "가", "\u0301"}
		pick := odd[g.IntN(len(odd))]
		for n := (1+g.IntN(3))*g.cols + g.IntN(3) - 1; n > 0; n-- {
			switch g.IntN(8) {
			case 0:
				b.WriteString(pick)
			case 1:
				b.WriteString(g.pick(odd...))
			default:
				b.WriteByte(byte('a' + g.IntN(26)))
			}
			if g.IntN(3) == 0 {
				b.WriteString(strings.Repeat("x", g.IntN(g.cols)))
			}
		}
		return one("full", b.String())
	}},
	{"burst", 1, func(g *generator) []Op {
		// Rows enough to leave the first page of the core's memory now and then.
		n := 1 + g.IntN(40)
		if g.IntN(25) == 0 {
			n = 200 + g.IntN(400)
		}
		return one("burst", strings.Repeat(g.pick("r\r\n", "row\n", "\r\n", strings.Repeat("w", g.cols)+"\r\n",
			"\x1b[41mc\x1b[K\r\n", "世x"), n))
	}},
	{"lines", 5, func(g *generator) []Op {
		return one("lines", g.repeat(4, func() string {
			return g.pick("\r\n", "\n", "line\r\n", "x\r\n", "\r", "\b", "\b\b", "\v", "\f",
				strings.Repeat("w", g.cols)+"\r\n")
		}))
	}},
	{"wide", 5, func(g *generator) []Op {
		return one("wide", g.repeat(5, func() string { return g.pick(wide[g.IntN(len(wide))], "a") }))
	}},
	{"comb", 2, cluster("comb")}, {"zwj", 2, cluster("zwj")}, {"skin", 1, cluster("skin")},
	{"flags", 1, cluster("flags")},
	{"vs", 2, cluster("vs")}, {"indic", 1, cluster("indic")}, {"hangul", 1, cluster("hangul")},
	{"zero", 1, cluster("zero")},
	{"odd", 1, cluster("odd")},
	{"any", 2, func(g *generator) []Op {
		// Code points of all kinds beside each other: where clusters break is decided by pairs and
		// more.
		ranges := [][2]int{{0x300, 0x36f}, {0x600, 0x6ff}, {0x700, 0x1cff}, {0x1100, 0x11ff}, {0xac00, 0xac40},
			{0x2000, 0x2070}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
			{0x1f1e6, 0x1f1ff}, {0x1f300, 0x1f6ff}, {0x1f3fb, 0x1f3ff}, {0xe0001, 0xe007f}, {0x11000, 0x11fff},
			{0x200c, 0x200d}, {0x2600, 0x27bf}, {0xa800, 0xabff}, {0x900, 0x9ff}, {0x94d, 0x94d}}
		return one("any", g.repeat(8, func() string {
			r := ranges[g.IntN(len(ranges))]
			return string(rune(r[0] + g.IntN(r[1]-r[0]+1)))
		}))
	}},
	{"sgr", 5, func(g *generator) []Op {
		return one("SGR", "\x1b["+g.sgr()+"m")
	}},
	{"cursor", 8, func(g *generator) []Op {
		switch g.IntN(6) {
		case 0, 1:
			return one("CUP", "\x1b["+g.row()+";"+g.col()+g.pick("H", "H", "f"))
		case 2:
			return one("move", "\x1b["+g.param()+g.pick("A", "B", "C", "D", "E", "F", "a", "e", "j", "k"))
		case 3:
			return one("abs", "\x1b["+g.col()+g.pick("G", "`"))
		case 4:
			return one("VPA", "\x1b["+g.row()+"d")
		default:
			return one("move", g.pick("\x1bD", "\x1bM", "\x1bE", "\x1b[H", "\x1b[9999;9999H"))
		}
	}},
	{"edit", 6, func(g *generator) []Op {
		f := g.pick("@", "P", "X", "L", "M", "b")
		name := map[string]string{"@": "ICH", "P": "DCH", "X": "ECH", "L": "IL", "M": "DL", "b": "REP"}[f]
		n := g.param()
		if f == "b" && len(n) > 2 {
			n = "9"
		}
		return one(name, "\x1b["+n+f)
	}},
	{"erase", 5, func(g *generator) []Op {
		if g.IntN(2) == 0 {
			return one("EL", "\x1b["+g.pick("", "?", "", "")+g.pick("", "0", "1", "2", "3")+"K")
		}
		return one("ED", "\x1b["+g.pick("", "?", "", "")+g.pick("", "0", "1", "2", "3", "22", "J2", "4")+"J")
	}},
	{"scroll", 3, func(g *generator) []Op {
		return one("scroll", "\x1b["+g.param()+g.pick("S", "T", "S", "T", "^"))
	}},
	{"margin", 4, func(g *generator) []Op {
		switch g.IntN(6) {
		case 0, 1:
			return one("DECSTBM", "\x1b["+g.row()+";"+g.row()+"r")
		case 2:
			return one("DECSTBM", "\x1b["+g.pick("", "2", "1;2", ";3", "0;0")+"r")
		case 3, 4:
			return []Op{{Name: "DECLRMM", Bytes: "\x1b[?69" + g.pick("h", "h", "h", "l")},
				{Name: "DECSLRM", Bytes: "\x1b[" + g.col() + ";" + g.col() + "s"}}
		default:
			return one("DECOM", "\x1b[?6"+g.pick("h", "l"))
		}
	}},
	{"tabs", 2, func(g *generator) []Op {
		return one("tabs", g.repeat(2, func() string {
			return g.pick("\t", "\t\t", "\x1bH", "\x1b[0g", "\x1b[g", "\x1b[3g", "\x1b["+g.param()+"I",
				"\x1b["+g.param()+"Z",
				"\x1b[?5W", "\x1b[W", "\x1b[0W", "\x1b[2W", "\x1b[5W")
		}))
	}},
	{"modes", 4, func(g *generator) []Op {
		m := g.pick("?7", "?7", "4", "20", "?45", "?1045", "?5", "?1", "?25", "?2027", "?2026", "?2004", "?1000",
			"?1002", "?1003", "?1004", "?1006", "?12", "?66", "?1007", "?40", "?3", "12", "2", "?9", "?1005", "?1015",
			"?1016", "?8", "?999", "?67")
		switch g.IntN(8) {
		case 0:
			return one("XTSAVE", "\x1b["+m+"s")
		case 1:
			return one("XTRESTOR", "\x1b["+m+"r")
		}
		return one("mode", "\x1b["+m+g.pick("h", "l"))
	}},
	{"alt", 2, func(g *generator) []Op {
		return one("alt", "\x1b[?"+g.pick("47", "1047", "1049", "1049")+g.pick("h", "l"))
	}},
	{"save", 3, func(g *generator) []Op {
		return one("save", g.pick("\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[?1048h", "\x1b[?1048l"))
	}},
	{"charset", 2, func(g *generator) []Op {
		return one("charset", g.pick("\x1b(0", "\x1b)0", "\x1b*0", "\x1b+0", "\x1b(B", "\x1b)B", "\x1b(A", "\x1b-A",
			"\x1b.A", "\x0e", "\x0f", "\x1bN", "\x1bO", "\x1bn", "\x1bo", "\x1b}", "\x1b~", "\x1b|", "\x1b%G",
			"\x1b%@")+g.pick("", "qx~", "#a世é"))
	}},
	{"osc", 2, func(g *generator) []Op {
		end := g.pick("\a", "\x1b\\", "\x18", "\x1a")
		return one("OSC", "\x1b]"+g.pick("0;t", "2;title", "2;ti;tle", "1;icon", "0;", "2;ünï", "2;a\xffb",
			"7;file:///x", "22;pointer", "9;note", "777;notify;a;b", "4;1;red", "104", "112", "2", ";", "133",
			"52;c;aGk=", "x;y")+end)
	}},
	{"prompt", 2, func(g *generator) []Op {
		return one("OSC 133", "\x1b]133;"+g.pick("A", "A;redraw=0", "A;redraw=last", "B", "C", "D", "D;0", "A;k=c",
			"A;k=s", "P", "P;k=c", "N", "I", "L", "A;aid=x", "C;x=y")+"\a"+g.pick("", "$ ", "ls"))
	}},
	{"link", 2, func(g *generator) []Op {
		return one("OSC 8", "\x1b]8;"+g.pick("", "id=1", "id=2", "id=", "x=y:id=3")+";"+g.pick("http://a", "http://b",
			"", "", "file:///ü")+g.pick("\a", "\x1b\\"))
	}},
	{"protect", 2, func(g *generator) []Op {
		return one("protect", g.pick("\x1b[1\"q", "\x1b[0\"q", "\x1b[2\"q", "\x1bV", "\x1bW", "\x1b[\"q"))
	}},
	{"resize", 3, func(g *generator) []Op {
		cols, rows := g.cols, g.rows
		switch g.IntN(5) {
		case 0:
			rows = 1 + g.IntN(10)
		case 1:
			cols = 1 + g.IntN(24)
		case 2:
			cols, rows = 1+g.IntN(24), 1+g.IntN(10)
		default:
			cols, rows = max(1, cols+g.IntN(7)-3), max(1, rows+g.IntN(5)-2)
		}
		g.cols, g.rows = cols, rows
		return []Op{{Cols: cols, Rows: rows}}
	}},
	{"reset", 1, func(g *generator) []Op {
		return one("reset", g.pick("\x1bc", "\x1b[!p", "\x1b#8", "\x1b#8", "\x1b[?2027l", "\x1b[?2027h", "\x1b[?3h",
			"\x1b[?40h\x1b[?3h", "\x1b[?40h\x1b[?3l"))
	}},
	{"keyboard", 1, func(g *generator) []Op {
		return one("keyboard", g.pick("\x1b[>1u", "\x1b[>5u", "\x1b[<u", "\x1b[<9u", "\x1b[=3u", "\x1b[=4;2u",
			"\x1b[=1;3u", "\x1b[?u", "\x1b[>u", "\x1b[>4;2m", "\x1b[>4m", "\x1b[?4m"))
	}},
	{"cursorstyle", 1, func(g *generator) []Op {
		return one("DECSCUSR", "\x1b["+g.pick("", "0", "1", "2", "3", "4", "5", "6", "7")+" q")
	}},
	{"query", 2, func(g *generator) []Op {
		return one("query", g.pick("\x1b[6n", "\x1b[5n", "\x1b[c", "\x1b[>c", "\x1b[0c", "\x1b[?6n", "\x1b[18t",
			"\x1b[14t", "\x1b[16t", "\x1b[?u", "\x1b[>q", "\x1b[?996n", "\x05", "\a",
			"\x1b[?"+g.pick("1", "6", "7", "25", "45", "69", "1049", "2004", "2026", "2027", "2031", "2048", "1234",
				"3", "1007")+"$p", "\x1b[4$p"))
	}},
	{"image", 1, func(g *generator) []Op {
		return one("image", "\x1b_G"+g.graphicsCommand()+"\x1b\\")
	}},
	{"placeholder", 1, func(g *generator) []Op {
		cell := func() string {
			return "\U0010eeee" + g.pick("", "", "\u0305", "\u030d\u0305", "\u0305\u030e\u0310", "\u0301", "\U0001d244")
		}
		return one("placeholder", "\x1b["+g.pick("38;5;1", "38;5;2", "38;2;0;0;3", "39", "58;5;1")+"m"+g.repeat(5,
			cell)+g.pick("", "", "\x1b[m", "x"))
	}},
	{"c0", 1, func(g *generator) []Op {
		return one("C0", g.repeat(3, func() string { return string([]byte{byte(g.IntN(32))}) })+g.pick("", "\x7f", "a"))
	}},
	{"utf8", 1, func(g *generator) []Op {
		return one("UTF-8", g.repeat(3, func() string {
			return g.pick("\xff", "\xc3", "\xe4\xb8", "\xf0\x9f\x99", "\x80", "\xc0\xaf", "\xed\xa0\x80",
				"\xf4\x90\x80\x80", "\xf5", "a", "世", "\xe4\x1b[1m", "\xc2\x9bm", "\xe0\x80\x80")
		}))
	}},
	{"junk", 2, func(g *generator) []Op {
		return one("junk", g.malformed())
	}},
	{"noise", 1, func(g *generator) []Op {
		// Bytes with a taste for control sequences.
		b := make([]byte, 1+g.IntN(12))
		for i := range b {
			switch g.IntN(6) {
			case 0:
				b[i] = "\x1b\x1b\x1b\x9b\xc2"[g.IntN(5)]
			case 1:
				b[i] = "[]P_^X?>=!$ \"'();:"[g.IntN(18)]
			case 2, 3:
				b[i] = byte('0' + g.IntN(12))
			case 4:
				b[i] = byte('@' + g.IntN(64))
			default:
				b[i] = byte(g.IntN(256))
			}
		}
		return one("noise", string(b))
	}},
	{"split", 2, func(g *generator) []Op {
		// One sequence or character in two writes.
		s := g.pick("\x1b[31;1m", "\x1b[2;2H", "世", "🙂", "e\u0301", "\x1b]2;split\x1b\\", "❤\ufe0f", "👩\u200d💻",
			"\x1b[?1049h", "\x1b(0", "\x1bP1$r\x1b\\", "\xe4\xb8\xad", "क\u094dष")
		i := 1 + g.IntN(len(s)-1)
		return []Op{{Name: "split 1", Bytes: s[:i]}, {Name: "split 2", Bytes: s[i:]}}
	}},
}

// graphicsCommand returns a random kitty graphics command, without its introducer. Its images have
// few pixels, so that they cover from one cell to more than the screen.
func (g *generator) graphicsCommand() string {
	id := g.pick("1", "2", "3")
	place := g.pick("", ",c=2", ",r=2", ",c=3,r=2", ",p=1", ",p=2", ",z=-1", ",C=1", ",X=3,Y=2", ",x=2,y=1,w=5,h=3",
		",c=30,r=20", ",q=1", ",q=2")
	switch g.IntN(8) {
	case 0, 1, 2:
		w, h := 1+g.IntN(20), 1+g.IntN(40)
		return fmt.Sprintf("a=T,f=24,i=%s,s=%d,v=%d%s;%s", id, w, h, place,
			base64.StdEncoding.EncodeToString(make([]byte, w*h*3)))
	case 3:
		return "a=t,f=32,i=" + id + ",s=2,v=2;" + base64.StdEncoding.EncodeToString(make([]byte, 16))
	case 4, 5:
		return "a=p,i=" + id + place
	case 6:
		return "a=d,d=" + g.pick("a", "A", "i,i="+id, "I,i="+id, "i,i="+id+",p=1", "c", "p,x=1,y=1", "x,x=2", "y,y=1",
			"z,z=-1", "n,I=1", "r,x=1,y=2")
	default:
		return g.pick("a=q,i=9,f=24,s=1,v=1;AAAA", "a=T,f=24,s=1,v=1;AAAA", "a=p,i=77",
			"a=T,i="+id+",f=24,s=3,v=1;AAAA", "a=t,m=1,i=5,f=24,s=1,v=2;AAAA", "m=0;AAAA",
			"a=T,U=1,i="+id+",c=2,r=1,f=24,s=1,v=1;AAAA", "a=p,U=1,i="+id+place,
			"a=t,o=z,f=24,q=1,i="+id+",s=1,v=1;eJxjYGAAAAADAAE=", "a=t,q=2,f=100,i="+id+";AAAA", "i=1,I=3", "")
	}
}

func (g *generator) sgr() string {
	var parts []string
	for range g.IntN(4) + 1 {
		parts = append(parts, g.pick("", "0", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "21", "22", "23", "24",
			"25", "27", "28", "29", "53", "55",
			"31", "39", "42", "49", "97", "104", "38;5;200", "48;5;17", "38;2;1;2;3", "48;2;250;128;7", "58;5;9",
			"58;2;9;8;7", "59",
			"4:0", "4:1", "4:2", "4:3", "4:4", "4:5", "4:9", "38:5:100", "38:2:1:2:3", "38:2::4:5:6", "48:2:0:7:8:9",
			"58:5:3", "58:2::1:1:1",
			"38;5", "38;2;1;2", "38;5;300", "4:3:2", "1:2", "100", "107", "108", "38", "48", "38;3;1", "58", "10",
			"26", "38:5", "38:2:1:2", "48:6:1"))
	}
	return strings.Join(parts, ";")
}

// malformed returns a random sequence that has a wrong inside, is not finished, or belongs to
// another protocol.
func (g *generator) malformed() string {
	switch g.IntN(8) {
	case 0:
		return "\x1b[" + strings.Repeat("1;", 20+g.IntN(8)) + "1" + g.pick("m", "H")
	case 1:
		return "\x1b[" + g.pick("2:3H", "1;2:3r", ":m", "<1m", ">1;2m", "=3h", "?1;2J", "1 @", "1 A", "3 q", "!p",
			"'}", "$}", "1*x", "?W", ">T", "1;2;3;4;5T", "#{", "4\"p", "1,2H")
	case 2:
		return "\x1bP" + g.pick("q#0", "$qm", "+q544e", "1;2|x", "tmux;x", "\x00\x01") + g.pick("\x1b\\", "\a\x1b\\",
			"\x18", "\x1b[1m")
	case 3:
		return g.pick("\x1b_", "\x1bX", "\x1b^", "\x1bk") + g.pick("abc", "x\ay", "Ga=x") + g.pick("\x1b\\", "\x1b\\",
			"\x18")
	case 4:
		return "\x1b[" + g.param() + g.pick("\x18", "\x1a", "\x1b[", "\x1bc") + g.pick("1m", "A", "H")
	case 5:
		return "\x1b[" + g.param() + g.pick("\n", "\b", "\t", "\r", "\a", "\x0e", "\x0f") + g.pick("A", "m", "C")
	case 6:
		return "\x1b" + g.pick("Z", "=", ">", "#3", "#5", "#6", "F", "l", "m", "\x7fM", "\nM", " F", " G", "6", "9",
			"1", "i")
	default:
		return "\x1b[" + g.pick("?", ">", "=", "<", "") + g.param() + g.pick("", ";"+g.param()) +
			g.pick("", " ", "!", "$",
				"\"", "'", "#") + string(rune('@'+g.IntN(0x7e-'@')))
	}
}
