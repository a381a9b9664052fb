package main

import "github.com/scrollkeep/scrollkeep/stress/screen"

// sizes returns terminal sizes from a list of columns and rows in turn.
func sizes(list ...int) (out []screen.Size) {
	for i := 0; i < len(list); i += 2 {
		out = append(out, screen.Size{Cols: list[i], Rows: list[i+1]})
	}
	return out
}

const long = "one two three four five six seven"

// probes lists all probes in the order of the table. A heading (group) stands above the probes up
// to the next one.
var probes = []probe{
	{group: "Text", name: "a wide character takes two columns", input: "世x", question: askScreen, want: "世x @0,3"},
	{name: "one that has no room goes to the next row", input: "1234567890123456789世", question: askScreen,
		want: "1234567890123456789/世 @1,2"},
	{name: "writing over one half clears the other", input: "世界\x1b[2GX", question: askScreen, want: " X界 @0,2"},
	{name: "a combining mark joins its letter", input: "e\u0301x", question: askScreen, want: "e\u0301x @0,2"},
	{name: "one behind a full row, too", input: "1234567890123456789e\u0301", question: askScreen,
		want: "1234567890123456789e\u0301 @0,(19|20)"},
	{name: "a family is one cluster of two columns", input: "\x1b[?2027h👩\u200d👩\u200d👧x", question: askScreen,
		want: "👩\u200d👩\u200d👧x @0,3"},
	{name: "a flag takes two columns", input: "\x1b[?2027h🇩🇪x", question: askScreen, want: "🇩🇪x @0,3"},
	{name: "a skin tone joins", input: "\x1b[?2027h👍🏽x", question: askScreen, want: "👍🏽x @0,3"},
	{name: "VS16 makes an emoji of two columns", input: "\x1b[?2027h❤\ufe0fx", question: askScreen,
		want: "❤\ufe0fx @0,3"},
	{name: "decomposed Hangul is one syllable", input: "\x1b[?2027h\u1112\u1161\u11abx", question: askScreen,
		want: "\u1112\u1161\u11abx @0,3"},
	{name: "mode 2027 says so", input: "\x1b[?2027$p", question: askReplies, want: `\\e\[\?2027;[13]\$y`},
	{name: "a byte that is no UTF-8 is U+FFFD", input: "a\xffb", question: askScreen, want: "a\ufffdb @0,3"},
	{name: "line drawing (SCS)", input: "\x1b(0lqk\x1b(B", question: askScreen, want: "┌─┐ @0,3"},

	{group: "Lines", name: "a soft wrap is known", input: long, question: askWraps, want: "0"},
	{name: "EL 0 ends it", input: long + "\x1b[1;1H\x1b[K", question: askWraps, want: ""},
	{name: "EL 2 ends it", input: long + "\x1b[1;1H\x1b[2K", question: askWraps, want: ""},
	{name: "narrower: lines wrap anew", input: long + "\r\n", resizes: sizes(10, 4), question: askTape,
		want: "one two th/--/ree four f/ive six se/ven @3,0"},
	{name: "and back", input: long + "\r\n", resizes: sizes(10, 4, 20, 4), question: askTape,
		want: "(one two three four f/--/ive six seven @1,0|--/one two three four f/ive six seven @2,0)"},
	{name: "the cursor's line, too", input: long, resizes: sizes(10, 4), question: askTape,
		want: "--/one two th/ree four f/ive six se/ven .*"},
	{name: "the cursor stays behind its text", input: long, resizes: sizes(10, 4), question: askTape,
		want: ".*/ven @3,3"},
	{name: "the scrollback wraps anew", input: "a\r\n" + long + "\r\n1\r\n2\r\n3\r\n4", resizes: sizes(40, 4),
		question: askTape, want: "a/" + long + "/--/1/2/3/4 @3,1"},
	{name: "lower: rows go to the scrollback", input: "1\r\n2\r\n3\r\n4", resizes: sizes(20, 2), question: askTape,
		want: "1/2/--/3/4 @1,1"},
	{name: "higher: they come back", input: "1\r\n2\r\n3\r\n4", resizes: sizes(20, 2, 20, 4), question: askTape,
		want: "--/1/2/3/4 @3,1"},

	{group: "Scrolling", name: "rows that scroll off are kept", input: "1\r\n2\r\n3\r\n4\r\n5", question: askTape,
		want: "1/--/2/3/4/5 @3,1"},
	{name: "from a region at the top, too", input: "1\r\n2\r\n3\r\n4\x1b[1;3r\x1b[3H\nx", question: askTape,
		want: "1/--/2/3/x/4 @2,1"},
	{name: "none of the alternate screen", input: "a\x1b[?1049h1\r\n2\r\n3\r\n4\r\n5\x1b[?1049l", question: askTape,
		want: "--/a @0,1"},
	{name: "ED 3 drops them", input: "1\r\n2\r\n3\r\n4\r\n5\x1b[3J", question: askTape, want: "--/2/3/4/5 @3,1"},
	{name: "DECSTBM", input: "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3H\n", question: askScreen, want: "1/3//4 @2,0"},
	{name: "DECSLRM", input: "abcdef\r\nghijkl\x1b[?69h\x1b[2;3s\x1b[S", question: askScreen,
		want: "ahidef/g  jkl @0,0"},
	{name: "IL, DL", input: "1\r\n2\r\n3\x1b[1H\x1b[M\x1b[2H\x1b[L", question: askScreen, want: "2//3 @1,0"},
	{name: "SU, SD", input: "1\r\n2\r\n3\x1b[2S\x1b[T", question: askScreen, want: "/3 @2,1"},

	{group: "Editing", name: "ICH, DCH, ECH", input: "abcdef\x1b[2G\x1b[@\x1b[4G\x1b[P\x1b[X", question: askScreen,
		want: "a b ef @0,3"},
	{name: "REP", input: "ab\x1b[3b", question: askScreen, want: "abbbb @0,5"},
	{name: "an erased cell has the background", input: "\x1b[44m\x1b[K", question: askCell, want: "bg idx:4"},
	{name: "tab stops are set and cleared", input: "\x1b[5G\x1bH\x1b[9G\x1b[g\x1b[0g\r\tx\ty", question: askScreen,
		want: "    x           y @0,17"},
	{name: "DECSCA protects from DECSED", input: "a\x1b[1\"qb\x1b[0\"qc\x1b[1G\x1b[?J", question: askScreen,
		want: " b @0,0"},
	{name: "DECOM", input: "\x1b[2;3r\x1b[?6h\x1b[1;1Hx", question: askScreen, want: "/x @1,1"},
	{name: "DECALN", input: "\x1b#8\x1b[1;1Hx", question: askScreen, want: "xE{19}/E{20}/E{20}/E{20} @0,1"},
	{name: "save and restore with DECOM and SGR", input: "\x1b[31m\x1b7\x1b[m\x1b[3H\x1b8x", question: askCell,
		want: "x, fg idx:1"},

	{group: "Looks", name: "256 colours", input: "\x1b[38;5;99;48;5;8mx", question: askCell,
		want: "x, fg idx:99, bg idx:8"},
	{name: "true colour", input: "\x1b[38;2;1;2;3mx", question: askCell, want: "x, fg rgb:010203"},
	{name: "with colons", input: "\x1b[38:2::1:2:3mx", question: askCell, want: "x, fg rgb:010203"},
	{name: "curly underline", input: "\x1b[4:3mx", question: askCell, want: "x, curly"},
	{name: "faint, strike", input: "\x1b[2;9mx", question: askCell, want: "x, faint strike"},
	{name: "overline", input: "\x1b[53mx", question: askCell, want: "x, overline"},
	{name: "links (OSC 8)", input: "\x1b]8;;http://a/\x1b\\x\x1b]8;;\x1b\\", question: askLink, want: "http://a/"},

	{group: "Questions", name: "DA1", input: "\x1b[c", question: askReplies, want: `\\e\[\?[0-9;]+c`},
	{name: "DA2", input: "\x1b[>c", question: askReplies, want: `\\e\[>[0-9;]+c`},
	{name: "XTVERSION", input: "\x1b[>q", question: askReplies, want: `\\eP>\|.+\\e\\\\`},
	{name: "DSR", input: "\x1b[5n", question: askReplies, want: `\\e\[0n`},
	{name: "CPR behind a full row names its last column", input: "12345678901234567890\x1b[6n", question: askReplies,
		want: `\\e\[1;20R`},
	{name: "CPR", input: "ab\x1b[6n", question: askReplies, want: `\\e\[1;3R`},
	{name: "DECRQM", input: "\x1b[?7$p", question: askReplies, want: `\\e\[\?7;1\$y`},
	{name: "DECRQSS", input: "\x1b[1m\x1bP$qm\x1b\\", question: askReplies, want: `\\eP1\$r(0;)?1m\\e\\\\`},
	{name: "DECRQSS with the style of an underline", input: "\x1b[4:3m\x1bP$qm\x1b\\", question: askReplies,
		want: `\\eP1\$r(0;)?4:3m\\e\\\\`},
	{name: "XTGETTCAP", input: "\x1bP+q544e\x1b\\", question: askReplies, want: `\\eP1\+r544[eE]=.*\\e\\\\`},
	{name: "colours (OSC 11)", input: "\x1b]11;#102030\x1b\\\x1b]11;?\x1b\\", question: askReplies,
		want: `\\e\]11;rgb:1010/2020/3030(\\e\\\\|\\a)`},
	{name: "size (CSI 18 t)", input: "\x1b[18t", question: askReplies, want: `\\e\[8;4;20t`},

	{group: "Modes", name: "synchronized updates (2026)", input: "\x1b[?2026$p", question: askReplies,
		want: `\\e\[\?2026;2\$y`},
	{name: "sizes in band (2048)", input: "\x1b[?2048h", resizes: sizes(30, 4), question: askReplies,
		want: `(\\e\[48;4;20;[0-9;]*t)?\\e\[48;4;30;[0-9;]*t`},
	{name: "colour scheme (2031)", input: "\x1b[?996n", question: askReplies, want: `\\e\[\?997;[12]n`},
	{name: "kitty's keyboard", input: "\x1b[>5u\x1b[?u", question: askReplies, want: `\\e\[\?5u`},
	{name: "title", input: "\x1b]2;a title\x1b\\", question: askTitle, want: "a title"},
	{name: "directory (OSC 7)", input: "\x1b]7;file:///tmp\x1b\\", question: askPwd, want: ".*/tmp"},
	{name: "prompts (OSC 133)", input: "\r\n\x1b]133;A\x1b\\$ ", question: askPrompt, want: "1"},

	{group: "Pictures", name: "kitty's graphics", input: "\x1b_Gi=1,a=q,f=24,s=1,v=1;AAAA\x1b\\",
		question: askReplies,
		want:     `\\e_Gi=1;OK\\e\\\\`},
	{name: "placements", input: "\x1b[2;3H\x1b_Gi=1,a=T,f=24,s=1,v=1,c=3,r=2,q=2;AAAA\x1b\\", question: askImages,
		want: "1@1,2 3x2"},
	{name: "relative ones", input: "\x1b_Gi=1,a=T,f=24,s=1,v=1,p=1,C=1,q=2;AAAA\x1b\\" +
		"\x1b_Ga=p,i=1,p=2,P=1,Q=1,H=4,V=1,q=2\x1b\\", question: askImages, want: "1@0,0 1x1 1@1,4 1x1"},
	{name: "animations", input: "\x1b_Gi=1,a=t,f=24,s=1,v=1,q=2;AAAA\x1b\\\x1b_Ga=f,i=1,f=24,s=1,v=1;AAAA\x1b\\",
		question: askReplies, want: `\\e_Gi=1,r=2;OK\\e\\\\`},
	{name: "sixel", input: "\x1b[c", question: askReplies, want: `\\e\[\?([0-9]+;)+4(;[0-9]+)*c`},
}
