package shell

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

func TestThePictureOfTheClipboardIsAChip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		calls := 0
		s := beginConfigured(t, small, func(cfg *Config) {
			cfg.Prompt.ReadClipboard = func(context.Context) (string, string, error) {
				calls++
				<-time.After(time.Second)
				return "@/state/1.png", "picture: png, 5 by 3 pixels", nil
			}
			cfg.Files.Pictures = func(_ context.Context, text string) ([]picture.Picture, []string) {
				asked = append(asked, text)
				return nil, nil
			}
		}, `{"say":"Seen."}`)
		s.Type("look:")
		s.Press("ctrl+v")
		s.Press("ctrl+v") // while the first one is read
		s.Type("now ")    // and the prompt goes on
		s.pass(2 * time.Second)
		s.holds("[picture: png, 5 by 3 pixels]")
		if calls != 1 {
			t.Errorf("the clipboard was read %d times", calls)
		}
		s.Press("enter")
		s.pass(time.Second)
		if len(asked) != 1 || asked[0] != "look:now @/state/1.png" {
			t.Errorf("the message was %q", asked)
		}
	})
}

func TestTextOfTheClipboardIsPastedAndItsLackIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fails error
		s := beginConfigured(t, small, func(cfg *Config) {
			cfg.Prompt.ReadClipboard = func(context.Context) (string, string, error) { return "one\ntwo", "", fails }
		})
		s.Press("ctrl+v")
		s.pass(time.Second)
		if got := s.prompt(); got != "one\ntwo" {
			t.Errorf("the prompt is %q", got)
		}
		fails = errors.New("the clipboard holds no picture and no text")
		s.Press("ctrl+v")
		s.pass(time.Second)
		s.holds("Nothing was pasted: the clipboard holds no picture and no text.")
		if got := s.prompt(); got != "one\ntwo" {
			t.Errorf("then the prompt is %q", got)
		}
	})
}
