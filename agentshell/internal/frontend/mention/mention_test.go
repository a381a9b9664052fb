package mention_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
)

func TestEveryNameIsReadAsItWasWritten(t *testing.T) {
	for _, name := range []string{"notes.md", "a b.md", "it's", `say "hi".txt`, `back\slash`, "tab\there", "line\nend",
		"esc\x1b[31m", "bidi\u202eexe", "not\xffutf8", "ends.", "(x)", "ünï.md", "dir/", "@at", "a@b"} {
		q := mention.Quote(name, false)
		if strings.ContainsFunc(q, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q is written with a control: %q", name, q)
		}
		words := slices.Collect(mention.Words("look at @" + q + " and go"))
		if len(words) != 5 || words[2] != (mention.Word{Text: name, At: true}) {
			t.Errorf("%q, written %s, is read as %+v", name, q, words)
		}
	}
}

func TestTheMentionThatIsBeingTypedIsKnown(t *testing.T) {
	for _, c := range []struct {
		text, path string
		from       int
		ok         bool
	}{
		{"@", "", 0, true},
		{"see @no", "no", 4, true},
		{"see @notes.md ", "", 0, false},
		{"mail a@b", "", 0, false},
		{`see @"my dir/f`, "my dir/f", 4, true},
		{`see @"tab\there/f`, "tab\there/f", 4, true},
		{`see @"my file" `, "", 0, false},
		{`see @"my file"`, "", 0, false},
		{"@a @b", "b", 3, true},
		{"", "", 0, false},
	} {
		from, path, ok := mention.Unfinished(c.text)
		if ok != c.ok || ok && (from != c.from || path != c.path) {
			t.Errorf("%q: %d %q %v, want %+v", c.text, from, path, ok, c)
		}
	}
}

func TestAnOpenQuoteLeadsIntoTheDirectory(t *testing.T) {
	for _, dir := range []string{"src/", "my dir/", "a\tb/"} {
		if _, path, ok := mention.Unfinished("@" + mention.Quote(dir, true)); !ok || path != dir {
			t.Errorf("%q is read as %q %v", dir, path, ok)
		}
	}
}

// A line is a command only if its first word has no second slash: a file that was dropped is part
// of a message.
func TestAPathAtTheStartIsNoCommand(t *testing.T) {
	for line, want := range map[string]string{
		"/help": "/help|", "/mode plan ": "/mode|plan", "/srv:prompt a/b": "/srv:prompt|a/b", "/ x": "/|x", "/": "/|",
		"/home/u/shot.png what is it?": "", `/home/u/my\ shot.png what is it?`: "", "/tmp/": "", "//": "",
		"/etc/hosts": "", " /help": "", "help": "", "/help\nmore": "", "": "", "'/home/u/my shot.png' what": "",
	} {
		name, argument, ok := mention.Command(line)
		if got := name + "|" + argument; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", line, got, ok, want)
		}
	}
}

// A directory whose quote was left open by the completion is read to the end of its line.
func TestAnOpenQuoteEndsWithItsLine(t *testing.T) {
	for text, want := range map[string]string{`see @"my dir/`: "my dir/", "@\"my dir/ \nwhat": "my dir/"} {
		found := false
		for w := range mention.Words(text) {
			found = found || w.At && w.Text == want
		}
		if !found {
			t.Errorf("%q: %+v", text, slices.Collect(mention.Words(text)))
		}
	}
}
