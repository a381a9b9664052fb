package session_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

func tool(id, name, input string) provider.Part {
	return provider.ToolCall{ID: id, Name: name, Input: json.RawMessage(input)}
}

func ok(id, text string) provider.Part { return provider.ToolResult{ID: id, Text: text} }

// explored is a conversation with a checkpoint and a rewind that was accepted; the first three
// stay.
var explored = []provider.Message{
	user(parsedText("Why does it leak?")),
	assistant(tool("1", "checkpoint", `{"goal":"find the leak"}`)),
	user(ok("1", "Checkpoint created.")),
	assistant(parsedText("I look."), tool("1", "read_file", `{"path":"weir.go"}`)),
	user(ok("1", "content")),
	user(parsedText("At the left bank.")),
	assistant(tool("1", "rewind", `{"report":"A stone is loose."}`)),
	user(ok("1", "Rewind accepted.")),
}

// reported is what takes the place of the rest.
var reported = []provider.Message{
	user(parsedText("At the left bank.")),
	user(provider.Text{Text: "> A stone is loose.", Origin: provider.Report}),
}

func TestAReportIsAnEntryThatMovesBackAndHoldsIt(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, explored...)
	if err := l.RollBack(explored[:3], reported, "A stone."); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(assistant(parsedText("It is a stone."))); err != nil {
		t.Fatal(err)
	}
	want := append(append(slices.Clone(explored[:3]), reported...), assistant(parsedText("It is a stone.")))
	tree := "2< *user Why does it leak?[]\n3<2 *assistant [checkpoint]\n4<3 *user []\n" +
		"5<4 assistant I look.[read_file]\n6<5 user []\n7<6 user At the left bank.[]\n" +
		"8<7 assistant [rewind]\n9<8 user []\n" +
		"10<4 *assistant back at the checkpoint: A stone.[]\n11<10 *!assistant It is a stone.[]\n"
	if got := drawn(t, l); got != tree || l.CountMessages() != 2 {
		t.Errorf("%d messages of the person's, got\n%swant\n%s", l.CountMessages(), got, tree)
	}
	lines := strings.Split(strings.TrimSpace(readFile(t, l)), "\n")
	if e := lines[len(lines)-2]; strings.Contains(e, "I look.") || !strings.Contains(e, `"kind":"report"`) ||
		strings.Count(strings.Join(lines, "\n"), "Checkpoint created.") != 1 {
		t.Errorf("the entry is %s", e)
	}
	l.Close()
	l, got := resume(t, cfg, l.ID())
	if !reflect.DeepEqual(got, want) || l.CountMessages() != 2 || len(l.Repaired) > 0 {
		t.Errorf("resumed: %+v, %d, %q", got, l.CountMessages(), l.Repaired)
	}
	if said, err := l.FullConversation(); err != nil || !reflect.DeepEqual(said, want) {
		t.Errorf("said %+v, %v", said, err)
	}
	fork, _, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	fork.Close()
	if fork, forked := resume(t, cfg, fork.ID()); !reflect.DeepEqual(forked, want) || fork.CountMessages() != 2 {
		t.Errorf("forked: %+v", forked)
	}
	if left, err := l.LeftBehind("4"); err != nil || !reflect.DeepEqual(left, want[3:]) {
		t.Errorf("left: %+v, %v", left, err)
	}
	// What was left is there to go back to, and what goes to the rewind goes before it: behind it
	// the conversation would go back once more.
	for id, want := range map[string][]provider.Message{"7": explored[:6], "8": explored[:6], "9": explored[:6],
		"5": explored[:5], "10": want[:5]} {
		if got, err := l.Move(id, ""); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("at %s: %+v, %v", id, got, err)
		}
	}
}

// A rewind that was refused is an entry like any other.
func TestARefusedRewindIsAPlaceToGoTo(t *testing.T) {
	l := create(t, config(t), user(parsedText("x")), assistant(tool("1", "rewind", `{"report":"y"}`)),
		user(provider.ToolResult{ID: "1", Text: "No active checkpoint.", IsError: true}), assistant(parsedText("z")))
	if got, err := l.Move("3", ""); err != nil || len(got) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What is kept of a compacted conversation is no entry of its own: it stands in that of the report.
func TestAReportBehindACompactionKeepsWhatThatHasLeft(t *testing.T) {
	for name, kept := range map[string][]provider.Message{
		"the head": {user(provider.Compaction{Text: "compacted", Facts: []byte("{}")})},
		"the head and more": {user(provider.Compaction{Text: "compacted", Facts: []byte("{}")}),
			assistant(tool("1", "checkpoint", `{"goal":"find the leak"}`)), user(ok("1", "Checkpoint created."))},
	} {
		cfg := config(t)
		l := create(t, cfg, explored[:6]...)
		compact := append(slices.Clone(kept), explored[3:6]...)
		if err := l.Compact(compact, "compacted"); err != nil {
			t.Fatal(err)
		}
		for _, m := range explored[6:] {
			if err := l.Append(m); err != nil {
				t.Fatal(err)
			}
		}
		count := l.CountMessages()
		if err := l.RollBack(kept, reported, "A stone."); err != nil {
			t.Fatal(err)
		}
		l.Close()
		l, got := resume(t, cfg, l.ID())
		want := append(slices.Clone(kept), reported...)
		if !reflect.DeepEqual(got, want) || l.CountMessages() != count {
			t.Errorf("%s: %+v, %d", name, got, l.CountMessages())
		}
		if said, err := l.FullConversation(); err != nil ||
			!reflect.DeepEqual(said, append(slices.Clone(explored), reported[1])) {
			t.Errorf("%s: said %+v, %v", name, said, err)
		}
		fork, _, err := l.Fork()
		if err != nil {
			t.Fatal(err)
		}
		fork.Close()
		if _, forked := resume(t, cfg, fork.ID()); !reflect.DeepEqual(forked, want) {
			t.Errorf("%s: forked: %+v", name, forked)
		}
	}
}

// A log that holds something else than what is kept is not moved in: what is kept stands in the
// entry.
func TestAReportOfAnotherConversationKeepsAllOfIt(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, explored...)
	kept := []provider.Message{explored[0], explored[1], user(ok("1", "Another result."))}
	if err := l.RollBack(kept, reported, "A stone."); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, append(slices.Clone(kept), reported...)) {
		t.Errorf("%+v", got)
	}
}

// A kill while the entry is written leaves the conversation as it was.
func TestATornReportIsNoReport(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, explored...)
	before := len(readFile(t, l))
	if err := l.RollBack(explored[:3], reported, "A stone."); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, l)
	l.Close()
	l, whole := resume(t, cfg, l.ID())
	if reflect.DeepEqual(whole, explored) || len(l.Repaired) > 0 {
		t.Fatalf("the whole report changes nothing: %+v, %q", whole, l.Repaired)
	}
	l.Close()
	for at := before; at < len(text)-1; at += 7 {
		if err := os.WriteFile(l.Path(), []byte(text[:at]), 0o600); err != nil {
			t.Fatal(err)
		}
		l, got, err := session.Resume(cfg, l.ID())
		if err != nil || !reflect.DeepEqual(got, explored) {
			t.Fatalf("cut at %d: %v, %+v", at, err, got)
		}
		l.Close()
	}
}
