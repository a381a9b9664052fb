package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// answerer is a person who always answers the same.
type answerer struct {
	replies []Reply
	err     error
	asked   []Question
}

func (a *answerer) Answer(_ context.Context, questions []Question) ([]Reply, error) {
	a.asked = questions
	return a.replies, a.err
}

// askWith calls the tool ask.
func askWith(t *testing.T, q *Questions, input string) (Result, error) {
	t.Helper()
	call, err := Builtin(Env{Questions: q}).Prepare(t.Context(), AskName, "1", json.RawMessage(input))
	if err != nil {
		return Result{}, err
	}
	if call.Mutates || call.Proposal != nil {
		t.Error("a question wants to be approved")
	}
	return call.Run(t.Context(), func(string) {})
}

func TestTheModelAsksThePerson(t *testing.T) {
	var q Questions
	p := &answerer{replies: []Reply{{Chosen: []string{"a", "b"}, Text: "and c"}, {Text: "one\ntwo"}, {}}}
	q.SetPerson(p)
	r, err := askWith(t, &q, `{"questions":[{"question":"Which?","choices":[{"label":"a","about":"A"},{"label":"b"}],`+
		`"several":true,"free":true},{"question":"Why?"},{"question":"Else?"}]}`)
	want := "Which?\n  a, b, and c\nWhy?\n  one\n  two\nElse?\n  (no answer)\n"
	if err != nil || r.Text != want || r.Detail != want || r.Summary != "3 answers" {
		t.Errorf("%+v, %v", r, err)
	}
	if len(p.asked) != 3 || !p.asked[0].Several || !p.asked[0].Free || p.asked[0].Choices[0].About != "A" {
		t.Errorf("asked %+v", p.asked)
	}
	for _, c := range []struct {
		person Person
		want   error
	}{{nil, ErrNobody}, {&answerer{err: ErrUnanswered}, ErrUnanswered}} {
		q.SetPerson(c.person)
		if _, err := askWith(t, &q, `{"questions":[{"question":"Why?"}]}`); !errors.Is(err, c.want) {
			t.Errorf("%v: %v", c.person, err)
		}
	}
	q.SetPerson(&answerer{})
	if _, err := askWith(t, &q, `{"questions":[{"question":"Why?"}]}`); err == nil {
		t.Error("one question without a reply is no error")
	}
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	var q Questions
	q.SetPerson(&answerer{replies: []Reply{{}}})
	one := func(question string) string { return `{"questions":[` + question + `]}` }
	many := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	choices := func(list string) string { return one(`{"question":"a","choices":[{"label":"b"}` + list + `]}`) }
	for input, want := range map[string]string{
		`{"questions":[]}`:                                       "0 of them, and 1 to 4 can be asked at once",
		`{"questions":"x"}`:                                      "questions",
		one(many(5, `{"question":"a"}`)):                         "5 of them",
		one(`{"question":"a"},{"question":" "}`):                 "questions[1]: the question has no text",
		one(`{"question":"` + strings.Repeat("a", 1001) + `"}`):  "1001 bytes, and 1000 are the most",
		one(`{"question":"a","several":true}`):                   "several is for questions with choices",
		choices(""):                                              "one choice only",
		choices(`,{"label":" b"}`):                               `two choices are labelled "b"`,
		choices(`,{"label":""}`):                                 "a choice has no label",
		choices(`,{"label":"` + strings.Repeat("c", 301) + `"}`): "longer than 300 bytes",
		choices("," + many(9, `{"label":"b"}`)):                  "10 choices, and 9 are the most",
	} {
		if _, err := askWith(t, &q, input); Kind(err) != "invalid_args" || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s: %v, want %q", input, err, want)
		}
	}
	if _, err := askWith(t, &q, one(`{"question":"`+strings.Repeat("a", 1000)+`"}`)); err != nil {
		t.Errorf("the longest question: %v", err)
	}
}
