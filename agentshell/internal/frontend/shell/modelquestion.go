package shell

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// modelQuestion holds a question of the model, and the answers that the user enters in the fields
// of a form.
type modelQuestion struct {
	tool.Question
	choice  offeredChoice   // The choice that is selected, if one can be.
	choices []offeredChoice // The choices that are marked, if several can be.
	// An answer in the user's own words.
	text  string
	typed string // An answer that the user has typed into the list of choices.
}

// offeredChoice is one choice as a list shows it. Index 0 stands for an answer in the user's own
// words.
type offeredChoice struct {
	index        int // The position of the choice in the question, from 1.
	label, about string
}

// Item returns the row of the list that shows the choice.
func (c offeredChoice) Item() widget.Item { return widget.Item{Text: c.label, Note: c.about} }

// ownAnswer is the label of the last choice of a question that also takes an answer in the user's
// own words.
const ownAnswer = "something else"

// questionDelay is the time without a key after which keys go to a question of the model. Text that
// the user is typing when the question appears goes to the prompt.
const questionDelay = 500 * time.Millisecond

// Answer asks the user questions of the model, and returns the replies. The questions replace the
// prompt until they are answered or cancelled; then the error is [tool.ErrUnanswered]. It
// implements [tool.Person].
func (sh *Shell) Answer(ctx context.Context, questions []tool.Question) ([]tool.Reply, error) {
	asked := make([]modelQuestion, len(questions))
	var fields []form.Question
	for i, q := range questions {
		asked[i].Question = q
		fields = append(fields, asked[i].fields()...)
	}
	sh.app.Do(func() { sh.beginModelQuestion(len(questions)) })
	f := &form.Form{NoSummary: true, Place: tui.Place{Replace: true, FocusDelay: questionDelay},
		Pages: []form.Page{{Fields: fields, Steps: true}}}
	err := f.Ask(ctx, &sh.app)
	sh.app.Do(sh.endModelQuestion)
	if errors.Is(err, form.ErrCancelled) || errors.Is(err, tui.ErrDismissed) {
		return nil, tool.ErrUnanswered
	}
	if err != nil {
		return nil, err
	}
	replies := make([]tool.Reply, len(asked))
	for i := range asked {
		replies[i] = asked[i].reply()
	}
	return replies, nil
}

// beginModelQuestion notifies the user, who may look at another window, that the model asks n
// questions. It is called on the event loop.
func (sh *Shell) beginModelQuestion(n int) {
	sh.modelQuestions++
	sh.app.Notify("agentshell", "The model asks "+countOf(n, "question")+".")
	sh.updateTitle()
}

// endModelQuestion updates the window's title after the questions that beginModelQuestion has
// announced. It is called on the event loop.
func (sh *Shell) endModelQuestion() {
	sh.modelQuestions--
	sh.updateTitle()
}

// fields returns the form fields in which the user answers the question.
func (q *modelQuestion) fields() []form.Question {
	label := shownText(q.Text)
	if len(q.Choices) == 0 {
		return []form.Question{form.Text(label, &q.text).Required()}
	}
	var offered []offeredChoice
	for i, c := range q.Choices {
		offered = append(offered, offeredChoice{i + 1, shownText(c.Label), shownText(c.About)})
	}
	if q.Several {
		field := form.Choices(label, &q.choices, offered...)
		if !q.Free {
			return []form.Question{field}
		}
		return []form.Question{field, form.Text("Something else", &q.text).Help("Enter without a text adds nothing.")}
	}
	if !q.Free {
		return []form.Question{form.Choice(label, &q.choice, offered...)}
	}
	own := offeredChoice{label: ownAnswer, about: "type it"}
	return []form.Question{form.ChoiceOrText(label, &q.choice, &q.typed, own, offered...),
		form.Text("Your answer", &q.text).Required().When(func() bool { return q.choice == own && q.typed == "" })}
}

// reply returns the user's answer. Chosen labels are spelled as the model has sent them.
func (q *modelQuestion) reply() tool.Reply {
	r := tool.Reply{Text: strings.TrimSpace(cmp.Or(q.typed, q.text))}
	chosen := q.choices
	if q.choice.index > 0 {
		chosen, r.Text = []offeredChoice{q.choice}, ""
	}
	byPlace := func(a, b offeredChoice) int { return a.index - b.index }
	for _, c := range slices.SortedFunc(slices.Values(chosen), byPlace) {
		r.Chosen = append(r.Chosen, q.Choices[c.index-1].Label)
	}
	return r
}

// shownText returns a text of the model as one line without control characters.
func shownText(s string) string {
	text, _ := visible.Line(strings.Join(strings.Fields(s), " "))
	return text
}
