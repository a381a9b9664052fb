package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// answers is an approver that gives one answer after the other, and stores the questions.
type answers struct {
	list  []func(p *approval.Proposal) (approval.Answer, error)
	asked []*approval.Proposal
}

func (a *answers) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	a.asked = append(a.asked, p)
	if len(a.list) == 0 {
		return nil, errors.New("one question too many")
	}
	answer := a.list[0]
	a.list = a.list[1:]
	return answer(p)
}

func yes(p *approval.Proposal) (approval.Answer, error)     { return approval.Yes{ID: p.ID}, nil }
func no(p *approval.Proposal) (approval.Answer, error)      { return approval.No{ID: p.ID}, nil }
func stop(p *approval.Proposal) (approval.Answer, error)    { return approval.Stop{ID: p.ID}, nil }
func elsewhere(*approval.Proposal) (approval.Answer, error) { return approval.Yes{ID: "another"}, nil }
func broken(p *approval.Proposal) (approval.Answer, error) {
	return approval.Yes{ID: p.ID}, errors.New("the screen is gone")
}

func edited(text string) func(p *approval.Proposal) (approval.Answer, error) {
	return func(p *approval.Proposal) (approval.Answer, error) {
		return approval.Revise{ID: p.ID, After: []byte(text)}, nil
	}
}

// What the person sends is what they were shown last, and only a clear yes to that sends it.
func TestAServersQuestionIsAnsweredByTheText(t *testing.T) {
	q := mcp.Question{Server: "s", Message: "Who?", Fields: []form.Field{{Name: "name", Kind: form.Text,
		Required: true}}}
	for name, c := range map[string]struct {
		list  []func(p *approval.Proposal) (approval.Answer, error)
		want  string
		notes string // of the last question
	}{
		"edited and sent":      {list(edited(`name = "Ada"`), yes), "{true false map[name:Ada]}", ""},
		"sent before it is":    {list(yes, edited(`name = "Ada"`), yes), "{true false map[name:Ada]}", ""},
		"a wrong one, put off": {list(yes, stop), "{false false map[]}", "Not sent: name is missing"},
		"declined":             {list(no), "{false true map[]}", ""},
		"put aside":            {list(stop), "{false false map[]}", ""},
		"a yes to another one": {list(edited(`name = "Ada"`), elsewhere), "{false false map[]}", ""},
		"no screen any more":   {list(edited(`name = "Ada"`), broken), "{false false map[]}", ""},
	} {
		var a serverAsker
		who := &answers{list: c.list}
		a.connect(who, nil, new(project))
		got, _ := a.askQuestion(t.Context(), q)
		last := who.asked[len(who.asked)-1]
		if fmt.Sprint(got) != c.want || !strings.Contains(strings.Join(last.Notes, " "), c.notes) {
			t.Errorf("%s: %v, want %s; notes %q", name, got, c.want, last.Notes)
		}
	}
	var nobody serverAsker
	if got, err := nobody.askQuestion(t.Context(), q); err != nil || got.Accept || got.Decline {
		t.Errorf("without a person: %+v, %v", got, err)
	}
}

func list(all ...func(p *approval.Proposal) (approval.Answer, error)) []func(p *approval.Proposal) (approval.Answer,
	error) {
	return all
}

// A page opens after a yes, and only one of the form https://.
func TestAServersPageOpensAfterAYes(t *testing.T) {
	for _, c := range []struct {
		url    string
		answer func(p *approval.Proposal) (approval.Answer, error)
		want   string
		opened int
	}{
		{"https://pay.example.com/x", yes, "{true false map[]}", 1},
		{"https://pay.example.com/x", no, "{false true map[]}", 0},
		{"https://pay.example.com/x", elsewhere, "{false false map[]}", 0},
		{"http://pay.example.com/x", yes, "{false false map[]}", 0},
		{"javascript:alert(1)", yes, "{false false map[]}", 0},
		{"file:///etc/passwd", yes, "{false false map[]}", 0},
		{"https://user:pw@pay.example.com/", yes, "{false false map[]}", 0},
	} {
		var a serverAsker
		a.connect(&answers{list: list(c.answer)}, nil, new(project))
		opened := 0
		a.setOpenPage(func(string) { opened++ })
		got, _ := a.askQuestion(t.Context(), mcp.Question{Server: "s", URL: c.url})
		if fmt.Sprint(got) != c.want || opened != c.opened {
			t.Errorf("%s: %v, opened %d times", c.url, got, opened)
		}
	}
}

// The model is asked for a server after a yes to the very words, and without the conversation.
func TestAServerAsksTheModelAfterAYes(t *testing.T) {
	sample := mcp.Sample{Server: "s", System: "be kind", Messages: []mcp.Said{{Text: "what is it?"}}}
	for _, c := range []struct {
		answer func(p *approval.Proposal) (approval.Answer, error)
		want   string
	}{{yes, "it is this"}, {no, ""}, {elsewhere, ""}, {broken, ""}} {
		m, err := script.Parse("m", []byte(`{"expect":"what is it?","say":"it is this","delay_ms":0}`))
		if err != nil {
			t.Fatal(err)
		}
		var a serverAsker
		who := &answers{list: list(c.answer)}
		a.connect(who, agent.New(agent.Config{Model: m}), new(project))
		got, _, err := a.sample(t.Context(), sample)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
		if pl, ok := who.asked[0].Payload.(approval.Form); !ok || !strings.Contains(pl.Text, "system: be kind") ||
			!strings.Contains(pl.Text, "user: what is it?") {
			t.Errorf("%+v", who.asked[0])
		}
	}
}

// A question of a server says whether the one before it was not answered, also where several were
// asked at once; and the answer that stops the server stops it, and no other.
func TestAServerThatAsksAgainMayBeStopped(t *testing.T) {
	stops := func(p *approval.Proposal) (approval.Answer, error) { return approval.StopServer{ID: p.ID}, nil }
	other := func(*approval.Proposal) (approval.Answer, error) { return approval.StopServer{ID: "another"}, nil }
	form := mcp.Question{Server: "s", Fields: []form.Field{{Name: "name", Kind: form.Text}}}
	page := mcp.Question{Server: "s", URL: "https://pay.example.com/x"}
	who := &answers{list: list(no, stop, yes, no, other, stops, yes)}
	var a serverAsker
	a.connect(who, agent.New(agent.Config{}), new(project))
	var stopped []string
	a.stopServer = func(server string) error { stopped = append(stopped, server); return nil }
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { _, _ = a.askQuestion(t.Context(), form) })
	}
	wg.Wait()
	for _, q := range []mcp.Question{page, form, page} {
		_, _ = a.askQuestion(t.Context(), q)
	}
	_, _, _ = a.sample(t.Context(), mcp.Sample{Server: "s", Messages: []mcp.Said{{Text: "what?"}}})
	_, _ = a.askQuestion(t.Context(), mcp.Question{Server: "t", Fields: form.Fields})
	var got []bool
	for _, p := range who.asked {
		got = append(got, p.Payload.(approval.Form).Again)
	}
	if want := []bool{false, true, true, false, true, true, false}; !slices.Equal(got, want) {
		t.Errorf("again: %v, want %v", got, want)
	}
	if !slices.Equal(stopped, []string{"s"}) {
		t.Errorf("stopped %q", stopped)
	}
}
