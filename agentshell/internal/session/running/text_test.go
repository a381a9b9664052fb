//go:build unix

package running

import (
	"strings"
	"testing"
)

func TestTheListOfRunningSessions(t *testing.T) {
	runs := []Record{{ID: "a", Front: "-p", Started: at(0), State: Works},
		{ID: "b", Front: "terminal", Started: at(1), State: Waits, Asks: "Edit x", Changes: []Change{
			{"/w/x/y.go", at(2)}, {"/elsewhere/z", at(3)}}}, {ID: "c", Front: "editor", Started: at(2), State: Waits}}
	for i := range shownFiles + 2 {
		runs[0].SetChanged("/w/f"+string(rune('a'+i)), at(i))
	}
	got := strings.Join(Lines(runs, []Record{{ID: "d", Front: "plain"}}, "b", "/w"), "\n")
	hour := func(minute int) string { return at(minute).Local().Format("15:04") }
	want := "a  -p, since " + hour(0) + ", works\n   changed: fj " + hour(9) + ", fi " + hour(8) + ", fh " + hour(7) +
		", fg " +
		hour(6) + ", ff " + hour(5) + ", fe " + hour(4) + ", fd " + hour(3) + ", fc " + hour(2) + ", and 2 more\n" +
		"b  terminal, since " + hour(1) + ", waits for an answer: Edit x  (this one)\n" +
		"   changed: /elsewhere/z " + hour(3) + ", x/y.go " + hour(2) + "\n" +
		"c  editor, since " + hour(2) + ", waits for an answer\n" +
		"d  plain, ended without closing; agentshell --resume d resumes it"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := Lines(nil, nil, "", "/w"); len(got) != 1 || got[0] != "No session of this workspace runs now." {
		t.Errorf("%q", got)
	}
}
