package mention_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

func TestPicturesAreFoundInAMessage(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"what is in @shot.png?", "shot.png!"},
		{"compare @a/b.jpg, @C.JPEG and @d.webp.", "a/b.jpg! C.JPEG! d.webp!"},
		{"make a logo.png", ""},
		{"look at ./logo.png and docs/x.gif", "./logo.png docs/x.gif"},
		{"/tmp/shot.png what is wrong?", "/tmp/shot.png!"},
		{"  '/tmp/my shot.png' what?", "/tmp/my shot.png!"},
		{`/tmp/my\ shot\ \(1\).png what?`, "/tmp/my shot (1).png!"},
		{`@"my shot.png" now`, "my shot.png!"},
		{"file:///tmp/my%20shot.png", "/tmp/my shot.png!"},
		{"error in /home/x/y.png:12", ""},
		{"(see /home/x/y.png)", "/home/x/y.png"},
		{"see /home/x/y.png, please", "/home/x/y.png"},
		{"https://example.org/a.png", ""},
		{"@main.go @README.md", ""},
		{"@a.png @a.png", "a.png!"},
		{"don't open /a/b.png", "/a/b.png"},
		{"", ""},
		{"@", ""},
	} {
		var got []string
		for _, m := range mention.Pictures(c.text) {
			s := m.Path
			if m.Certain {
				s += "!"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
	if n := len(mention.Pictures(strings.Repeat("@a.png @b.png ", 40) + manyNames())); n != mention.MaxPictures {
		t.Errorf("%d pictures", n)
	}
}

func manyNames() string {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "@%d.png ", i)
	}
	return b.String()
}

func FuzzPictures(f *testing.F) {
	f.Add("look at '@a b.png' \"x/y.gif\" \\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range mention.Pictures(text) {
			if !picture.Named(m.Path) || len(m.Path) > len(text) {
				t.Errorf("%q in %q", m.Path, text)
			}
		}
	})
}
