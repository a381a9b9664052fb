package shell

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// picker returns a question of an extension.
func picker(place string) extension.Dialog {
	return extension.Dialog{Extension: "branches", Question: extension.Question{Kind: "picker", Title: "Switch\x1b to",
		Place: place, Items: []extension.Item{{Value: "m", Text: "main"}, {Value: "t", Text: "topic\x1b[2J"}}}}
}

// asksFor shows a question of an extension, presses keys, and returns the answer.
func (s *session) asksFor(d extension.Dialog, keys ...string) (answer string, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		var value []byte
		value, err = extensionScreen{s.sh}.Show(s.t.Context(), d)
		answer = string(value)
	}()
	synctest.Wait()
	s.Settle()
	for _, k := range keys {
		s.Press(k)
		s.pass(time.Second)
	}
	<-done
	s.Settle()
	return answer, err
}

// A question stands where it says, behind the name of its extension, without controls. The draft is
// there again afterwards.
func TestAQuestionOfAnExtensionTakesThePlaceThatItNames(t *testing.T) {
	for place, hides := range map[string]bool{"prompt": true, "overlay": false} {
		synctest.Test(t, func(t *testing.T) {
			s := begin(t, tuitest.Config{Cols: 60, Rows: 16}, nil)
			s.Type("my draft")
			s.Settle()
			seen := make(chan string, 1)
			go func() {
				<-time.After(500 * time.Millisecond)
				seen <- s.Visible()
			}()
			if answer, err := s.asksFor(picker(place), "down", "enter"); answer != `"t"` || err != nil {
				t.Errorf("%s: the answer is %s, %v", place, answer, err)
			}
			screen := <-seen
			if !strings.Contains(screen, "branches: Switch␛ to") || !strings.Contains(screen, "topic␛[2J") ||
				strings.Contains(screen, "my draft") == hides {
				t.Errorf("%s shows\n%s", place, screen)
			}
			s.holds("› my draft")
			s.lacks("Switch")
			for _, key := range []string{"esc", "ctrl+c"} {
				if answer, err := s.asksFor(picker(place), key); !errors.Is(err, extension.ErrCancelled) {
					t.Errorf("%s, left by %s: %q, %v", place, key, answer, err)
				}
				s.holds("› my draft")
			}
		})
	}
}

func TestAPickerOfAnExtensionHasThePersonsKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 60, Rows: 16}, mapped(t, map[string][]string{
			"list-choose": {"F2"}, "list-close": {"F9"}}))
		if answer, err := s.asksFor(picker("prompt"), "enter", "esc", "down", "f2"); answer != `"t"` || err != nil {
			t.Errorf("F2 chooses %s, %v", answer, err)
		}
		if _, err := s.asksFor(picker("prompt"), "f9"); !errors.Is(err, extension.ErrCancelled) {
			t.Errorf("F9: %v", err)
		}
	})
}
