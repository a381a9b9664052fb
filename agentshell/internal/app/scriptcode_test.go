package app_test

import (
	"strings"
	"testing"
	"time"
)

// A script that was written for another conversation has failed, wherever it is played.
func TestAnExpectationThatFailsOnAScreenIsExitCodeThree(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.script(`{"expect":"xyzzy","say":"no","delay_ms":0}`)
	const ripe = 300 * time.Millisecond
	for _, c := range []struct {
		flag, end string
		told      int // how often: on the screen, and behind it
	}{{"--mode=ask", "/quit\r", 2}, {"--plain", "/quit\n", 1}} {
		shown, code := p.onTerminal([]string{c.flag, "--script", script}, dialogue{
			{"workspace", "hello" + c.end[len(c.end)-1:], ripe}, {"script line 1: expected", c.end, ripe}}.step())
		if code != 3 || strings.Count(shown, `script line 1: expected "xyzzy"`) != c.told {
			t.Errorf("%s: code %d, shown %q", c.flag, code, shown)
		}
	}
}
