package shell

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

const notes = "one\ntwo\nteh end\n"

var rivers = []string{
	`{"say":"I look at the folder ` +
		`first.","tool_calls":[{"id":"a","name":"list_dir","input":{"path":"."}},{"id":"b","name":"read_file",` +
		`"input":{"path":"notes.md"}}]}`,
	`{"say":"The typo is \"teh\" in line 3. The haiku ` +
		`first.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"haiku.txt","content":"river under ` +
		`ice\na heron waits on one leg\nthe current goes on\n"}}]}`,
	`{"tool_calls":[{"id":"d","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"the"}}]}`,
	`{"expect":"user denied this tool call\nkeep it, it is a quote","say":"Understood, I leave **notes.md** as it ` +
		`is.","usage":{"input":3000,"output":120}}`,
}

func TestAWholeSession(t *testing.T) {
	for _, size := range []struct {
		name       string
		cols, rows int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"50x15", 50, 15}, {"20x6", 20, 6}} {
		t.Run(size.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := begin(t, tuitest.Config{Cols: size.cols, Rows: size.rows,
					Before: "$ an earlier command\nits output\n"}, map[string]string{"notes.md": notes}, rivers...)
				s.send("put a haiku about rivers into haiku.txt and fix the typo in notes.md")
				if got := s.file("haiku.txt"); got != "(none)" {
					t.Fatalf("before the answer haiku.txt is %q", got)
				}
				s.Press("y")
				s.pass(5 * time.Second)
				if got := s.file("haiku.txt"); !strings.HasPrefix(got, "river") {
					t.Errorf("after y haiku.txt is %q\n%s", got, s.Visible())
				}
				s.Press("r")
				s.send("keep it, it is a quote")
				if got := s.file("notes.md"); got != notes {
					t.Errorf("after a denial notes.md is %q", got)
				}
				// The pane goes in the frame in which the answer begins, or before it, by which
				// goroutine is first. History ends a row sooner or later then, and the rows are the
				// same.
				file := strings.ReplaceAll(t.Name(), "/", "_") + ".golden"
				tuitest.Golden(t, filepath.Join("testdata", file), []byte(s.tape()+"\n"))
				s.Press("ctrl+d")
				if err := s.Wait(); err != nil {
					t.Error(err)
				}
				s.lacks("working", "[y]es", "Esc stops", "ask ·")
			})
		})
	}
}

const oneEdit = `{"say":"Now.","tool_calls":[{"id":"c","name":"edit_file","input":{"path":"notes.md",` +
	`"old_string":"teh","new_string":"the"}}]}`

// small is a screen of the size that most tests have.
var small = tuitest.Config{Cols: 60, Rows: 16}

// play runs test in a bubble, in a session on a small screen with one file.
func play(t *testing.T, lines []string, test func(s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(begin(t, small, map[string]string{"notes.md": notes}, lines...))
	})
}

func TestFullScreenLeavesTheTranscriptUntouched(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		s.send("go")
		before := s.tape()
		s.Press("f")
		s.pass(time.Second)
		if got := s.Visible(); !strings.HasPrefix(got, "\nedit notes.md:3") || !strings.Contains(got, "[f] small") {
			t.Errorf("full screen shows\n%s", got)
		}
		s.Press("f")
		s.pass(time.Second)
		if got := s.tape(); got != before {
			t.Errorf("after full screen\n%s\nbefore\n%s", got, before)
		}
		s.Press("f")
		s.pass(time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		if !strings.HasSuffix(s.file("notes.md"), "the end\n") {
			t.Error("y on the full screen did not approve")
		}
		s.holds("✓ edit notes.md", "Done.")
		s.lacks("[y]es", "[f] small")
	})
}

func TestAFileThatChangesUnderThePaneIsAskedAgain(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		s.send("go")
		if err := os.WriteFile(filepath.Join(s.dir, "notes.md"), []byte("somebody\nteh end\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.pass(600 * time.Millisecond)
		s.holds("this is the new diff", "1  1    somebody")
		s.Press("y") // too soon: it has not been there for a second
		s.pass(100 * time.Millisecond)
		if got := s.file("notes.md"); got != "somebody\nteh end\n" {
			t.Fatalf("a y that was meant for the old diff wrote %q", got)
		}
	})
}

func TestAnAnswerToAFileThatHasJustChangedWritesNothing(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Well."}`}, func(s *session) {
		s.send("go")
		if err := os.WriteFile(filepath.Join(s.dir, "notes.md"), []byte("somebody\nteh end\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Press("y") // before the next look at the file
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "somebody\nteh end\n" {
			t.Errorf("the foreign change was overwritten: %q", got)
		}
		s.holds("file changed since last read")
	})
}

func TestTypingAheadNeverAnswers(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		for range 30 { // before, while and after the pane opens
			s.Type("y")
			s.pass(100 * time.Millisecond)
		}
		s.pass(10 * time.Second)
		s.holds("Tab: answer")
		if got := s.file("notes.md"); got != notes {
			t.Errorf("typing ahead wrote %q", got)
		}
		s.Press("tab")
		s.pass(2 * time.Second)
		s.Press("n")
		s.pass(2 * time.Second)
		s.holds("denied", "Done.")
		if got := s.sh.editor.Text(); got != strings.Repeat("y", 30) {
			t.Errorf("the draft is %q", got)
		}
	})
}

func TestEscapeStopsTheTurnAndGivesTheQueueBack(t *testing.T) {
	play(t, []string{`{"say":"A long answer that goes on and on and on and on and on.","delay_ms":500}`,
		`{"say":"Never."}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("and then")
		s.Press("enter")
		s.Type("draft")
		s.holds("next: and then", "Esc stops")
		s.Press("esc")
		s.pass(time.Second)
		s.holds("stopped")
		s.lacks("Never", "Esc stops", "next:")
		if got := s.sh.editor.Text(); got != "and then\n\ndraft" {
			t.Errorf("the prompt holds %q", got)
		}
	})
}

func TestAQueuedMessageIsTheNextTurn(t *testing.T) {
	play(t, []string{`{"say":"First."}`, `{"expect":"second question","say":"Second."}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.send("second question")
		s.holds("› go", "First.", "› second question", "Second.")
	})
}

func TestCtrlCStopsThenQuits(t *testing.T) {
	play(t, []string{`{"hang":true}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Press("ctrl+c")
		s.holds("Ctrl+C again quits")
		s.pass(secondCtrlC - 200*time.Millisecond) // a person reads it in that time
		s.holds("stopped", "Ctrl+C again quits")
		s.pass(400 * time.Millisecond)
		s.lacks("Ctrl+C again quits")
		s.Type("draft")
		s.Press("ctrl+c")
		s.pass(secondCtrlC + 200*time.Millisecond)
		if got := s.sh.editor.Text(); got != "" {
			t.Errorf("the prompt holds %q", got)
		}
		s.Press("ctrl+c", "ctrl+c")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.lacks("ask ·", "Ctrl+C")
	})
}

func TestCtrlCCopiesWhatIsMarkedInThePrompt(t *testing.T) {
	play(t, nil, func(s *session) {
		s.Type("a draft of words")
		s.Press("ctrl+shift+left", "ctrl+c")
		s.holds("› a draft of words", "copied: 5 bytes")
		s.lacks("again quits")
		s.Inspect(func(term *vt.Terminal) {
			if got := string(term.Clipboard('c')); got != "words" {
				t.Errorf("copied %q", got)
			}
		})
		s.Press("right", "ctrl+c")
		if got := s.sh.editor.Text(); got != "" {
			t.Errorf("the prompt holds %q", got)
		}
	})
}

func TestErrorsSayWhatToDo(t *testing.T) {
	play(t, []string{`{"error":{"status":401,"message":"bad \u001b[31mkey"}}`, `{"say":"Better."}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(2 * time.Second)
		s.holds("! The provider refused the key (401)", "bad ␛[31mkey", "agentshell -c goes on")
		s.Type("/nonsense")
		s.Press("enter")
		s.holds("! There is no command /nonsense.", "/help")
		s.Type("again")
		s.Press("enter")
		s.pass(2 * time.Second)
		s.holds("Better.")
	})
}

func TestCommandsAnswerInTheTranscript(t *testing.T) {
	play(t, nil, func(s *session) {
		s.sh.cfg.Session.Context = func() []string { return []string{"The model knows:", "     12  AGENTS.md\x1b[31m"} }
		for _, c := range []struct{ line, want string }{
			{"/context", "     12  AGENTS.md"},
			{"/help", "show which directory the model works in"}, {"/keys", "deny with a reason"},
			{"/model", "model: test script"},
			{"/workspace", "workspace: /demo"}, {"/mode", "mode: ask"}, {"/rules", "every change needs your approval"},
		} {
			s.Type(c.line)
			s.Press("enter")
			s.holds(c.want)
		}
		s.Type("/quit")
		s.Press("enter")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
	})
}

func TestAPromptOfThePersonIsSentAsAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, nil, `{"expect":"Review a.go twice: a.go","say":"It is fine."}`)
		text := func(args string) string { return "Review " + args + " twice: " + args }
		s.sh.cfg.Prompt.Commands = []Command{{Name: "review", About: "look at a file", Args: "[FILE]", Text: text},
			{Name: "help", About: "never", Text: func(string) string { return "stolen" }}}
		s.Type("/rev")
		s.holds("/review [FILE]  look at a file")
		s.Type("iew a.go")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("Review a.go twice: a.go", "It is fine.")
		s.Type("/help")
		s.Press("enter")
		s.holds("/review [FILE]", "/workspace        show which directory the model works in")
		s.lacks("stolen")
	})
}

func TestInitProposesAFileAndReviewReadsTheSkillThatShips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, nil, `{"expect":"Write AGENTS.md","say":"So.","tool_calls":[{"id":"c",`+
			`"name":"write_file","input":{"path":"AGENTS.md","content":"Run make check.\n"}}]}`,
			`{"say":"Written."}`, `{"expect":"skill://review says, which you read first: HEAD~1","say":"I review."}`,
			`{"expect":"Mine: x","say":"As you say."}`)
		s.Type("/ini")
		s.holds("/init [TEXT]  the model looks around and proposes AGENTS.md")
		s.Press("escape")
		s.send("t")
		s.pass(2 * time.Second)
		s.holds("AGENTS.md", "+ Run make check.", "runs code: this file is run by agents")
		s.Type("Y")
		s.pass(2 * time.Second)
		s.holds("Written.")
		s.send("/review HEAD~1")
		s.pass(2 * time.Second)
		s.holds("I review.")
		s.sh.cfg.Prompt.Commands = []Command{
			{Name: "review", About: "mine", Text: func(a string) string { return "Mine: " + a }},
			{Name: "init", About: "never", Text: func(string) string { return "stolen" }}}
		s.send("/review x")
		s.pass(2 * time.Second)
		s.holds("As you say.")
	})
}

func TestACommandLineInACommandIsAskedForAndItsOutputIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, nil, `{"expect":["Made: ","hello from the line","Go on."],"say":"I saw it."}`)
		home := t.TempDir()
		if err := os.MkdirAll(home+"/.claude/commands", 0o755); err != nil {
			t.Fatal(err)
		}
		text := "Made: !`echo x >> made; echo hello from the $1`\nGo on."
		if err := os.WriteFile(home+"/.claude/commands/make.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c := skill.Load("", home, Builtin).Commands[0]
		s.sh.cfg.Prompt.Commands = []Command{{Name: c.Name, Text: c.Text, Lines: c.Lines, Filled: c.Filled}}
		s.send("/make line")
		s.pass(2 * time.Second)
		s.holds("echo x >> made; echo hello from the line", "[y]es")
		if made := s.file("made"); made != "(none)" {
			t.Errorf("it ran unasked: %q", made)
		}
		s.Press("n")
		s.pass(2 * time.Second)
		s.holds("The message was not sent: its command line 1 was not approved.")
		s.lacks("I saw it.")
		if made := s.file("made"); made != "(none)" {
			t.Errorf("it ran in spite of a no: %q", made)
		}
		s.send("/make line")
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		s.holds("I saw it.")
		if made := s.file("made"); made != "x\n" {
			t.Errorf("made is %q", made)
		}
	})
}

const twoHunks = `{"say":"Now.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"notes.md",` +
	`"content":"ONE\n2\n3\n4\n5\n6\n7\n8\n9\n10\nTWO\n"}}]}`

const elevenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"

func TestSomeHunksAreANewProposal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, map[string]string{"notes.md": elevenLines}, twoHunks,
			`{"expect":"1 of 2 hunks","say":"Fine."}`)
		s.send("go")
		s.Press("s")
		s.holds("> [x] @@", "[s] all of them")
		s.Press("]")
		s.Press("space")
		s.holds("> [ ] @@", "[s] propose 1 of 2")
		s.Press("s")
		s.pass(100 * time.Millisecond)
		s.Press("y") // the new proposal is not armed yet
		s.pass(100 * time.Millisecond)
		if got := s.file("notes.md"); got != elevenLines {
			t.Errorf("choosing wrote %q", got)
		}
		s.holds("1 of 2 hunks", "+1 -1 in 1 hunk")
		s.Press("backspace") // that y went to the prompt
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "ONE"+elevenLines[1:] {
			t.Errorf("notes.md is %q", got)
		}
		s.holds("Fine.")
	})
}

func TestAnEditedProposalIsShownAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, map[string]string{"notes.md": notes}, oneEdit,
			`{"expect":"edited","say":"Fine."}`)
		var ran *exec.Cmd
		s.sh.cfg.Prompt.Editor.Command = "myeditor --wait 'a b'"
		s.sh.cfg.Prompt.Editor.Run = func(_ context.Context, cmd *exec.Cmd) error {
			ran = cmd
			return os.WriteFile(filepath.Join(cmd.Dir, cmd.Args[len(cmd.Args)-1]), []byte("one\ntwo\nmine\n"), 0o600)
		}
		s.send("go")
		s.Press("e")
		s.pass(2 * time.Second)
		if got := strings.Join(ran.Args, "|"); got != "myeditor|--wait|a b|proposal.md" {
			t.Errorf("the editor ran as %s", got)
		}
		if _, err := os.Stat(ran.Dir); !os.IsNotExist(err) {
			t.Errorf("the scratch directory is left: %v", err)
		}
		if got := s.file("notes.md"); got != notes {
			t.Errorf("the editor's return wrote %q", got)
		}
		s.holds("+ mine", "edited")
		s.Press("y")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "one\ntwo\nmine\n" {
			t.Errorf("notes.md is %q\n%s", got, s.Visible())
		}
		s.holds("Fine.")
	})
}

// On a slow line the keys e of a person who waits come before the editor has the terminal.
func TestTheEditorIsStartedOnce(t *testing.T) {
	play(t, []string{threeFiles, `{"say":"Fine."}`}, func(s *session) {
		ran := 0
		s.sh.cfg.Prompt.Editor.Run = func(context.Context, *exec.Cmd) error {
			ran++
			<-time.After(time.Second)
			return nil
		}
		s.ask()
		s.sh.app.Do(func() {
			for range 2 { // of two panes, and of one
				for _, n := range s.sh.question.panes {
					n.openEditor()
				}
			}
		})
		s.pass(10 * time.Second)
		if ran != 1 {
			t.Errorf("the editor ran %d times", ran)
		}
		s.holds("nothing was edited")
		s.Press("e")
		s.pass(2 * time.Second)
		if ran != 2 {
			t.Errorf("the editor ran %d times, and was asked for again", ran)
		}
	})
}

func TestAnEditorThatFailsOrChangesNothingLeavesTheProposal(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Fine."}`}, func(s *session) {
		fail := errors.New("exit status 1")
		s.sh.cfg.Prompt.Editor.Run = func(context.Context, *exec.Cmd) error { return fail }
		s.send("go")
		s.Press("e")
		s.pass(2 * time.Second)
		s.holds("not edited: vi: exit status 1", "+ the end")
		fail = nil
		s.Press("e")
		s.pass(2 * time.Second)
		s.holds("nothing was edited", "+ the end")
		s.Press("y")
		s.pass(2 * time.Second)
		if !strings.HasSuffix(s.file("notes.md"), "the end\n") {
			t.Error("y did not approve the old proposal")
		}
	})
}

func TestCopyTakesTheSourceOfTheLastThing(t *testing.T) {
	says := strings.ReplaceAll(`{"say":"# Done\n\n~go\nfirst\n~\nand\n~\n\tlast line\n~\n"}`, "~", "```")
	play(t, []string{oneEdit, says, `{"say":"You are welcome."}`}, func(s *session) {
		copied := func(line string) string {
			s.Bytes()
			s.Type(line)
			s.Press("enter")
			s.pass(100 * time.Millisecond)
			_, b, _ := strings.Cut(string(s.Bytes()), "\x1b]52;c;")
			b, _, _ = strings.Cut(b, "\x1b")
			b, _, _ = strings.Cut(b, "\a")
			text, err := base64.StdEncoding.DecodeString(b)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if got := copied("/copy"); got != "" {
			t.Errorf("before anything was said %q was copied", got)
		}
		s.holds("There is no answer to copy yet.")
		s.send("go")
		s.Press("y")
		s.pass(3 * time.Second)
		if got := copied("/copy"); got != "# Done\n\n```go\nfirst\n```\nand\n```\n\tlast line\n```\n" {
			t.Errorf("the answer is copied as %q", got)
		}
		if got := copied("/copy code"); got != "\tlast line\n" {
			t.Errorf("the code is copied as %q", got)
		}
		if got := copied("/copy diff"); !strings.HasPrefix(got, "--- a/notes.md\n+++ b/notes.md\n@@") {
			t.Errorf("the diff is copied as %q", got)
		}
		copied("/copy nonsense")
		s.holds("There is no /copy nonsense.")
		s.send("thanks")
		s.pass(3 * time.Second)
		if got := copied("/copy code"); got != "\tlast line\n" {
			t.Errorf("after an answer without code %q is copied", got)
		}
	})
}

func TestOneCanJumpFromMessageToMessage(t *testing.T) {
	for marks, want := range map[string]string{"1": "› first|› second, which is a message of more than one row",
		"0": ""} {
		synctest.Test(t, func(t *testing.T) {
			s := begin(t, tuitest.Config{Cols: 50, Rows: 12, Env: map[string]string{"SCROLLKEEP_MARKS": marks}}, nil,
				`{"say":"one\n\n1\n\n2\n\n3"}`, `{"say":"two\n\n1\n\n2\n\n3\n\n4\n\n5"}`)
			for _, text := range []string{"first", "second, which is a message of more than one row of text"} {
				s.Type(text)
				s.Press("enter")
				s.pass(5 * time.Second)
			}
			s.holds("firstone", "oftexttwo")
			if got := strings.Join(s.Prompts(), "|"); got != want {
				t.Errorf("with SCROLLKEEP_MARKS=%s the marks are at %q, want %q\n%s", marks, got, want, s.tape())
			}
		})
	}
}

func TestNoByteOfModelToolOrFileIsAControl(t *testing.T) {
	const bad = `\u001b]0;pwned\u0007\u001b[2J\u001b[3J\u009b2J\u202e\u200b\u001b]8;;http://x\u001b\\`
	lines := []string{
		`{"thinking":"` + bad + `","say":"a ` + bad + ` [t` + bad + `](http://e` + bad + `) ` + "`" + bad + "`" + `\n` +
			"```" + bad + `\n` + bad + `\n","tool_calls":[` +
			`{"id":"1` + bad + `","name":"no` + bad + `","input":{}},` +
			`{"id":"2","name":"read_file","input":{"path":"` + bad + `"}},` +
			`{"id":"3","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"` + bad + `"}}]}`,
		`{"error":{"status":400,"message":"` + bad + `"}}`,
	}
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{}, map[string]string{"notes.md": notes}, lines...)
		s.sh.cfg.Appearance.Thinking = true
		s.Type("go")
		s.Press("enter")
		s.pass(10 * time.Second)
		s.holds("press Y to approve", "pwned")
		s.Type("Y")
		s.pass(5 * time.Second)
		s.holds("The provider answered 400")
		out := string(s.Bytes())
		for _, c := range []string{"\x1b]0;pwned", "\x1b[2J", "\x1b[3J", "\u009b", "\u202e", "\u200b",
			"\x1b]8;;http://x", "pwned\a"} {
			if i := strings.Index(out, c); i >= 0 {
				t.Errorf("%q is in the output: %q", c, out[max(i-60, 0):min(i+60, len(out))])
			}
		}
	})
}
