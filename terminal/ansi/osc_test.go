package ansi

import (
	"strings"
	"testing"
)

func TestOutOfBandSequences(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"OSC 9":   {string(AppendNotify9(nil, "done\x1b]52;c;x\a\x9c!")), "\x1b]9;done]52;c;x!\x1b\\"},
		"OSC 99":  {string(AppendNotify99(nil, "é\u009b日")), "\x1b]99;;é日\x1b\\"},
		"OSC 777": {string(AppendNotify777(nil, "a;b", "c;d")), "\x1b]777;notify;a,b;c;d\x1b\\"},
		"OSC 52":  {string(AppendClipboard(nil, []byte("hi\x1b"))), "\x1b]52;c;aGkb\x1b\\"},
		"tmux":    {string(AppendTmux(nil, []byte("\x1b]9;x\x1b\\"))), "\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\"},
		"cut":     {string(AppendNotify9(nil, strings.Repeat("é", 300))), "\x1b]9;" + strings.Repeat("é", MaxText/2) + "\x1b\\"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", name, c.got, c.want)
		}
	}
}
