package provider_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// split returns what a text comes to that is written in pieces.
func split(begun bool, pieces ...string) (text, thinking string, s *provider.ThoughtSplitter) {
	s = &provider.ThoughtSplitter{StartsThinking: begun}
	take := func(list []provider.ThoughtPiece) {
		for _, p := range list {
			if p.TextWasThinking {
				text, thinking = "", thinking+strings.TrimSpace(text)
			}
			if p.ThinkingWasText {
				thinking = ""
			}
			if p.Thinking {
				thinking += p.Text
			} else {
				text += p.Text
			}
		}
	}
	for _, p := range pieces {
		take(s.Write(p))
	}
	take(s.Flush())
	return text, thinking, s
}

func TestThinkingInATextIsSplitFromItHoweverItIsCut(t *testing.T) {
	for name, c := range map[string]struct {
		text           string
		want, thinking string
		begun          bool
	}{
		"plain":                {text: "hello", want: "hello"},
		"nothing":              {text: ""},
		"blanks":               {text: " \n", want: " \n"},
		"blanks before":        {text: "\n\n hello ", want: "\n\n hello "},
		"a tag":                {text: "<think>\nhm  so\n</think>\n\nok\n", want: "ok\n", thinking: "hm  so"},
		"behind blanks":        {text: "\n <think>hm</think>ok", want: "ok", thinking: "hm"},
		"thinking":             {text: "<thinking>hm</thinking>ok", want: "ok", thinking: "hm"},
		"reasoning":            {text: "<Reasoning>hm</REASONING>ok", want: "ok", thinking: "hm"},
		"brackets":             {text: "[THINK]hm[/THINK]ok", want: "ok", thinking: "hm"},
		"triangles":            {text: "◁think▷é◁/think▷ok", want: "ok", thinking: "é"},
		"empty thinking":       {text: "<think>\n\n</think>\n\nok", want: "ok"},
		"twice":                {text: "<think>a</think>\n<think>b</think>\nok", want: "ok", thinking: "ab"},
		"not shut":             {text: "<think>hm so", thinking: "hm so"},
		"not shut, half a tag": {text: "<think>hm</thi", thinking: "hm</thi"},
		"half a tag":           {text: "<thi", want: "<thi"},
		"another tag":          {text: "<thin>x</thin>", want: "<thin>x</thin>"},
		"the word":             {text: "<p>think</p>", want: "<p>think</p>"},
		"in prose":             {text: "Use <think>x</think> here.", want: "Use <think>x</think> here."},
		"spoken of":            {text: "The tag </think> ends it.", want: "The tag </think> ends it."},
		"spoken of, then again": {text: "The tag (</think>) and\n\"</think>\".",
			want: "The tag (</think>) and\n\"</think>\"."},
		"opened in prose": {text: "So <think>\nx\n</think>\nok", want: "So <think>\nx\n</think>\nok"},
		"in code":         {text: "`<think>` and `x</think>`", want: "`<think>` and `x</think>`"},
		"in a block": {text: "```html\n<think>\nx\n</think>\n```\nok",
			want: "```html\n<think>\nx\n</think>\n```\nok"},
		"in a block without open": {text: "~~~\nx\n</think>\n~~~\nok", want: "~~~\nx\n</think>\n~~~\nok"},
		"behind the answer": {text: "<think>a</think>ok\n<think>b</think>", want: "ok\n<think>b</think>",
			thinking: "a"},
		"shut again": {text: "<think>a</think>ok\n</think>\nx", want: "ok\n</think>\nx",
			thinking: "a"},
		"quoted within": {text: "<think>the tag `</think>` is\nhm</think>ok", want: "ok",
			thinking: "the tag `</think>` is\nhm"},
		"quoted pair within": {text: "<think>`<think>x</think>` is\nhm</think>ok", want: "ok",
			thinking: "`<think>x</think>` is\nhm"},
		"a lone mark within": {text: "<think>a ` is\nb ` c</think>\nok", want: "ok", thinking: "a ` is\nb ` c"},
		"in a block within": {text: "<think>```\n</think>\n```\nhm</think>ok", want: "ok",
			thinking: "```\n</think>\n```\nhm"},
		"another tag is shut": {text: "<think>hm</thinking> so</think>ok", want: "ok",
			thinking: "hm</thinking> so"},
		"a block that never ends": {text: "<think>```\nhm\n</think>\nok", want: "ok",
			thinking: "```\nhm\n</think>\nok"},

		"never opened":                    {text: "hm so.\n</think>\n\nok", want: "ok", thinking: "hm so."},
		"never opened, in one line":       {text: "hm so.</think>ok", want: "ok", thinking: "hm so."},
		"never opened, behind a blank":    {text: "hm so </think>Ärger 42", want: "Ärger 42", thinking: "hm so"},
		"never opened, behind a sentence": {text: "hm so. </think> ok", want: "ok", thinking: "hm so."},
		"never opened, a block before it": {text: "hm\n```go\nx\n```\nso </thinking>Answer 42",
			want: "Answer 42", thinking: "hm\n```go\nx\n```\nso"},
		"spoken of at the end":       {text: "It ends with </think>", want: "It ends with </think>"},
		"spoken of and quoted":       {text: "Write \"</think>now\".", want: "Write \"</think>now\"."},
		"never opened, nothing said": {text: "hm so.\n</think>", thinking: "hm so."},
		"shut at the start":          {text: "\n</think>\n\nok", want: "ok"},
		"never opened, with code": {text: "a `x` b\n```\nc\n```\n</think>\nok", want: "ok",
			thinking: "a `x` b\n```\nc\n```"},

		"known to begin": {text: "hm so.\n</think>\n\nok", want: "ok",
			thinking: "hm so.", begun: true},
		"known to begin, with a tag":  {text: "<think>hm</think>ok", want: "ok", thinking: "hm", begun: true},
		"known to begin, and did not": {text: "ok it is.\n", want: "ok it is.\n", begun: true},
		"known to begin, and empty":   {text: "</think>ok", want: "ok", begun: true},
	} {
		check := func(how string, pieces ...string) {
			if text, thinking, _ := split(c.begun, pieces...); text != c.want || thinking != c.thinking {
				t.Errorf("%s, %s: text %q, thinking %q; want %q, %q", name, how, text, thinking, c.want, c.thinking)
			}
		}
		check("whole", c.text)
		check("by bytes", strings.Split(c.text, "")...)
		for i := range c.text {
			for j := i; j < len(c.text); j++ {
				check("cut", c.text[:i], c.text[i:j], c.text[j:])
			}
		}
	}
}

func FuzzThinkingIsSplitTheSameHoweverItIsCut(f *testing.F) {
	f.Add("<think>a `b` </think>\n\nc</think>", 3, true)
	f.Add("a\n```\n</think>\n```\n</think>\n<think>", 9, false)
	f.Fuzz(func(t *testing.T, text string, cut int, begun bool) {
		cut = max(0, min(cut, len(text)))
		want, thinking, _ := split(begun, text)
		if got, thought, _ := split(begun, text[:cut], text[cut:]); got != want || thought != thinking {
			t.Errorf("%q cut at %d: %q, %q; whole %q, %q", text, cut, got, thought, want, thinking)
		}
	})
}

func TestATagThatIsNeverOpenedIsLearned(t *testing.T) {
	if _, _, s := split(false, "hm\n</think>\nok"); !s.ClosedUnopened || s.NeverClosed {
		t.Error("it was not opened")
	}
	if _, _, s := split(false, "<think>hm\n</think>\nok"); s.ClosedUnopened {
		t.Error("it was opened")
	}
	if _, _, s := split(true, "ok"); !s.NeverClosed {
		t.Error("there was no thinking")
	}
	if _, _, s := split(true, "hm\n</think>\nok"); s.NeverClosed {
		t.Error("there was thinking")
	}
}
