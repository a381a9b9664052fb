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

// modelQuestion is a question of the model as fields of a form.
type modelQuestion struct {
	tool.Question
	choice  offeredChoice   // the one that is chosen
	choices []offeredChoice // those that are marked
	text    string
	typed   string // an answer that was typed in the list of the choices
}

// offeredChoice is a choice as a list shows it. The zero index is the person's own answer.
type offeredChoice struct {
	index        int // in the choices of the question, from 1
	label, about string
}

// Item returns the row of the choice.
func (c offeredChoice) Item() widget.Item { return widget.Item{Text: c.label, Note: c.about} }

// ownAnswer stands behind the choices of a question that takes a text, too.
const ownAnswer = "something else"

// questionDelay is how long no key must come until a question of the model takes keys: what a
// person types while it appears goes to the prompt.
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

// beginModelQuestion tells the person, who may look elsewhere. It is called on the loop.
func (sh *Shell) beginModelQuestion(n int) {
	sh.modelQuestions++
	sh.app.Notify("agentshell", "The model asks "+countOf(n, "question")+".")
	sh.updateTitle()
}

// endModelQuestion takes back what beginModelQuestion has set. It is called on the loop.
func (sh *Shell) endModelQuestion() {
	sh.modelQuestions--
	sh.updateTitle()
}

// fields returns the fields that the question is answered with.
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

// reply returns the answer, with the labels as the model has written them.
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

// shownText returns a text of the model as one harmless line.
func shownText(s string) string {
	text, _ := visible.Line(strings.Join(strings.Fields(s), " "))
	return text
}
