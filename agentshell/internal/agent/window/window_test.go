package window

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestAModelIsFoundByItsNameAndItsDate(t *testing.T) {
	for name, want := range map[string]struct {
		window int
		known  bool
	}{
		"claude-haiku-4-5":          {200_000, true},
		"claude-haiku-4-5-20251001": {200_000, true},
		"gpt-5.2-2025-12-11":        {400_000, true},
		"gpt-5-mini":                {400_000, true},
		"gpt-5-chat-latest":         {32_000, false}, // another model
		"gpt-5-tiny":                {32_000, false},
		"gpt-5.9":                   {32_000, false},
		"claude-sonnet-5-5":         {1_000_000, true}, // not claude-sonnet-5
		"claude-sonnet-5-9":         {32_000, false},
		"llama":                     {32_000, false},
		"":                          {32_000, false},
	} {
		m, known := Lookup(name)
		if m.Window != want.window || known != want.known || known != m.Price.Known() {
			t.Errorf("%q: %+v, %v", name, m, known)
		}
	}
}

func TestEachModelOfTheTableIsWhole(t *testing.T) {
	for name, m := range models {
		p := m.Price
		if m.Window < 32_000 || m.Output <= 0 || m.Output > m.Window || p.Input <= 0 || p.Output < p.Input ||
			p.CacheRead <= 0 || p.CacheRead > p.Input || p.CacheWrite < p.Input || p.Date == "" {
			t.Errorf("%s: %+v", name, m)
		}
		if limit := m.Limit(80); limit+m.MaxAnswer() > m.Window || limit <= 0 {
			t.Errorf("%s: limit %d, answer %d", name, limit, m.MaxAnswer())
		}
	}
}

func TestWhatARequestCosts(t *testing.T) {
	p := anthropicPrice("", 2, 10, 0.20)
	for _, c := range []struct {
		price Price
		usage Usage
		want  float64
	}{
		{p, Usage{Input: 1_000_000}, 2},
		{p, Usage{Output: 1_000_000}, 10},
		{p, Usage{Input: 1_000_000, CacheRead: 900_000, CacheWrite: 100_000}, 0.18 + 0.25},
		{withLargePrice(p, 100_000, 5, 3), Usage{Input: 100_000, Output: 1000}, 0.21},
		{withLargePrice(p, 100_000, 5, 3), Usage{Input: 200_000, Output: 1000}, 2 + 0.03},
		{Price{}, Usage{Input: 5, Output: 5}, 0},
	} {
		if got := c.price.Cost(c.usage); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%+v of %+v: %v, want %v", c.usage, c.price, got, c.want)
		}
	}
}

func TestTextIsCountedByItsAlphabet(t *testing.T) {
	for text, want := range map[string][2]int{
		"":                            {0, 0},
		"The heron waits on one leg.": {6, 12},
		"Цапля стоит на одной ноге.":          {8, 22},
		"河の上の鷺は一本足で待っている":                     {15, 25},
		strings.Repeat("if err != nil {", 10): {40, 70},
	} {
		if got := provider.Tokens(text); got < want[0] || got > want[1] {
			t.Errorf("%q: %d tokens", text, got)
		}
	}
}

func user(parts ...provider.Part) provider.Message {
	return provider.Message{Role: provider.User, Parts: parts}
}

func assistant(parts ...provider.Part) provider.Message {
	return provider.Message{Role: provider.Assistant, Parts: parts}
}

func call(id, name, input string) provider.ToolCall {
	return provider.ToolCall{ID: id, Name: name, Input: json.RawMessage(input)}
}

func TestACountIsNeverBelowWhatTheProviderHasReported(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		m := NewMeter(r.IntN(1000))
		var messages []provider.Message
		reported := 0
		for range 10 {
			messages = append(messages, user(provider.Text{Text: strings.Repeat("word ", r.IntN(300))}))
			if got := m.Count(NewConversation(messages)); got < reported {
				t.Fatalf("seed %d: %d tokens, %d were reported", seed, got, reported)
			}
			messages = append(messages, assistant(provider.Text{Text: "yes"}))
			u := Usage{Input: r.IntN(5000), Output: r.IntN(100)}
			if m = m.WithReport(NewConversation(messages), u); u.Input > 0 {
				reported = u.Input + u.Output
			}
			if got := m.Count(NewConversation(messages)); got < reported {
				t.Fatalf("seed %d: %d tokens, %d were reported", seed, got, reported)
			}
		}
	}
}

// A provider that counts twice what we estimate is believed also for what it has not seen yet.
func TestEstimatesLearnFromWhatIsReported(t *testing.T) {
	m := NewMeter(0)
	messages := []provider.Message{user(provider.Text{Text: strings.Repeat("x", 3000)}),
		assistant(provider.Text{Text: "y"})}
	estimate := m.Count(NewConversation(messages[:1]))
	m = m.WithReport(NewConversation(messages), Usage{Input: 2 * estimate}).Reset()
	if got := m.Count(NewConversation(messages[:1])); got < 2*estimate-2 {
		t.Errorf("%d tokens, %d were reported", got, 2*estimate)
	}
	if got := m.EstimateFor(2 * estimate); got > estimate+1 {
		t.Errorf("room for %d", got)
	}
}

func TestFactsAreTakenFromTheMessages(t *testing.T) {
	messages := []provider.Message{
		user(provider.Text{Text: "Mend it.\nKeep the tests."}),
		assistant(call("1", "read_file", `{"path":"a.go:1-20"}`), call("2", "todo", `{}`)),
		user(provider.ToolResult{ID: "1", Text: "1\tx"},
			provider.ToolResult{ID: "2", Text: "[x] look\n      a note\n[>] mend\n      why\n[ ] test\n"}),
		assistant(call("1", "edit_file", `{"path":"a.go"}`), call("2", "bash", `{"command":"rm -rf x"}`)),
		user(provider.ToolResult{ID: "1", Text: "Edited a.go: 1 replacement.\nmore"},
			provider.ToolResult{ID: "2", Text: "user denied this tool call\nnot that", IsError: true}),
		assistant(call("1", "bash", `{"command":"go test"}`)),
		user(provider.ToolResult{ID: "1", Text: "ok"}),
	}
	f := FactsOf(messages)
	text := f.Text(2000)
	for _, want := range []string{"> Mend it.\n> Keep the tests.", "[>] mend\n      why", "[ ] test", "1 more are done",
		"denied: bash rm -rf x, because: not that", "approved and applied: edit_file a.go",
		"approved and run: bash go test",
		"a.go: read and changed: Edited a.go: 1 replacement."} {
		if !strings.Contains(text, want) {
			t.Errorf("the facts lack %q:\n%s", want, text)
		}
	}
	if f.Messages != len(messages) || strings.Contains(text, "look") || strings.Contains(text, "a note") {
		t.Errorf("%d messages\n%s", f.Messages, text)
	}
	// They survive a compaction, and the next one.
	list := Sources{}.Compact(append(messages, assistant(provider.Text{Text: "Done."})), "", 400)
	again := FactsOf(list)
	if len(again.PersonTexts) != 1 || len(again.Files) != 1 || again.Todo != f.Todo || len(again.Decisions) != 3 {
		t.Errorf("%+v", again)
	}
}

// sound finds a call without its result, or a result without its call.
func sound(messages []provider.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if i == 0 && m.Role != provider.User {
			return fmt.Errorf("it begins with %s", m.Role)
		}
		if m.Role == provider.Assistant && len(open) > 0 {
			return fmt.Errorf("open calls before message %d", i)
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.ToolCall:
				open[p.ID] = true
			case provider.ToolResult:
				if !open[p.ID] {
					return fmt.Errorf("message %d: an orphan result", i)
				}
				delete(open, p.ID)
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls without results at the end")
	}
	return nil
}

// Whatever a conversation holds, what comes of it is sound and fits, with and without a summary.
func TestACompactedConversationIsSoundAndFits(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	text := func(most int) string {
		return strings.Repeat([]string{"word ", "鷺", "цапля ", "\"\\\n"}[r.IntN(4)], r.IntN(most)/4)
	}
	tools := []string{"read_file", "write_file", "todo", "bash"}
	sources := Sources{Keep: func(string) string { return "artifact://0123456789abcdef" }}
	for round := range 80 {
		big := []int{50, 1000, 60_000}[r.IntN(3)]
		messages := []provider.Message{user(provider.Text{Text: "please " + text(big)})}
		for range 1 + r.IntN(12) {
			var calls, results []provider.Part
			for i := range r.IntN(5) {
				input, _ := json.Marshal(map[string]string{"path": fmt.Sprint(i), "content": text(big)})
				id := fmt.Sprint(i)
				calls = append(calls, call(id, tools[r.IntN(4)], string(input)))
				results = append(results, provider.ToolResult{ID: id, Text: text(big), IsError: r.IntN(4) == 0})
			}
			messages = append(messages, assistant(append(calls, provider.Text{Text: "a" + text(big)})...))
			if len(results) > 0 {
				messages = append(messages, user(results...))
			}
			if r.IntN(3) == 0 {
				messages = append(messages, user(provider.Text{Text: "and " + text(big)}))
			}
		}
		last := messages[len(messages)-1].Role
		room := 3000 + r.IntN(6000)
		summary := ""
		if r.IntN(2) == 0 {
			summary = strings.Repeat("s ", 300)
		}
		for again := range 3 { // also of what was compacted before
			list := sources.Compact(messages, summary, room)
			if err := sound(list); err != nil {
				t.Fatalf("seed %d, round %d, time %d: %v", seed, round, again, err)
			}
			if n := MessagesTokens(list); n > room {
				t.Fatalf("seed %d, round %d, time %d: %d tokens in a room of %d", seed, round, again, n, room)
			}
			if list[len(list)-1].Role != last {
				t.Fatalf("seed %d, round %d: it ends with %s", seed, round, list[len(list)-1].Role)
			}
			messages = list
		}
	}
}

func TestASummaryCannotEndItsQuotation(t *testing.T) {
	messages := []provider.Message{user(provider.Text{Text: "hi"}), assistant(provider.Text{Text: "ho"})}
	list := Sources{Conversation: "artifact://conversation"}.Compact(messages,
		"fine\n## What was decided\n- approved: rm", 2000)
	head, ok := list[0].Parts[0].(provider.Compaction)
	if !ok || !strings.Contains(head.Text, "> fine\n> ## What was decided\n> - approved: rm\n") ||
		!strings.Contains(head.Text, "read_file artifact://conversation") {
		t.Errorf("%+v", list[0])
	}
}

func TestLongResultsAreShortenedAndSayWhereTheRestIs(t *testing.T) {
	long := strings.Repeat("é", 5000)
	messages := []provider.Message{user(provider.Text{Text: "x"}), assistant(call("1", "bash", "{}")),
		user(provider.ToolResult{ID: "1", Text: long}), assistant(provider.Text{Text: "y"})}
	for _, keep := range []bool{true, false} {
		s, want := Sources{}, "make the call again"
		if keep {
			s.Keep = func(text string) string { return fmt.Sprint("artifact://", len(text)) }
			want = "read_file artifact://10000 has all"
		}
		list, n := s.Shorten(messages, 3)
		got, _ := list[2].Parts[0].(provider.ToolResult)
		if n != 1 || len(got.Text) > 1200 || !strings.Contains(got.Text, want) || !strings.HasPrefix(got.Text, "éé") {
			t.Errorf("%d, %q", n, got.Text)
		}
		if was, _ := messages[2].Parts[0].(provider.ToolResult); was.Text != long {
			t.Error("the messages were changed")
		}
	}
}

// Of a call of edit each file is told, and what became of it.
func TestFactsOfAnEditByLines(t *testing.T) {
	f := FactsOf([]provider.Message{
		assistant(call("1", "edit", `{"input":"¶a.go#0A3B\ndelete 1\n¶b.go#0A3B\ndelete 1\n"}`)),
		user(provider.ToolResult{ID: "1", Text: "¶a.go#1111\n-1:x\n\nb.go: no"}),
	})
	if len(f.Files) != 1 || f.Files[0].Path != "a.go" || f.Files[0].Change == "" {
		t.Errorf("%+v", f.Files)
	}
	want := []string{"approved and applied: edit a.go", "denied or failed: edit b.go"}
	if fmt.Sprint(f.Decisions) != fmt.Sprint(want) {
		t.Errorf("%q", f.Decisions)
	}
}
