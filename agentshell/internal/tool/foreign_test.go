package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	pngimage "image/png"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func foreign(b *bench, description string,
	do func(ctx context.Context, args json.RawMessage, _ func(string)) (Answer, error)) *Foreign {
	return &Foreign{Env: b.env, Server: "notes", Tool: "put", Description: description,
		Schema: json.RawMessage(`{"type":"object"}`), Do: do}
}

// A foreign tool is asked for each time with its arguments, schema and description, whatever it
// says of itself (HARN-15, PANE-14).
func TestAForeignToolIsShownAsItIs(t *testing.T) {
	b := newBench(t, nil)
	var got string
	tools := foreign(b, "Only reads, \x1b[31mtrust me",
		func(_ context.Context, args json.RawMessage, _ func(string)) (Answer, error) {
			got = string(args)
			return Answer{Text: strings.Repeat("long ", 100_000)}, nil
		})
	var err error
	if b.reg, err = NewRegistry(append(Builtin(b.env).Tools(), tools)...); err != nil {
		t.Fatal(err)
	}
	c := b.must("mcp__notes__put", args{"text": "a\u202eb"})
	pay, ok := c.Proposal.Payload.(approval.Generic)
	if !ok || pay.Description != "Call notes/put" || !c.Mutates || !c.Proposal.Flagged(approval.FlagHidden) ||
		c.Proposal.Notes[0] != "runs on server \"notes\"" {
		t.Fatalf("%+v", c.Proposal)
	}
	for _, want := range []string{"\"text\": \"a", "Only reads", "\"type\": \"object\""} {
		if !strings.Contains(pay.Detail, want) {
			t.Errorf("the pane does not have %q:\n%s", want, pay.Detail)
		}
	}
	if strings.ContainsAny(c.Title, "\x1b\u202e") {
		t.Errorf("title %q", c.Title)
	}
	r, err := c.Run(context.Background(), nil)
	if err != nil || !strings.Contains(got, "text") || len(r.Text) > 60<<10 {
		t.Errorf("%d bytes, %v; it got %s", len(r.Text), err, got)
	}
	b.fails("mcp__notes__put", nil, "invalid_args")
	tools.Do = func(context.Context, json.RawMessage, func(string)) (Answer, error) {
		return Answer{Text: "no such note", Failed: true}, nil
	}
	if err := b.fails("mcp__notes__put", args{}, "tool_failed"); err.Error() != "no such note" {
		t.Errorf("%v", err)
	}
	tools.Do = func(context.Context, json.RawMessage, func(string)) (Answer, error) {
		return Answer{}, errors.New("gone")
	}
	b.fails("mcp__notes__put", args{}, "tool_failed")
	if _, err := NewRegistry(tools, tools); err == nil {
		t.Error("two tools of one name")
	}
}

// A grant is for the tool as it describes itself now; another description or schema ends it. Plan
// mode refuses, no other mode allows.
func TestAGrantOfAForeignToolEndsWhenItChanges(t *testing.T) {
	b := newBench(t, nil)
	subject := func(description string) approval.Subject {
		c, err := foreign(b, description, nil).Prepare(context.Background(), "t", json.RawMessage(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		return c.Subject("mcp__notes__put")
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{})
	if err != nil {
		t.Fatal(err)
	}
	s := subject("writes a note")
	if v := policy.Decide(s); v.Action != approval.Ask {
		t.Errorf("%+v", v)
	}
	offers := policy.Offers(s)
	if len(offers) != 1 || !strings.HasPrefix(offers[0], "mcp(notes/put@") {
		t.Fatalf("%q", offers)
	}
	if err := policy.Grant(offers[0]); err != nil {
		t.Fatal(err)
	}
	if v := policy.Decide(s); v.Action != approval.Allow {
		t.Errorf("granted: %+v", v)
	}
	if v := policy.Decide(subject("writes a note anywhere")); v.Action != approval.Ask {
		t.Errorf("changed: %+v", v)
	}
	for mode, want := range map[string]approval.Action{approval.ModeEdits: approval.Ask,
		approval.ModePlan: approval.Deny} {
		if err := policy.SetMode(mode); err != nil {
			t.Fatal(err)
		}
		if v := policy.Decide(subject("something else")); v.Action != want {
			t.Errorf("mode %s: %+v", mode, v)
		}
	}
	if _, err := approval.ParseRule(approval.Allow, "mcp(notes/put@123)"); err == nil {
		t.Error("a short hash is a rule")
	}
}

func TestPicturesOfAForeignToolAreShown(t *testing.T) {
	b := newBench(t, nil)
	var png bytes.Buffer
	if err := pngimage.Encode(&png, image.NewGray(image.Rect(0, 0, 2, 3))); err != nil {
		t.Fatal(err)
	}
	tools := foreign(b, "draws", func(context.Context, json.RawMessage, func(string)) (Answer, error) {
		return Answer{Text: "here", Images: [][]byte{png.Bytes(), []byte("\x1b[31mno picture")}}, nil
	})
	var err error
	if b.reg, err = NewRegistry(append(Builtin(b.env).Tools(), tools)...); err != nil {
		t.Fatal(err)
	}
	r := b.run("mcp__notes__put", args{})
	if len(r.Images) != 1 || !strings.HasPrefix(r.Text, "here\npicture picture 1 of notes/put: png, 2 by 3 pixels") ||
		!strings.Contains(r.Text, "[picture 2 cannot be shown: ") {
		t.Errorf("%d images, %q", len(r.Images), r.Text)
	}
}
