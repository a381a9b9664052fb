package markdown

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/internal/tmux"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// spelled are words that are spelled with joiners, a script each.
var spelled = map[string]string{
	"Persian":   "می\u200cخواهم",
	"Urdu":      "کتاب\u200cخانہ",
	"Hindi":     "क्\u200dष",
	"Marathi":   "दर्\u200dया",
	"Bengali":   "র\u200d্যাম",
	"Gujarati":  "ક્\u200cષ",
	"Kannada":   "ರಾಜ್\u200cಕುಮಾರ್",
	"Kannada 2": "ಕ್\u200dಷ",
	"Telugu":    "సాఫ్ట్\u200cవేర్",
	"Malayalam": "അവന്\u200d വന്നു",
	"Sinhala":   "ශ්\u200dරී",
}

func TestProseKeepsTheJoinersOfItsSpelling(t *testing.T) {
	for name, word := range spelled {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: tui.NewText("f")}
			s := tuitest.Start(t, app, tuitest.Config{Cols: 80, Rows: 30})
			out := app.Transcript().Stream(&Document{})
			address, _, _ := strings.Cut(word, " ")
			src := "A " + word + " **" + word + "** end.\n\n- " + word + "\n\n| " + word + " | b |\n|---|---|\n" +
				"| c | " + word + " |\n\n`" + word + "`, pass\u200cword, [" + word +
				"](https://x.org/" + address + ")\n\n```\n" + word + "\n```\n"
			for _, r := range src {
				_, _ = out.Write([]byte(string(r)))
				s.Settle()
			}
			out.Close()
			s.Settle()
			rows := strings.TrimSpace(strings.Join(s.Lines(), "\n"))
			tokens := strings.NewReplacer("\u200c", "<U+200C>", "\u200d", "<U+200D>")
			token := tokens.Replace(word)
			for _, want := range []string{"A " + word + " " + word + " end.", "- " + word + "\n", word + "  b",
				token + ", pass<U+200C>word, " + word +
					" (https://x.org/" + tokens.Replace(address) + ")", "\n" + token + "\n"} {
				if !strings.Contains(rows, want) {
					t.Errorf("%s: %+q is not in\n%+q", name, want, rows)
				}
			}
			app.Quit(nil)
			s.Wait()
		})
	}
}

func TestARealTmuxHasTheWordsAsTheyAreSpelled(t *testing.T) {
	words := slices.Sorted(func(yield func(string) bool) {
		for _, w := range spelled {
			if !yield(w) {
				return
			}
		}
	})
	m := tmux.New(t)
	binary := tmux.Example(t, "chat")
	m.Start(100, 24)
	m.Line(binary)
	m.Until("the prompt", func() bool { return strings.Contains(m.Screen(), "Say something") })
	line := strings.Join(words, " x ")
	m.Run("send-keys", "-l", line)
	m.Run("send-keys", "Enter")
	m.Until("the answer", func() bool { return strings.Count(m.Tape(), " x ") > 2*(len(words)-1)-1 })
	_, answer, _ := strings.Cut(m.Tape(), "You said")
	for _, w := range words {
		var shown strings.Builder // see tui.Layout's Joiners
		for c := range (width.Model{}).Clusters(w) {
			shown.WriteString(strings.TrimSuffix(c, "\u200d"))
		}
		w = shown.String()
		if !strings.Contains(answer, w) {
			t.Errorf("%+q is not in %+q", w, answer)
		}
	}
	m.Run("send-keys", "C-d")
}
