package renderer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// allowed are the sequences of ordinary frames and the cursor request.
// Everything else is a bug: it could erase history, address rows absolutely or move a reader.
var allowed = regexp.MustCompile(`^(?:\x1b\[\d*[ABCDGXL]|\x1b\[[KJ]|\x1b\[[\d;]*m|\x1b\[\?(?:2026|7|25)[hl]|\x1b\[6n|` +
	`\x1b\]8;;[!-~]*\x1b\\|\x1b\]133;(?:A;redraw=0|A;k=s(?:;redraw=0)?|C)\x1b\\|[\r\n\x08])`)

// notAllowed returns the first place where p holds anything but text and allowed sequences.
func notAllowed(p []byte) (string, bool) {
	for s := string(p); s != ""; {
		if s[0] >= 0x20 && s[0] != 0x7f {
			s = s[1:]
			continue
		}
		m := allowed.FindString(s)
		if m == "" {
			return fmt.Sprintf("%.20q", s), true
		}
		s = s[len(m):]
	}
	return "", false
}

func TestForeignSequencesAreNoticed(t *testing.T) {
	for _, s := range []string{"\x1b[H", "\x1b[2J", "\x1b[3J", "\x1b[1;1H", "\x1b[2;20r", "\x1b[5d", "\x1b[M", "\x1b[S",
		"\x1b7", "\x1b[?1049h", "\x1bM", "\t", "\x07", "\x1b[2K", "\x1b]0;x\x07", "\x1b]133;A\x1b\\",
		"\x1b]133;D\x1b\\"} {
		if _, bad := notAllowed([]byte("text" + s)); !bad {
			t.Errorf("%q passes", s)
		}
	}
}

func TestUntrustedTextReachesTheTerminalAsText(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Links: true})
	evil := "a\x1b[2Jb\x9b3Jc\x07d\u202ee\x00f\x7fg\r\nh\xffi\u009dj"
	s.frame(t, []Line{{Spans: []Span{{Text: evil, Link: "https://x/\x1b\\"}}}}, evil, evil, "\x1b]52;c;aGk=\x07")
	if where, bad := notAllowed(s.out.Bytes()); bad {
		t.Errorf("%s in %q", where, s.out.Bytes())
	}
	if n := strings.Count(s.out.String(), "\u241b"); n < 4 {
		t.Errorf("%d escapes are visible: %q", n, s.out.String())
	}
	if strings.Contains(s.out.String(), "8;;") {
		t.Errorf("a link with a control was sent: %q", s.out.String())
	}
}
