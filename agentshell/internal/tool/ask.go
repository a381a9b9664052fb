package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// AskName is the name of the tool with which the model asks the user questions.
const AskName = "ask"

// maxQuestions and the constants below limit one call of the tool ask.
const (
	maxQuestions     = 4
	maxChoices       = 9
	maxQuestionBytes = 1000
	maxChoiceBytes   = 300
)

// Question is a question of the model to the user. Without choices the answer is a text.
type Question struct {
	Text    string   `json:"question"`
	Choices []Choice `json:"choices,omitempty" doc:"At most 9; without any the answer is a text."`
	Several bool     `json:"several,omitempty" doc:"Any number of the choices."`
	Free    bool     `json:"free,omitempty" doc:"A text may be the answer, too."`
}

// Choice is a possible answer to a [Question].
type Choice struct {
	Label string `json:"label"`
	// About explains the choice; it may be "".
	About string `json:"about,omitempty"`
}

// Reply is the user's answer to a [Question]: labels of choices, a text, or both.
type Reply struct {
	Chosen []string `json:"chosen,omitempty"`
	Text   string   `json:"text,omitempty"`
}

// String returns the answer in one line.
func (r Reply) String() string {
	all := r.Chosen
	if r.Text != "" {
		all = append(all[:len(all):len(all)], r.Text)
	}
	return strings.Join(all, ", ")
}

// Person answers the model's questions in the name of the user. An answer never approves a call.
type Person interface {
	// Answer returns a reply to each question. The error is [ErrUnanswered] if the user dismisses
	// the questions, and [ErrNobody] if there is nobody to ask.
	Answer(ctx context.Context, questions []Question) ([]Reply, error)
}

// ErrUnanswered and ErrNobody are the errors for questions that get no answer.
var (
	ErrUnanswered = &Error{Code: "tool_failed", Text: "the user has left the questions without an answer: " +
		"decide by yourself and say what you have assumed, or stop and say what you need to know"}
	ErrNobody = &Error{Code: "tool_failed", Text: "nobody can be asked in this run: " +
		"decide by yourself and say what you have assumed, or stop and say what you need to know"}
)

// Questions passes the model's questions to the user. The zero value has nobody to ask. It is safe
// for use by several goroutines.
type Questions struct {
	mu     sync.Mutex
	person Person
}

// SetPerson sets who answers questions from now on; nil: nobody does.
func (q *Questions) SetPerson(p Person) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.person = p
}

// answer returns the user's replies, one for each question.
func (q *Questions) answer(ctx context.Context, questions []Question) ([]Reply, error) {
	q.mu.Lock()
	person := q.person
	q.mu.Unlock()
	if person == nil {
		return nil, ErrNobody
	}
	replies, err := person.Answer(ctx, questions)
	if err == nil && len(replies) != len(questions) {
		err = fmt.Errorf("%d questions have %d answers", len(questions), len(replies))
	}
	return replies, err
}

// ask is the tool ask, with which the model asks the user questions. It touches no file and
// approves nothing.
type ask struct{ questions *Questions }

type askArgs struct {
	Questions []Question `json:"questions" doc:"One to four."`
}

func (*ask) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindKeeps}
}

func (*ask) Spec() provider.Tool {
	return provider.Tool{
		Name: AskName, ReadOnly: true, Schema: schemaOf[askArgs](),
		Description: "Ask the user what only they can decide, never for permission: calls that need it " +
			"are shown anyway.",
	}
}

func (a *ask) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[askArgs](input)
	if err != nil {
		return Call{}, err
	}
	if err := checkQuestions(args.Questions); err != nil {
		return Call{}, err
	}
	return Call{
		Title: AskName,
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			replies, err := a.questions.answer(ctx, args.Questions)
			if err != nil {
				return Result{}, err
			}
			text := answersText(args.Questions, replies)
			return Result{Text: text, Summary: count(len(replies), "answer"), Detail: text, Data: replies}, nil
		},
	}, nil
}

// checkQuestions returns an error if the questions are invalid, or too many.
func checkQuestions(all []Question) error {
	if len(all) == 0 || len(all) > maxQuestions {
		return invalidArgs("questions: %d of them, and 1 to %d can be asked at once", len(all), maxQuestions)
	}
	for i, q := range all {
		if err := q.check(); err != nil {
			return invalidArgs("questions[%d]: %s", i, err)
		}
	}
	return nil
}

// check returns an error if the question is invalid.
func (q Question) check() error {
	seen := map[string]bool{}
	switch {
	case strings.TrimSpace(q.Text) == "":
		return errors.New("the question has no text")
	case len(q.Text) > maxQuestionBytes:
		return fmt.Errorf("the question has %d bytes, and %d are the most", len(q.Text), maxQuestionBytes)
	case len(q.Choices) == 1:
		return errors.New("there is one choice only: give at least two, or none for a text")
	case len(q.Choices) > maxChoices:
		return fmt.Errorf("there are %d choices, and %d are the most", len(q.Choices), maxChoices)
	case q.Several && len(q.Choices) == 0:
		return errors.New("several is for questions with choices")
	}
	for _, c := range q.Choices {
		switch label := strings.TrimSpace(c.Label); {
		case label == "":
			return errors.New("a choice has no label")
		case seen[label]:
			return fmt.Errorf("two choices are labelled %q", label)
		case len(c.Label)+len(c.About) > maxChoiceBytes:
			return fmt.Errorf("the choice %q is longer than %d bytes", label[:min(len(label), 40)], maxChoiceBytes)
		default:
			seen[label] = true
		}
	}
	return nil
}

// answersText returns the questions, each with its answer on the next line.
func answersText(questions []Question, replies []Reply) string {
	var b strings.Builder
	for i, q := range questions {
		answer := replies[i].String()
		if answer == "" {
			answer = "(no answer)"
		}
		fmt.Fprintf(&b, "%s\n  %s\n", q.Text, strings.ReplaceAll(answer, "\n", "\n  "))
	}
	return b.String()
}
