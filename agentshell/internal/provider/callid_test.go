package provider_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/work"
)

const server = "chat https://example.com m"

func callMessage(calls ...provider.ToolCall) provider.Message {
	m := provider.Message{Role: provider.Assistant}
	for _, c := range calls {
		m.Parts = append(m.Parts, c)
	}
	return m
}

func resultMessage(results ...provider.ToolResult) provider.Message {
	m := provider.Message{Role: provider.User}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return m
}

func TestACallKeepsTheIDOfItsServerUnlessAnotherCallHasIt(t *testing.T) {
	req := provider.Request{Messages: []provider.Message{callMessage(provider.ToolCall{ID: "x"},
		provider.ToolCall{ID: "c00000002"})}}
	ids := provider.NewCallIDs(req, server)
	for _, c := range []struct {
		given string
		want  provider.ToolCall
	}{
		{"y", provider.ToolCall{ID: "y", From: server}},
		{"functions.bash:0", provider.ToolCall{ID: "functions.bash:0", From: server}},
		{"x", provider.ToolCall{ID: "c00000001", Given: "x"}},
		{"", provider.ToolCall{ID: "c00000003"}},
		{"y", provider.ToolCall{ID: "c00000004", Given: "y"}},
		{"c00000005", provider.ToolCall{ID: "c00000005", From: server}},
		{"", provider.ToolCall{ID: "c00000006"}},
		{"a b", provider.ToolCall{ID: "c00000007", Given: "a b"}},
		{"\x1b[2J", provider.ToolCall{ID: "c00000008", Given: "\x1b[2J"}},
	} {
		if got := ids.New(c.given); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, want %+v", c.given, got, c.want)
		}
	}
	gone := provider.NewCallIDs(provider.Request{TakenID: func(id string) bool { return id == "old" }}, server)
	if got := gone.New("old"); got.ID == "old" {
		t.Error("the id of a call that has left the conversation is given to another one")
	}
}

func TestAnotherServerMeetsACallByAnIDThatEachAPITakes(t *testing.T) {
	all := regexp.MustCompile(`^[0-9A-Za-z]{9}$`)
	seen := map[string]string{}
	for _, id := range []string{"", "x", "y", "toolu_01A", "functions.bash:0", "functions.bash:1",
		strings.Repeat("a", 2000), strings.Repeat("a", 2001), "c00000001", "D681PevKs", "é"} {
		c := provider.ToolCall{ID: id, From: server}
		if got := c.IDFor(server); got != id {
			t.Errorf("its own server meets %q as %q", id, got)
		}
		sent := c.IDFor("messages https://example.com")
		if !all.MatchString(sent) || seen[sent] != "" || sent != c.IDFor("responses") {
			t.Errorf("%q goes as %q, and %q, too", id, sent, seen[sent])
		}
		seen[sent] = id + " "
		if all.MatchString(id) && sent != id {
			t.Errorf("%q needs no other form, and goes as %q", id, sent)
		}
		c.From = ""
		if got := callMessage(c).ResultID(id, server); got != sent {
			t.Errorf("the result of %q goes as %q, and its call as %q", id, got, sent)
		}
	}
}

func TestCallsOfAConversationThatWasKeptBecomeDistinct(t *testing.T) {
	call := func(id, input string) provider.ToolCall {
		return provider.ToolCall{ID: id, Name: "a", Input: json.RawMessage(input), From: server}
	}
	result := func(id, text string) provider.ToolResult { return provider.ToolResult{ID: id, Text: text} }
	kept := []provider.Message{
		callMessage(call("x", "1")), resultMessage(result("x", "1")),
		callMessage(call("x", "2"), call("x", "3"), call("y", "4"), call("", "5")),
		resultMessage(result("y", "4"), result("x", "2"), result("x", "3"), result("", "5")),
		callMessage(call("y", "6")), resultMessage(result("y", "6")),
	}
	before := slices.Clone(kept[2].Parts)
	got, ids := provider.DistinctCalls(kept)
	if !reflect.DeepEqual(kept[2].Parts, before) {
		t.Error("what was given is changed")
	}
	seen := map[string]string{} // the input of a call by its id
	results := 0
	for _, m := range got {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.ToolCall:
				if seen[p.ID] != "" || p.ID == "" || !ids[p.ID] {
					t.Errorf("%+v is not the only one of its id", p)
				}
				seen[p.ID] = string(p.Input)
			case provider.ToolResult:
				if results++; seen[p.ID] != p.Text {
					t.Errorf("the result %+v stands with the call %s", p, seen[p.ID])
				}
			}
		}
	}
	if len(seen) != 6 || results != 6 || len(ids) != 6 {
		t.Errorf("%d calls, %d results, %d ids", len(seen), results, len(ids))
	}
	again, _ := provider.DistinctCalls(got)
	if !reflect.DeepEqual(again, got) {
		t.Error("distinct calls get other ids")
	}
}

// A conversation of a hundred times the messages costs a hundred times the work: a session of years
// is resumed, too.
func TestDistinctCallsCostTheSameForEachMessage(t *testing.T) {
	each := func(n int) float64 {
		var messages []provider.Message
		for i := range n {
			id := fmt.Sprint("call", i)
			messages = append(messages, provider.Message{Role: provider.Assistant,
				Parts: []provider.Part{provider.ToolCall{ID: id, Name: "read_file"}}},
				provider.Message{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: id}}})
		}
		return float64(work.Of(t, func() { provider.DistinctCalls(messages) })) / float64(n)
	}
	if few, many := each(50), each(5000); many > 8*few {
		t.Errorf("a message costs %.0f ns in a short conversation, %.0f in a long one", few, many)
	}
}
