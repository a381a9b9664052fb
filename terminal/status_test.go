package terminal

import (
	"testing"
	"time"
)

// The answer to a status request is an event in its place among the replies, for who has asked; all
// others end here.
func TestAnswersToAStatusRequestAreEventsInTheirOrder(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?2048;2$y")
		s.f.send("\x1b[0n", "\x1b[48;24;80;480;640t")
		if got := names(s.all(time.Second)); got != "" {
			t.Errorf("nobody has asked: %s", got)
		}
		s.Write([]byte("frame\x1b[5n"))
		s.Write([]byte("frame\x1b[5n\x1b[6n"))
		s.f.resize(90, 20)
		for _, b := range []byte("\x1b[0n\x1b[48;20;90;400;900t\x1b[0n\x1b[5;20R\x1b[0n") {
			s.f.send(string(b))
		}
		if got, want := names(s.all(time.Second)),
			"Resize{90 20} StatusReport{} SizeReport{90 20} StatusReport{} CursorReport{19 4}"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		s.f.send("\x1b[3n", "\x1b[?0n") // no answers to it
		if got := names(s.all(time.Second)); got != "" {
			t.Errorf("others are %s", got)
		}
	})
}

// An answer comes with each frame: a key in the same read is typed all the same.
func TestAKeyBesideAnAnswerIsAlone(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.Write([]byte("frame\x1b[5n"))
		s.f.send("\x1b[0na", "\x1b[0nb") // the second one was not asked for
		var alone []bool
		for _, ev := range s.all(time.Second) {
			if k, ok := ev.(Key); ok {
				alone = append(alone, k.Alone)
			}
		}
		if len(alone) != 2 || !alone[0] || alone[1] {
			t.Errorf("alone: %v", alone)
		}
	})
}
