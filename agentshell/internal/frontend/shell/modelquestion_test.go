package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// askScript is a turn in which the model asks, and sees the answers.
func askScript(questions, expect string) []string {
	return []string{
		`{"say":"I ask.","delay_ms":0,"tool_calls":[{"id":"1","name":"ask","input":{"questions":` + questions + `}}]}`,
		fmt.Sprintf(`{"expect":%q,"say":"Thank you.","delay_ms":0}`, expect)}
}

// beginAsking starts a session whose model asks.
func beginAsking(t *testing.T, screen tuitest.Config, questions, expect string) *session {
	t.Helper()
	s := begin(t, screen, nil, askScript(questions, expect)...)
	s.line("go")
	s.pass(1e9)
	return s
}

const twoQuestions = `[{"question":"Which database should it use?","choices":[{"label":"SQLite",` +
	`"about":"one file, no server"},{"label":"PostgreSQL"}],"free":true},{"question":"How is it called?"}]`

// The person answers questions of the model by choices, texts or both; the answers stay in the
// transcript, and the model gets them.
func TestThePersonAnswersQuestionsOfTheModel(t *testing.T) {
	for _, c := range []struct {
		name, questions string
		keys            []string
		want            string
	}{
		{"the first choice and a text", twoQuestions, []string{"enter", "ledger", "enter"},
			"Which database should it use?\n  SQLite\nHow is it called?\n  ledger\n"},
		{"another choice", twoQuestions, []string{"down", "enter", "ledger", "enter"},
			"Which database should it use?\n  PostgreSQL\nHow is it called?\n  ledger\n"},
		{"an answer of one's own", twoQuestions, []string{"down", "down", "enter", "DuckDB", "enter", "l", "enter"},
			"Which database should it use?\n  DuckDB\nHow is it called?\n  l\n"},
		{"an answer of one's own in the list", twoQuestions,
			[]string{"DuckDB", "space", "please", "enter", "l", "enter"},
			"Which database should it use?\n  DuckDB please\nHow is it called?\n  l\n"},
		{"a choice after other words", twoQuestions,
			[]string{"Duck", "enter", "shift+tab", "up", "enter", "l", "enter"},
			"Which database should it use?\n  PostgreSQL\nHow is it called?\n  l\n"},
		{"several", `[{"question":"Which?","several":true,"choices":[{"label":"a"},{"label":"b"},{"label":"c"}]}]`,
			[]string{"space", "down", "down", "space", "enter"}, "Which?\n  a, c\n"},
		{"several and a text",
			`[{"question":"Which?","several":true,"free":true,"choices":[{"label":"a"},{"label":"b"}]}]`,
			[]string{"space", "enter", "z", "enter"}, "Which?\n  a, z\n"},
		{"none of several", `[{"question":"Which?","several":true,"choices":[{"label":"a"},{"label":"b"}]}]`,
			[]string{"enter"}, "Which?\n  (no answer)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginAsking(t, tuitest.Config{Cols: 70, Rows: 24}, c.questions, c.want)
				for _, k := range c.keys {
					switch k {
					case "enter", "up", "down", "space", "shift+tab":
						s.Press(k)
					default:
						s.Type(k)
					}
				}
				s.pass(1e9)
				tape := s.tape()
				if !strings.Contains(tape, "Thank you.") {
					t.Errorf("the model has not got\n%s\n%s", c.want, tape)
				}
				for row := range strings.Lines(c.want) {
					if !strings.Contains(tape, strings.TrimSpace(row)) {
						t.Errorf("%q does not stay:\n%s", row, tape)
					}
				}
			})
		})
	}
}

// Esc leaves the questions without an answer, and the turn goes on; what was typed at the prompt
// stands there again.
func TestQuestionsOfTheModelCanBeLeft(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		t.Run(key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginAsking(t, tuitest.Config{Cols: 70, Rows: 24}, twoQuestions, "without an answer")
				s.Press("enter")
				s.Press(key)
				s.pass(1e9)
				s.holds("Thank you.", "has left the questions without an answer")
			})
		})
	}
}

// What was being typed when a question appears goes to the prompt and answers nothing.
func TestAQuestionTakesNoKeysWhileSomebodyTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 70, Rows: 24}, nil, append(
			[]string{`{"say":"I think.","delay_ms":2000,` +
				`"tool_calls":[{"id":"0","name":"list_dir","input":{"path":"."}}]}`},
			askScript(twoQuestions, "SQLite\nHow is it called?\n  ledger")...)...)
		s.line("go")
		s.Type("more")
		for range 60 {
			s.Type("x")
			s.pass(100 * time.Millisecond)
		}
		if v := s.Visible(); !strings.Contains(v, "Which database") || strings.Contains(v, "xxxx") {
			t.Errorf("the question is not shown as it is:\n%s", v)
		}
		s.pass(1e9)
		s.Press("enter")
		s.Type("ledger")
		s.Press("enter")
		s.pass(1e9)
		s.holds("Thank you.", "› morexxxx")
	})
}

// A question ends with its turn, whoever stops that.
func TestAStoppedTurnTakesItsQuestionsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginAsking(t, tuitest.Config{Cols: 70, Rows: 24}, twoQuestions, "")
		s.sh.app.Do(func() { s.sh.stopTurn() })
		s.pass(1e9)
		if v := s.Visible(); strings.Contains(v, "Which database") || !strings.Contains(v, "stopped\n") {
			t.Errorf("the question is still there:\n%s", v)
		}
	})
}

// What the model writes into questions reaches the screen as harmless text, a row each.
func TestQuestionsOfTheModelAreHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginAsking(t, tuitest.Config{Cols: 70, Rows: 24},
			`[{"question":"Red \u001b[31m\u202e\n\nApply this edit? [y/n]",`+
				`"choices":[{"label":"a\u001b]2;t\u0007","about":"\u009b5m"},{"label":"b\nc"}]}]`, "b\n")
		if v := s.Visible(); !strings.Contains(v, "Red \u241b[31m") || !strings.Contains(v, "b c") {
			t.Errorf("it is shown as\n%s", v)
		}
		s.Press("down", "enter")
		s.pass(1e9)
		s.holds("Thank you.")
	})
}

func TestHowAQuestionOfTheModelLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 15}, {30, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginAsking(t, tuitest.Config{Cols: size[0], Rows: size[1]}, twoQuestions, "ledger")
				s.Golden(t.Name() + "-first")
				s.Press("enter")
				s.Type("ledger")
				s.Golden(t.Name() + "-second")
				s.Press("enter")
				s.pass(1e9)
				s.Golden(t.Name() + "-answered")
			})
		})
	}
}
