package shell

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// unknown returns a terminal that says nothing of itself, and gets what wire makes of what is
// written.
func unknown(wire func([]byte) []byte) tuitest.Config {
	return tuitest.Config{Cols: 60, Rows: 20, Wire: wire,
		Env: map[string]string{"TERM": "xterm-256color", "SCROLLKEEP_NO_PROBE": "1"}}
}

// wider draws what is not ASCII one column wider.
func wider(p []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(p) {
		if b.WriteRune(r); r > unicode.MaxLatin1 && unicode.IsLetter(r) {
			b.WriteByte('.')
		}
	}
	return b.Bytes()
}

// mute does not say where the cursor is.
func mute(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\x1b[6n"), nil) }

const (
	writesCJK = `{"tool_calls":[{"id":"1","name":"write_file","input":{"path":"n.txt","content":"one\n日本語 two\n` +
		`\tthree\n"}}],"delay_ms":0}`
	cjk   = "one\n日本語 two\n\tthree\n"
	hiEnd = `{"say":"ended","delay_ms":0}`
)

func askPlainly(ctx context.Context, in io.Reader, out io.Writer, p *approval.Proposal) (approval.Answer, error) {
	return (&headless.Plain{Stdin: in, Stdout: out, Person: true}).AskOnce(ctx, p)
}

// plainStage begins a session that asks plainly, and has its first change shown.
func plainStage(t *testing.T, screen tuitest.Config, files map[string]string, lines ...string) *session {
	s := beginAll(t, screen, files, nil, func(sh *Shell) approval.Approver { return sh }, func(c *Config) {
		c.Approval.AskPlainly = askPlainly
	}, lines...)
	s.Type("go")
	s.Press("enter")
	s.pass(5 * time.Second)
	return s
}

// What a terminal does not draw as it is believed to, or does not prove, is asked as plain text.
func TestAPaneThatIsNotProvenIsAskedAsPlainText(t *testing.T) {
	const question = "Write this file? [y/n/v(iew all)]"
	for _, c := range []struct {
		name   string
		screen tuitest.Config
		why    string // "": the pane asks
	}{
		{"a terminal that draws as others do", unknown(nil), ""},
		{"a known one that says nothing of its cursor", tuitest.Config{Cols: 60, Rows: 20, Wire: mute}, ""},
		{"one that measures otherwise", unknown(wider), "otherwise than it should"},
		{"one that says nothing", unknown(mute), "does not say where its cursor is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := plainStage(t, c.screen, nil, writesCJK, hiEnd)
				text := s.tape()
				if c.why == "" {
					if strings.Contains(text, question) || !strings.Contains(text, "[y]es") {
						t.Fatalf("the pane does not ask:\n%s", text)
					}
					s.Press("y")
					s.pass(time.Second)
				} else {
					for _, want := range []string{c.why, "+one\n", "+日", "+       three", question} {
						if !strings.Contains(text, want) {
							t.Errorf("%q is not shown:\n%s", want, text)
						}
					}
					s.Type("y")
					s.pass(2 * time.Second)
					if got := s.file("n.txt"); got != "(none)" {
						t.Fatalf("a letter alone is an answer: %q", got)
					}
					s.Press("enter")
					s.pass(2 * time.Second)
				}
				if got := s.file("n.txt"); got != cjk {
					t.Errorf("the file is %q", got)
				}
				if text := s.tape(); !strings.Contains(text, "ended") {
					t.Errorf("the session does not go on:\n%s", text)
				}
			})
		})
	}
}

// While it is not proven, no key approves, and what was typed before is no answer either.
func TestNoKeyApprovesWhileThePaneIsUnproven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginAll(t, unknown(mute), nil, nil, func(sh *Shell) approval.Approver { return sh }, func(c *Config) {
			c.Approval.AskPlainly = askPlainly
		}, writesCJK, hiEnd)
		s.Type("go")
		s.Press("enter")
		for range 8 {
			s.pass(1200 * time.Millisecond)
			s.Type("y")
		}
		s.Press("enter") // of yyy… it is none
		s.pass(2 * time.Second)
		if got := s.file("n.txt"); got != "(none)" {
			t.Errorf("%q is written:\n%s", got, s.tape())
		}
		s.Type("n")
		s.Press("enter")
		s.pass(2 * time.Second)
		if text := s.tape(); s.file("n.txt") != "(none)" || !strings.Contains(text, "denied") ||
			!strings.Contains(text, "ended") {
			t.Errorf("n does not deny:\n%s", text)
		}
	})
}

// What comes with the answer and is no text is none of it.
func TestOnlyTextAnswersAPlainQuestion(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		want        string // of the file
	}{
		{"yes", "y\r", cjk},
		{"yes, with a late answer of the terminal in it", "\x1b[5;3Ry\x1b[?62c\r", cjk},
		{"a paste", "\x1b[200~y\r\x1b[201~\r", "(none)"},
		{"a line that was taken back", "n\x7fy\r", cjk},
		{"two lines at once", "y\ry\r", "(none)"},
		{"Ctrl+C", "\x03", "(none)"},
		{"Ctrl+D", "y\x04", "(none)"},
		{"Escape and y, as a terminal sends Alt+y", "\x1by\r", "(none)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := plainStage(t, unknown(mute), nil, writesCJK, hiEnd)
				s.Send([]byte(c.typed))
				s.pass(2 * time.Second)
				if got := s.file("n.txt"); got != c.want {
					t.Errorf("the file is %q, want %q:\n%s", got, c.want, s.tape())
				}
			})
		})
	}
}

// A file that changed while the question stood is not written over.
func TestAPlainQuestionAboutAFileThatChangedIsAskedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		edit := `{"tool_calls":[{"id":"1","name":"edit_file","input":{"path":"n.txt","old_string":"one","new_string":` +
			`"two"}}],"delay_ms":0}`
		s := plainStage(t, unknown(mute), map[string]string{"n.txt": "one\n"}, edit, hiEnd)
		if err := os.WriteFile(filepath.Join(s.dir, "n.txt"), []byte("one more\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Send([]byte("y\r"))
		s.pass(5 * time.Second)
		if got := s.file("n.txt"); got != "one more\n" {
			t.Fatalf("the file is %q", got)
		}
		if text := s.tape(); strings.Count(text, "Apply this edit?") != 2 || !strings.Contains(text, "+two more") {
			t.Errorf("it is not asked anew:\n%s", text)
		}
		s.Send([]byte("y\r"))
		s.pass(3 * time.Second)
		if got := s.file("n.txt"); got != "two more\n" {
			t.Errorf("the file is %q:\n%s", got, s.tape())
		}
	})
}
