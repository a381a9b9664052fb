package session

import (
	"reflect"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// FuzzAnyFileGivesAConversationThatAProviderTakes: whatever stands in a file, each call has one
// result right behind it, and mending twice changes nothing.
func FuzzAnyFileGivesAConversationThatAProviderTakes(f *testing.F) {
	f.Add(`{"id":"1","kind":"session"}` + "\n" +
		`{"id":"2","parent":"1","kind":"message","role":"user","parts":[{"type":"text","text":"x"}]}` + "\n")
	f.Add(`{"id":"1","kind":"session"}` + "\n" +
		`{"id":"2","parent":"2","kind":"message","role":"user","parts":[{"type":"text"}]}` + "\n" +
		`{"id":"3","parent":"7","kind":"message","role":"assistant","parts":[{"type":"tool_call","id":"x"},` +
		`{"type":"tool_call","id":"x"}]}` + "\n{")
	f.Fuzz(func(t *testing.T, content string) {
		read := parse([]byte(content))
		if read.end > len(content) {
			t.Fatal("the end lies behind the end")
		}
		once, _ := completed(read.messages(), read.notRun())
		if twice, cut := completed(once, nil); len(cut) > 0 || len(once) > 0 && !reflect.DeepEqual(once, twice) {
			t.Fatalf("once %+v\ntwice %+v", once, twice)
		}
		var open []string
		for i, m := range once {
			if i == 0 && m.Role != provider.User {
				t.Fatal("it does not begin with the person")
			}
			if m.Role != provider.User && len(open) > 0 {
				t.Fatal("a call without a result")
			}
			for _, p := range m.Parts {
				switch p := p.(type) {
				case provider.ToolCall:
					if m.Role != provider.User {
						open = append(open, p.ID)
					}
				case provider.ToolResult:
					if m.Role != provider.User {
						continue
					}
					if len(open) == 0 || open[0] != p.ID {
						t.Fatalf("result %q, open calls %q", p.ID, open)
					}
					open = open[1:]
				}
			}
		}
		if len(open) > 0 {
			t.Fatalf("calls without a result: %q", open)
		}
	})
}

func TestALogKeeps32MebibytesOfPicturesWhereNothingElseIsSaid(t *testing.T) {
	l := &Log{pictures: 32<<20 - 2}
	p := picture.Picture{Name: "a.png", Data: []byte{1, 2}}
	if s := l.storePicture(p); s.Data == nil {
		t.Error("the last two bytes were not kept")
	}
	if s := l.storePicture(p); s.Data != nil {
		t.Error("more was kept")
	}
}
