package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// lineEnds are what may stand between two letters of a spelling that programs break into lines.
var lineEnds = strings.NewReplacer("\n", "", "\r", "", `\n`, "", `\r`, "")

// playLive streams text in random pieces, and calls shown with what was sent and given after each.
func playLive(rng *rand.Rand, set secret.Set, text string, shown func(sent, given string)) string {
	s := set.Live()
	var given strings.Builder
	sent := 0
	for sent < len(text) {
		n := 1 + rng.IntN(min(len(text)-sent, 1+rng.IntN(20)))
		given.WriteString(s.Write(text[sent : sent+n]))
		sent += n
		shown(text[:sent], given.String())
	}
	given.WriteString(s.Flush())
	return given.String()
}

// randomSecret returns a value as services make them.
func randomSecret(rng *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/=.&<>\"\\%é"
	runes := []rune(letters)
	begin := []string{"", "", "sk-ant-", "ghp_", "s", "7", "%4", `\u`}[rng.IntN(8)]
	var b strings.Builder
	b.WriteString(begin)
	for range 8 + rng.IntN(40) {
		b.WriteRune(runes[rng.IntN(len(runes))])
	}
	return b.String() + "A1"
}

// Of a secret in a text that comes in pieces of any size, in each of its spellings, never more than
// the first two letters are given, and the rest of the text is what it is as a whole.
func TestLiveTextGivesTwoLettersOfASecretAtMost(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	parted := 0
	for round := range 4000 {
		values := []string{randomSecret(rng), randomSecret(rng), keys[rng.IntN(len(keys))]}
		set := secret.New(values...)
		var b strings.Builder
		for range 1 + rng.IntN(5) {
			b.WriteString([]string{"", " ", "words as such ", "7", "s", "\n", "%", `\`, "sk-ant", "é",
				"c2"}[rng.IntN(11)])
			value := values[rng.IntN(len(values))]
			forms := spellings(value)
			names := []string{"as it is", "in JSON", "in JSON in JSON", "Go", "query", "path", "percent", "unicode",
				"base64", "base64 user", "base64 name", "base64 x", "base64 wrapped", "hex", "HEX"}
			text := forms[names[rng.IntN(len(names))]]
			if rng.IntN(4) == 0 {
				text = text[:rng.IntN(len(text)+1)]
			}
			b.WriteString(text)
		}
		text := b.String()
		want := strings.Split(set.Redact(text), secret.Hidden)
		judge := func(given string, whole bool) {
			got := strings.Split(given, secret.Hidden)
			if len(got) > len(want) || whole && len(got) != len(want) {
				t.Fatalf("seed %d, round %d: %q gives\n%q, as a whole\n%q", seed, round, text, got, want)
			}
			for i, part := range got {
				switch more, found := strings.CutPrefix(part, want[i]); {
				case i == len(got)-1 && !found && !whole && strings.HasPrefix(want[i], part): // goes on
				case !found, i == len(want)-1 && more != "", len(lineEnds.Replace(more)) > 2:
					t.Fatalf("seed %d, round %d: %q gives\n%q, as a whole\n%q", seed, round, text, got, want)
				case more != "":
					parted++
				}
			}
		}
		given := playLive(rng, set, text, func(_, given string) { judge(given, false) })
		judge(given, true)
	}
	if parted == 0 {
		t.Error("no secret was parted behind its first letters, so nothing was tried")
	}
}

// begins reports whether a text may end in three letters or more of a spelling of a value.
func begins(text string, values []string) bool {
	var forms []string
	for _, v := range values {
		forms = append(forms, v, hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))),
			fmt.Sprintf("%%%02x%s", v[0], v[1:]))
		for skip := range 3 {
			all := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", skip) + v))
			forms = append(forms, all[(skip*8+5)/6:])
		}
	}
	text = lineEnds.Replace(text)
	for i := max(len(text)-200, 0); i <= len(text)-3; i++ {
		for _, f := range forms {
			if strings.HasPrefix(f, text[i:]) {
				return true
			}
		}
	}
	return false
}

// A text without secrets stays as it is, and no piece of it waits before a third letter could be
// one of a secret.
func TestLiveTextWaitsFromTheThirdLetterOn(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	set := secret.New(keys...)
	held := 0
	for round := range 3000 {
		var b strings.Builder
		for range 1 + rng.IntN(30) {
			b.WriteString([]string{"as", "sk", "sk-", "sk-ant", "7", "73", "736", "c2", "c2s", "gh", "ghp_", "é", " ",
				"100%", "p4", "co", "cor", "\n", "\n\n", "q", "words", "A", "Ab", "AbC", "[secret]"}[rng.IntN(25)])
		}
		text := b.String()
		if set.Redact(text) != text {
			continue
		}
		given := playLive(rng, set, text, func(sent, given string) {
			switch {
			case !strings.HasPrefix(sent, given):
				t.Fatalf("seed %d, round %d: of %q it gives %q", seed, round, sent, given)
			case sent != given:
				held++
				if !begins(sent, keys) {
					t.Fatalf("seed %d, round %d: of %q it holds back %q", seed, round, sent, sent[len(given):])
				}
			}
		})
		if given != text {
			t.Fatalf("seed %d, round %d: %q becomes %q", seed, round, text, given)
		}
	}
	if held == 0 {
		t.Error("nothing was held back, so nothing was tried")
	}
}

// No word of an ordinary text comes a delta late but those that end as a secret begins in three
// letters.
func TestWordsDoNotWaitForTheRedactor(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "agentshell.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`\s*[\pL\d'-]+[.,;:)]?`).FindAllString(string(text), 862)
	if len(words) != 862 {
		t.Fatalf("the page has %d words", len(words))
	}
	values := []string{"sk-ant-api03-CANARY0123456789abcdefghijklmnopqrstuvwxyz-AA", "sk-proj-CANARYabcdef0123456789"}
	live, kept := secret.New(values...).Live(), secret.New(values...).Stream()
	late, before := 0, 0
	for _, word := range words {
		if kept.Write(word) != word {
			before++
		}
		if live.Write(word) != word && !begins(word, values) {
			late++
		}
	}
	if late > 0 || before == 0 {
		t.Errorf("%d of %d words are late, and %d in a text that is kept", late, len(words), before)
	}
}

// Half an escape with [secret] behind it would break the JSON that it stands in.
func TestLiveTextPartsNoEscape(t *testing.T) {
	s := secret.New(keys[0]).Live()
	var unicode strings.Builder
	for _, r := range keys[0] {
		fmt.Fprintf(&unicode, `\u%04x`, r)
	}
	given := ""
	for _, c := range unicode.String() {
		given += s.Write(string(c))
	}
	if given += s.Flush(); given != secret.Hidden {
		t.Errorf("%q", given)
	}
	for _, c := range []struct{ piece, want string }{{`a\`, "a"}, {`\`, `\\`}, {"n", "n"}, {`\u00`, ""},
		{"e9", `\u00e9`}} {
		if got := s.Write(c.piece); got != c.want {
			t.Errorf("%q gives %q, want %q", c.piece, got, c.want)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("The quick brown fox skips over sk-lazy dogs 73 times as it is. ", 50)
	words := strings.SplitAfter(text, " ")
	set := secret.New(keys...)
	for name, begin := range map[string]func() *secret.Stream{"kept": set.Stream, "live": set.Live} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				s := begin()
				for _, w := range words {
					n += len(s.Write(w))
				}
			}
			b.SetBytes(int64(n / b.N))
		})
	}
}
