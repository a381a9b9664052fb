package shell

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestVimsModesInThePrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, func(cfg *Config) { cfg.Appearance.Vim = true },
			`{"say":"Sent.","delay_ms":60000}`)
		s.send2("one two", "esc")
		s.holds("normal · ask")
		s.Type("bcw2")
		s.Settle()
		s.lacks("normal")
		if got := s.prompt(); got != "one 2" {
			t.Fatalf("the prompt is %q", got)
		}
		s.Press("esc")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("Esc stops")
		s.send2("x", "esc") // ends insert mode
		s.holds("Esc stops", "normal")
		s.Type("d")
		s.Press("esc") // ends the command
		s.Settle()
		s.holds("Esc stops")
		s.Press("esc")
		s.pass(time.Second)
		s.lacks("Esc stops")
	})
}

func TestTheSearchKeyOfThePersonsWorksInNormalMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, func(cfg *Config) {
			mapped(t, map[string][]string{"history-search": {"F7"}})(cfg)
			cfg.Appearance.Vim = true
		})
		s.send2("/mode", "enter")
		s.send2("x", "esc")
		s.send2("", "f7")
		s.holds("search: ")
	})
}

func TestVimsEscapeClosesAnOfferFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, func(cfg *Config) { cfg.Appearance.Vim = true })
		s.send2("/mo", "esc")
		s.lacks("/model [NAME]", "normal")
		s.Press("esc")
		s.Settle()
		s.holds("normal")
		s.Type("0")
		s.Settle()
		s.lacks("/model [NAME]")
		s.send2("cc/keys vim", "enter")
		s.pass(time.Second)
		s.holds("no longer has modes")
		s.send2("dd", "esc")
		if got := s.prompt(); got != "dd" {
			t.Errorf("the prompt is %q", got)
		}
	})
}

func TestHowVimsModesLook(t *testing.T) {
	for _, size := range []struct {
		name       string
		cols, rows int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}} {
		t.Run(size.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: size.cols, Rows: size.rows}, func(*Config) {})
				s.send2("/keys vim", "enter")
				s.pass(time.Second)
				s.send2("a second thought 一二", "esc")
				s.Type("0dw")
				s.Settle()
				s.Golden()
			})
		})
	}
}
