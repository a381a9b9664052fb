package session_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

func pic(name string, data []byte) picture.Picture {
	return picture.Picture{Name: name, Media: "image/png", Data: data, W: 2, H: 3, Shrunk: "from 4 by 6 pixels"}
}

func TestPicturesComeBackWithTheConversation(t *testing.T) {
	cfg := config(t)
	talk := []provider.Message{
		user(provider.Image{Picture: pic("a.png", []byte("one\x00\xff"))}, parsedText("look")),
		assistant(call("1", `{"path":"b.png"}`)),
		user(provider.ToolResult{ID: "1", Text: "picture b.png",
			Images: []picture.Picture{pic("b.png", []byte("two"))}}),
		assistant(parsedText("Seen.")),
	}
	l := create(t, cfg, talk...)
	l.Close()
	if _, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, talk) {
		t.Errorf("got %+v", got)
	}
}

// What a log keeps of pictures is bounded, also over several runs: what is too much is a line of
// text when it comes back. The bound is a small one here (entry_test.go has the one of a session).
func TestALogKeepsABoundedAmountOfPictures(t *testing.T) {
	cfg := config(t)
	cfg.Pictures = 4 << 20
	l := create(t, cfg, user(provider.Image{Picture: pic("large.png", make([]byte, 1<<20+1))}, parsedText("look")),
		assistant(parsedText("Seen.")))
	for i := range 3 {
		if err := l.Append(user(provider.Image{Picture: pic(fmt.Sprint(i, ".png"), make([]byte, 1<<20))})); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	l, _ = resume(t, cfg, l.ID())
	for i := range 3 {
		if err := l.Append(
			user(provider.Image{Picture: pic(fmt.Sprint(3+i, ".png"), bytes.Repeat([]byte{byte(i)}, 1<<20))})); err !=
			nil {
			t.Fatal(err)
		}
	}
	l.Close()
	_, got := resume(t, cfg, l.ID())
	kept, lost := 0, 0
	for _, m := range got {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Image:
				kept++
			case provider.Text:
				lost += strings.Count(p.Text, "was not kept in the session log]")
			}
		}
	}
	if kept != 4 || lost != 3 ||
		!reflect.DeepEqual(got[0].Parts[0],
			provider.Part(provider.Text{Text: "[picture large.png was not kept in the session log]"})) {
		t.Errorf("%d pictures were kept, %d are lines; the first is %+v", kept, lost, got[0].Parts[0])
	}
}

func TestAPictureWithAKeyInItIsNotWritten(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(provider.Image{Picture: pic("k.png", []byte("PNG "+secret+" PNG"))}))
	if strings.Contains(readFile(t, l), `"data"`) || !strings.Contains(readFile(t, l), `"sha256"`) {
		t.Errorf("the log is %s", readFile(t, l))
	}
}
