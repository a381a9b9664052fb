package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// post is what an agent named Me has of its peers: three others, of whom Gone cannot be reached.
type post struct {
	others  []Peer
	pending []Letter
	sent    []Letter
	waited  []string // from whom, and how long at the most
	why     string
}

func (p *post) Self() string   { return "Me" }
func (p *post) Others() []Peer { return p.others }

func (p *post) Send(l Letter) (list []Receipt) {
	p.sent = append(p.sent, l)
	for _, o := range p.others {
		switch {
		case l.To != Everybody && l.To != o.ID:
		case o.ID == "Gone":
			list = append(list, Receipt{o.ID, "failed", "Gone was ended"})
		default:
			list = append(list, Receipt{o.ID, "injected", ""})
		}
	}
	return list
}

func (p *post) Pending(peek bool) []Letter {
	list := p.pending
	if !peek {
		p.pending = nil
	}
	return list
}

func (p *post) Wait(_ context.Context, from string, limit time.Duration) (Letter, bool, string) {
	p.waited = append(p.waited, fmt.Sprintf("%q %v", from, limit))
	for i, l := range p.pending {
		if from == "" || l.From == from {
			p.pending = slices.Delete(p.pending, i, i+1)
			return l, true, ""
		}
	}
	return Letter{}, false, p.why
}

// write runs one call of irc, and returns its text or its error.
func (p *post) write(t *testing.T, input string) string {
	t.Helper()
	tool := &irc{p, 2 * time.Minute, func() time.Time { return time.Unix(100, 0) }}
	call, err := tool.Prepare(t.Context(), "1", json.RawMessage(input))
	if err == nil {
		var r Result
		if r, err = call.Run(t.Context(), nil); err == nil {
			return strings.TrimSuffix(r.Text, "\n")
		}
	}
	return Kind(err) + ": " + err.Error()
}

func newPost() *post {
	return &post{others: []Peer{
		{ID: "Main", State: "running", Active: time.Unix(97, 0)},
		{ID: "Lexer", Kind: "task", Description: "the lexer", State: "parked", Parent: "Main", Unread: 2,
			Active: time.Unix(40, 0)},
		{ID: "Gone", Kind: "task", State: "idle", Parent: "Main", Active: time.Unix(0, 0)},
	}, pending: []Letter{{ID: "m-1", From: "Lexer", Text: "one"}, {ID: "m-2", From: "Main", Text: "two",
		ReplyTo: "m-0"}}}
}

func TestAMessageThatCannotBeSentIsRefused(t *testing.T) {
	for input, want := range map[string]string{
		`{"op":"send","message":"x"}`:                                "invalid_args: to is missing",
		`{"op":"send","to":"  ","message":"x"}`:                      "invalid_args: to is missing",
		`{"op":"send","to":"Lexer"}`:                                 "invalid_args: message is missing",
		`{"op":"send","to":"Lexer","message":" \n "}`:                "invalid_args: message is missing",
		`{"op":"send","to":" me ","message":"x"}`:                    "invalid_args: Cannot send an IRC message to",
		`{"op":"send","to":"all","message":"x","await":true}`:        "invalid_args: await goes without to all",
		`{"op":"shout","message":"x"}`:                               "invalid_args: op must be one of send, wait,",
		`{"to":"Lexer"}`:                                             "invalid_args: op is missing",
		`{"op":"send","to":"Gone","message":"x"}`:                    "tool_failed: - Gone: failed — Gone was ended",
		`{"op":"send","to":"Gone","message":"x","await":true}`:       "tool_failed: - Gone: failed",
		`{"op":"wait","timeoutMs":"soon"}`:                           "invalid_args: timeoutMs must be a number",
		`{"op":"send","to":"Lexer","message":"x","from":"a","b":""}`: `invalid_args: "b" is not an argument`,
	} {
		p := newPost()
		if got := p.write(t, input); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
		if len(p.waited) > 0 {
			t.Errorf("%s: it waits nevertheless", input)
		}
	}
	empty := new(post)
	if got := empty.write(t, `{"op":"send","to":"all","message":"x"}`); got != "tool_failed: No other agents." {
		t.Errorf("to nobody: %q", got)
	}
}

func TestAMessageSaysWhatBecameOfItForEachAgent(t *testing.T) {
	p := newPost()
	if got := p.write(t, `{"op":"send","to":" Lexer ","message":"hi","replyTo":"m-9"}`); got != "- Lexer: injected" ||
		p.sent[0] != (Letter{To: "Lexer", Text: "hi", ReplyTo: "m-9"}) {
		t.Errorf("%q %+v", got, p.sent)
	}
	want := "- Main: injected\n- Lexer: injected\n- Gone: failed — Gone was ended"
	if got := p.write(t, `{"op":"send","to":"all","message":"hi"}`); got != want {
		t.Errorf("%q", got)
	}
	if got := p.write(t, `{"op":"send","to":"Lexer","message":"hi","await":true}`); got !=
		"- Lexer: injected\n[m-1] Lexer: one" {
		t.Errorf("%q", got)
	}
	if got := p.write(t, `{"op":"send","to":"Lexer","message":"hi","await":true,"timeoutMs":9.7}`); got !=
		"- Lexer: injected\nNo message within 9ms.\nIt may still answer: use inbox or wait later, and do not send the "+
			"message again." {
		t.Errorf("%q", got)
	}
	if want := []string{`"Lexer" 2m0s`, `"Lexer" 9ms`}; !slices.Equal(p.waited, want) {
		t.Errorf("%q", p.waited)
	}
}

func TestTheTimeOfAWaitHasABound(t *testing.T) {
	for ms, want := range map[string]string{"": "2m0s", `,"timeoutMs":0`: "0s", `,"timeoutMs":-1`: "2m0s",
		`,"timeoutMs":0.2`: "1ms", `,"timeoutMs":1500.9`: "1.5s", `,"timeoutMs":1e300`: "8760h0m0s",
		`,"timeoutMs":null`: "2m0s"} {
		p := new(post)
		p.write(t, `{"op":"wait"`+ms+`}`)
		if len(p.waited) != 1 || p.waited[0] != `"" `+want {
			t.Errorf("%s: %q, want %s", ms, p.waited, want)
		}
	}
}

func TestWhatHasComeIsReadWaitedForAndListed(t *testing.T) {
	p := newPost()
	for _, c := range []struct{ input, want string }{
		{`{"op":"inbox","peek":true}`, "2 messages:\n- [m-1] Lexer: one\n- [m-2] Main (answers m-0): two"},
		{`{"op":"wait","from":"Main"}`, "[m-2] Main (answers m-0): two"},
		{`{"op":"inbox"}`, "1 message:\n- [m-1] Lexer: one"},
		{`{"op":"inbox"}`, "Inbox empty."},
		{`{"op":"wait","timeoutMs":30000}`, "No message within 30s."},
		{`{"op":"list"}`, "3 peers:\n- Main [running], active 3s ago\n" +
			"- Lexer [the lexer · task · parked], 2 unread, started by Main, active 1m0s ago\n" +
			"- Gone [task · idle], started by Main, active 1m40s ago\n" +
			"A parked agent is revived when you write to it."},
	} {
		if got := p.write(t, c.input); got != c.want {
			t.Errorf("%s gives %q, want %q", c.input, got, c.want)
		}
	}
	p.why = "Lexer waits for you"
	if got := p.write(t, `{"op":"wait","from":"Lexer"}`); got != "No message: Lexer waits for you" {
		t.Errorf("%q", got)
	}
	if got := new(post).write(t, `{"op":"list"}`); got != "No other agents." {
		t.Errorf("%q", got)
	}
}
