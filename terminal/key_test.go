package terminal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

func TestKeysAreDecodedFromWhatTerminalsSend(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a", "a"}, {"A", "A"}, {"é", "é"}, {"漢", "漢"}, {" ", "space"}, {"+", "+"},
		{"\r", "enter"}, {"\n", "ctrl+j"}, {"\t", "tab"}, {"\x7f", "backspace"}, {"\x08", "ctrl+h"},
		{"\x00", "ctrl+space"},
		{"\x01", "ctrl+a"}, {"\x03", "ctrl+c"}, {"\x1a", "ctrl+z"}, {"\x1c", `ctrl+\`}, {"\x1d", "ctrl+]"},
		{"\x1e", "ctrl+^"}, {"\x1f", "ctrl+_"},
		{"\x1ba", "alt+a"}, {"\x1bA", "alt+A"}, {"\x1bé", "alt+é"}, {"\x1b\r", "alt+enter"},
		{"\x1b\x7f", "alt+backspace"}, {"\x1b\x03", "ctrl+alt+c"}, {"\x1b ", "alt+space"}, {"\x1b\n", "ctrl+alt+j"},
		// cursor and function keys
		{"\x1b[A", "up"}, {"\x1b[B", "down"}, {"\x1b[C", "right"}, {"\x1b[D", "left"}, {"\x1b[H", "home"},
		{"\x1b[F", "end"},
		{"\x1bOA", "up"}, {"\x1bOH", "home"}, {"\x1bOP", "f1"}, {"\x1bOQ", "f2"}, {"\x1bOR", "f3"}, {"\x1bOS", "f4"},
		{"\x1bO5P", "ctrl+f1"}, {"\x1bO1;2P", "shift+f1"},
		{"\x1b[1;2A", "shift+up"}, {"\x1b[1;3A", "alt+up"}, {"\x1b[1;5A", "ctrl+up"},
		{"\x1b[1;8D", "ctrl+alt+shift+left"}, {"\x1b[1;9C", "super+right"}, {"\x1b[1;33C", "alt+right"},
		{"\x1b[1;5P", "ctrl+f1"}, {"\x1b[1;2S", "shift+f4"},
		{"\x1b[1~", "home"}, {"\x1b[2~", "insert"}, {"\x1b[3~", "delete"}, {"\x1b[4~", "end"}, {"\x1b[5~", "pageup"},
		{"\x1b[6~", "pagedown"}, {"\x1b[7~", "home"}, {"\x1b[8~", "end"},
		{"\x1b[3;5~", "ctrl+delete"}, {"\x1b[15~", "f5"}, {"\x1b[17;2~", "shift+f6"}, {"\x1b[24~", "f12"},
		{"\x1b[13~", "f3"},
		{"\x1b[Z", "shift+tab"}, {"\x1b[1;5Z", "ctrl+shift+tab"},
		{"\x1b[[A", "f1"}, {"\x1b[[E", "f5"}, // Linux console
		// Rxvt.
		{"\x1b\x1b[A", "alt+up"}, {"\x1b\x1bOA", "alt+up"}, {"\x1b\x1b[3~", "alt+delete"}, {"\x1b[a", "shift+up"},
		{"\x1bOa", "ctrl+up"}, {"\x1b[3^", "ctrl+delete"}, {"\x1b[3$", "shift+delete"},
		{"\x1b[3@", "ctrl+shift+delete"},
		{"\x1bOM", "shift+enter"},
		{"\x1bOj", "*"}, {"\x1bOp", "0"}, {"\x1bOy", "9"}, {"\x1bOX", "="}, // application keypad
		// modifyOtherKeys
		{"\x1b[27;2;13~", "shift+enter"}, {"\x1b[27;5;13~", "ctrl+enter"}, {"\x1b[27;5;106~", "ctrl+j"},
		{"\x1b[27;5;99~", "ctrl+c"}, {"\x1b[27;6;67~", "ctrl+shift+c"}, {"\x1b[27;3;97~", "alt+a"},
		{"\x1b[27;4;65~", "alt+A"},
		{"\x1b[27;5;9~", "ctrl+tab"}, {"\x1b[27;2;9~", "shift+tab"}, {"\x1b[27;5;32~", "ctrl+space"},
		{"\x1b[27;2;32~", "space"}, {"\x1b[27;5;8~", "ctrl+backspace"}, {"\x1b[27;5;127~", "ctrl+backspace"},
		{"\x1b[27;2;64~", "@"}, {"\x1b[27;5;27~", "ctrl+escape"},
		// kitty
		{"\x1b[27u", "escape"}, {"\x1b[97;5u", "ctrl+a"}, {"\x1b[97:65;6u", "ctrl+shift+a"}, {"\x1b[97:65;2u", "A"},
		{"\x1b[97:65;4u", "alt+A"}, {"\x1b[13;2u", "shift+enter"}, {"\x1b[9;2u", "shift+tab"},
		{"\x1b[127;5u", "ctrl+backspace"},
		{"\x1b[106;5u", "ctrl+j"}, {"\x1b[32;2u", "space"}, {"\x1b[32;5u", "ctrl+space"},
		{"\x1b[1089::99;5u", "ctrl+c"}, {"\x1b[1089:1057;4u", "alt+C"}, {"\x1b[49:33;2u", "!"},
		{"\x1b[61:43;6u", "ctrl++"},
		// Letters of other scripts go by the place of their key, with or without kitty's base key.
		{"\x1b[1074;5u", "ctrl+d"}, {"\x1b[1074::100;5u", "ctrl+d"}, {"\x1b[27;5;1074~", "ctrl+d"},
		{"\x1b[1042;6u", "ctrl+shift+d"}, {"\x1bв", "alt+d"}, {"\x1bВ", "alt+D"}, {"\x1b[1074;3u", "alt+d"},
		{"\x1b[1074::101;3u", "alt+e"}, {"\x1b[1110;5u", "ctrl+s"}, {"\x1b[948;5u", "ctrl+d"},
		{"\x1b[1490;5u", "ctrl+d"}, {"\x1b[1610;5u", "ctrl+d"}, {"\x1b[12615;5u", "ctrl+d"},
		{"\x1b[1093;5u", "ctrl+["}, {"\x1bé", "alt+é"}, {"\x1b[233;5u", "ctrl+é"}, {"\x1b漢", "alt+漢"},
		{"в", "в"}, {"\x1b[1074u", "в"}, {"\x1b[1074:1042;2u", "В"},
		// Repeat; caps lock.
		{"\x1b[97;5:1u", "ctrl+a"}, {"\x1b[97;5:2u", "ctrl+a again"},
		{"\x1b[1;5:2A", "ctrl+up again"}, {"\x1b[97;69u", "ctrl+a"},
		{"\x1b[57414u", "enter"}, {"\x1b[57400u", "1"}, {"\x1b[57419;5u", "ctrl+up"}, {"\x1b[57425u", "insert"},
		{"\x1b[97;9u", "super+a"},
		{"\x1b[97;5:3u", "ctrl+a let go"}, {"\x1b[1;5:3A", "ctrl+up let go"}, {"\x1b[3;1:3~", "delete let go"},
		// no keys
		{"\x1b[57358u", ""}, {"\x1b[57441;2u", ""},
		{"\x1b[201~", ""}, {"\x1b[99~", ""}, {"\x1b[E", ""}, {"\xff", ""}, {"\u0085", ""}, {"\x1b\u009b", ""},
		{"\x1b[27;5;155~", ""}, {"\x1b[155;5u", ""}, {"\x1b[1114112u", ""}, {"\x1b[55296u", ""},
		{"\x1b[97;999999999999u", ""}, {"\x1b[u", ""}, {"\x1b[5;5A", ""},
	} {
		var b stdinbuf.Buffer
		n := 0
		for tok := range b.Feed([]byte(c.in)) {
			n++
			k, how, ok := decodeKey(tok)
			got := ""
			if ok {
				got = k.String() + [...]string{"", " again", " let go"}[how]
			}
			if got != c.want {
				t.Errorf("%q: %q, want %q", c.in, got, c.want)
			}
		}
		if n != 1 {
			t.Errorf("%q: %d tokens", c.in, n)
		}
	}
}

func TestKeyNamesAndKeysAreInverses(t *testing.T) {
	seed := uint64(rand.Int64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range 20000 {
		k := Key{Mods: Mod(rng.IntN(16))}
		if i == 0 {
			k = Key{Code: 0x1fbe, Mods: Alt | Shift} // its capital is that of iota
		}
		switch kind := rng.IntN(4); {
		case i == 0:
		case kind == 0:
			k.Code = keyNames[rng.IntN(len(keyNames))].code
		case kind == 1:
			k.Code = rune(0x21 + rng.IntN(0x7e-0x21))
		default:
			k.Code = rune(0xa0 + rng.IntN(0x2ff00))
			if k.Code >= 0xd800 && k.Code < 0xe000 {
				continue
			}
		}
		k = k.normal()
		if n := k.normal(); n != k {
			t.Fatalf("seed %d: %+v is not normal: %+v", seed, k, n)
		}
		got, err := ParseKey(k.String())
		if err != nil || got != k {
			t.Fatalf("seed %d: %+v is called %q, which is %+v, %v", seed, k, k, got, err)
		}
		if !k.Is(k.String()) {
			t.Fatalf("seed %d: %+v is not %q", seed, k, k)
		}
	}
}

func TestParseKeyIsLenientAboutSpelling(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Ctrl+C", "ctrl+c"}, {"shift+a", "A"}, {"esc", "escape"}, {"alt+ctrl+x", "ctrl+alt+x"}, {"Return", "enter"},
		{"control+meta+Up", "ctrl+alt+up"}, {"+", "+"}, {"ctrl++", "ctrl++"}, {"alt+shift+x", "alt+X"},
		{"ctrl+shift+a", "ctrl+shift+a"}, {"PgUp", "pageup"}, {"cmd+k", "super+k"},
	} {
		k, err := ParseKey(c.in)
		if err != nil || k.String() != c.want {
			t.Errorf("ParseKey(%q) = %q, %v, want %q", c.in, k, err, c.want)
		}
	}
	for _, s := range []string{"", "ctrl+", "ctrl", "foo", "ctrl+foo", "ab", "\x03", "\x7f", "hyper+a", "f13", " ",
		"\xff", "ctrl+ctrl", "alt++x"} {
		if k, err := ParseKey(s); err == nil {
			t.Errorf("ParseKey(%q) = %+v", s, k)
		}
	}
}

func TestKeyThatNoNameMeansPanicsInATest(t *testing.T) {
	if k := (Key{Code: 'c', Mods: Ctrl}); !k.Is("ctrl+c") || k.Is("c") {
		t.Errorf("%v is not itself", k)
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), `"crtl+c"`) {
			t.Errorf("the panic is %v", p)
		}
	}()
	Key{Code: 'c', Mods: Ctrl}.Is("crtl+c")
}

func TestTextIsWhatAKeyInserts(t *testing.T) {
	for _, c := range []struct{ key, want string }{{"a", "a"}, {"A", "A"}, {"space", " "}, {"漢", "漢"}, {"enter", ""},
		{"tab", ""}, {"ctrl+a", ""}, {"alt+a", ""}, {"up", ""}, {"backspace", ""}, {"escape", ""}, {"super+x", ""}} {
		k, err := ParseKey(c.key)
		if err != nil || k.Text() != c.want {
			t.Errorf("%s: %q, %v", c.key, k.Text(), err)
		}
	}
}

func FuzzDecodedKeysHaveNames(f *testing.F) {
	for _, s := range []string{"a\x1b[A", "\x1b[97:65;6u", "\x1b[27;5;106~", "\x1bO5P\x1b\x1b[3~", "\x1b[1089::99;5u",
		"\x00\x1f\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var b stdinbuf.Buffer
		for tok := range b.Feed(in) {
			k, _, ok := decodeKey(tok)
			if !ok {
				continue
			}
			got, err := ParseKey(k.String())
			if err != nil || got != k {
				t.Fatalf("%q: %+v is called %q, which is %+v, %v", tok.Data, k, k, got, err)
			}
			if s := k.Text(); s != "" && (s[0] < 0x20 || s[0] == 0x7f) {
				t.Fatalf("%q inserts %q", tok.Data, s)
			}
		}
	})
}
