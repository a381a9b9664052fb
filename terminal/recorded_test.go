package terminal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// lost are the keys that terminals without kitty's protocol cannot tell: the key as which each
// arrives.
var lost = map[string]map[string]string{
	"xterm": legacy, "kitty": legacy, "vte": legacy, "tmux": legacy,
	"xterm-modify":  {"ctrl+backspace": "ctrl+h"},
	"tmux-extended": {"ctrl+backspace": "ctrl+h", "ctrl+i": "tab", "ctrl+m": "enter"},
}

var legacy = map[string]string{"shift+enter": "enter", "ctrl+enter": "enter", "ctrl+m": "enter", "ctrl+i": "tab",
	"ctrl+tab": "tab", "ctrl+backspace": "ctrl+h"}

// The files are what real terminals have sent for the keys that they name (stress/realterm,
// -record).
func TestKeysAreDecodedFromWhatRealTerminalsSent(t *testing.T) {
	files, err := filepath.Glob("testdata/keys/*.txt")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		n := 0
		for row := range strings.Lines(string(text)) {
			if row[0] == '#' {
				continue
			}
			key, quoted, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
			bytes, err := strconv.Unquote(`"` + quoted + `"`)
			if err != nil {
				t.Fatalf("%s: %q: %v", file, row, err)
			}
			n++
			// A key arrives in one read or byte by byte.
			for _, step := range []int{len(bytes), 1} {
				var b stdinbuf.Buffer
				var got []string
				take := func(tok stdinbuf.Token) {
					if k, how, ok := decodeKey(tok); ok && how != released {
						got = append(got, k.String())
					}
				}
				for rest := bytes; rest != ""; rest = rest[step:] {
					for tok := range b.Feed([]byte(rest[:step])) {
						take(tok)
					}
				}
				for tok := range b.Flush() {
					take(tok)
				}
				want := key
				if k, err := ParseKey(key); err == nil { // letters of another script go by their place
					want = k.String()
				}
				if l := lost[name][key]; l != "" {
					want = l
				}
				if len(got) == 1 && got[0] == want {
					continue
				}
				t.Errorf("%s: %s sent %q, which is decoded as %q", name, key, bytes, got)
			}
		}
		if n < 7 {
			t.Errorf("%s: %d keys", name, n)
		}
	}
}
