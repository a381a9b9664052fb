package terminal

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// respondent plays a terminal that answers what it knows.
type respondent struct {
	name       string
	env        []string
	attributes string            // DA1
	knows      map[string]string // replies by question
	steps      []string          // what is written behind the first step, without sentinels
}

// respondents are terminals as they were measured (docs/terminals).
func respondents() []respondent {
	colour := func(n int) string { return fmt.Sprintf("\x1b]%d;rgb:1111/2222/3333\x1b\\", n) }
	return []respondent{
		{"kitty 0.48", nil, "?62;52;c", map[string]string{"\x1b[>0q": "\x1bP>|kitty(0.48.2)\x1b\\",
			"\x1b[>c": "\x1b[>1;4000;48c", "\x1b[?u": "\x1b[?0u", "\x1b[?2026$p": "\x1b[?2026;2$y",
			"\x1b[?2004$p": "\x1b[?2004;2$y", "\x1b[?1004$p": "\x1b[?1004;2$y", "\x1b]11;?": colour(11)},
			[]string{"\x1b[?u\x1b[?2004$p\x1b[?1004$p",
				"\x1b[>5u\x1b[?2004h\x1b[?1004h\x1b]11;?\x1b\\\x1b[16t\x1b[?2026$p",
				"\x1b[?2031$p\x1b[?2048$p",
				"\x1b_Gi=16777247,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", "\x1b]99;i=sk:p=?;\x1b\\"}},
		{"VTE 0.70", nil, "?65;1;9c", map[string]string{"\x1b[>c": "\x1b[>65;7006;1c", "\x1b]11;?": colour(11)},
			[]string{"\x1b[>4;2m\x1b[m\x1b[?2004$p\x1b[?1004$p\x1b]11;?\x1b\\",
				"\x1b[?2004h\x1b[?1004h\x1b[16t\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p",
				"\x1b[?2048$p"}},
		{"urxvt 9.30 may jump when something is written", nil, "?1;2c", map[string]string{"\x1b[>c": "\x1b[>85;95;0c"},
			[]string{"\x1b[>4;2m\x1b[m\x1b[?2004$p\x1b[?1004$p\x1b]11;?\x1b\\",
				"\x1b[?2004h\x1b[?1004h\x1b[16t\x1b[?2026$p\x1b[?2027$p\x1b[?1010$p",
				"\x1b[?2031$p\x1b[?2048$p"}},
		{"zutty 0.14 draws DECRQM", nil, "?64;1;9;15;21;22c", map[string]string{"\x1b[>c": "\x1b[>64;0;0c"},
			[]string{"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m\x1b]11;?\x1b\\"}},
		{"qterminal 1.2 draws DECRQM", nil, "?1;2c", map[string]string{"\x1b[>c": "\x1b[>0;115;0c"},
			[]string{"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m"}},
		{"st 0.9 restores the cursor", []string{"TERM", "st-256color"}, "?6c", nil,
			[]string{"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m\x1b]11;?\x1b\\"}},
		{"vterm has room for 63 bytes", nil, "?1;2c", map[string]string{"\x1b[>c": "\x1b[>0;100;0c"},
			[]string{"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m"}},
		{"tmux 3.3a", []string{"TMUX", "x"}, "?1;2c", map[string]string{"\x1b[>0q": "\x1bP>|tmux 3.3a\x1b\\",
			"\x1b[>c": "\x1b[>84;0;0c"},
			[]string{"\x1b[?u\x1b[?2004$p\x1b[?1004$p\x1b]11;?\x1b\\",
				"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m\x1b[16t\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p",
				"\x1b[?2048$p"}},
		{"kitty 0.26.5 is not asked for notifications", nil, "?62;c", map[string]string{
			"\x1b[>0q": "\x1bP>|kitty(0.26.5)\x1b\\"},
			[]string{"\x1b[?u\x1b[?2004$p\x1b[?1004$p\x1b]11;?\x1b\\",
				"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m\x1b[16t\x1b[?2026$p\x1b[?2031$p\x1b[?2048$p",
				"\x1b_Gi=16777247,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"}},
		{"xterm 379 has no such pictures", nil, "?64;1;2;6;9;15;16;17;18;21;22;28c", map[string]string{
			"\x1b[>0q": "\x1bP>|XTerm(379)\x1b\\", "\x1b[>c": "\x1b[>41;379;0c"},
			[]string{"\x1b[?u\x1b[?2004$p", "\x1b[?2004h\x1b[>4;2m\x1b[m\x1b[?1004$p",
				"\x1b[?1004h\x1b]11;?\x1b\\", "\x1b[16t\x1b[?2026$p",
				"\x1b[?2027$p\x1b[?1010$p", "\x1b[?2031$p\x1b[?2048$p"}},
		{"nobody knows it", nil, "?1;2c", nil, []string{"\x1b[?2004h\x1b[?1004h\x1b[>4;2m\x1b[m"}},
	}
}

// answer returns the replies to what was written, and how many bytes they have.
func (r respondent) answer(written string) string {
	var replies strings.Builder
	for i := range written {
		for question, reply := range r.knows {
			if strings.HasPrefix(written[i:], question) {
				replies.WriteString(reply)
			}
		}
		if strings.HasPrefix(written[i:], sentinel) {
			replies.WriteString("\x1b[" + r.attributes)
		}
	}
	return replies.String()
}

func TestATerminalIsAskedOnlyWhatItIsKnownToAnswer(t *testing.T) {
	for _, r := range respondents() {
		for _, late := range []time.Duration{0, 5 * time.Second} {
			t.Run(fmt.Sprint(r.name, late), func(t *testing.T) {
				bubble(t, env(r.env...), func(t *testing.T, s session) {
					written := s.f.written()
					for i := 0; ; i++ {
						reply := r.answer(written)
						if len(reply) > 63 {
							t.Errorf("step %d asks for %d bytes: %q", i, len(reply), reply)
						}
						<-time.After(late)
						s.f.send(reply)
						if keys := typed(s.all(100 * time.Millisecond)); keys != "" {
							t.Errorf("replies are keys: %q", keys)
						}
						written = s.f.written()
						if got := s.Caps().Answered; got == strings.Contains(written, sentinel) {
							t.Errorf("after step %d it has answered all: %v, and %q is asked", i, got, written)
						}
						if written == "" {
							if i != len(r.steps) {
								t.Errorf("%d steps, want %d", i, len(r.steps))
							}
							return
						}
						got := strings.TrimSuffix(written, sentinel)
						if late == 0 && (i >= len(r.steps) || got != r.steps[i]) {
							t.Errorf("step %d: %q", i+1, got)
						}
						if i > len(r.steps) {
							t.Fatal("it goes on")
						}
					}
				})
			})
		}
	}
}

func TestStepsEndWithTheirSentinels(t *testing.T) {
	var p probes
	p.appendNames(nil, env())
	da1 := func() reply { return p.takeCSI([]byte("?62c")) }
	p.takeCSI([]byte("?2026;2$y")) // before its turn, out of order: some terminals answer strings later
	if r := da1(); r != replyDone || p.inFlight() || p.naming {
		t.Errorf("the first sentinel: %v", r)
	}
	p.replies.version = "kitty(0.26.5)"
	p.plan(Caps{}, env())
	if out := string(p.appendNextStep(nil)); !strings.HasPrefix(out, "\x1b[?u") || p.appendNextStep(nil) != nil {
		t.Errorf("the next step: %q, and another one before its end", out)
	}
	if da1() != replyDone || p.replies.kittyKeys != answeredNo {
		t.Errorf("the keyboard's sentinel came without an answer: %v", p.replies.kittyKeys)
	}
	if da1() != replySwallow {
		t.Error("a late sentinel is not swallowed")
	}
	if p.takeCSI([]byte("?0u")) != replyKnown || p.replies.kittyKeys != answeredYes {
		t.Error("a late answer does not count")
	}
	// The question at the end goes out while a step is under way, whose sentinel is not its own.
	p.appendStep(nil, pendingQuestion{question: askGraphics})
	p.appendStep(nil, pendingQuestion{question: askEnd})
	if r := da1(); r != replyDone || !p.inFlight() || p.replies.graphics != answeredNo {
		t.Errorf("the sentinel of the first of two steps: %v, one is under way: %v", r, p.inFlight())
	}
	if r := da1(); r != replySwallow || p.inFlight() {
		t.Errorf("the sentinel of the second one: %v, one is under way: %v", r, p.inFlight())
	}
}
