package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// Keys that come before the next frame are about what the last one showed: none of them approves
// what nobody has seen.
func TestAKeyDoesNotApproveWhatOnlyTheNextFrameWouldShow(t *testing.T) {
	for _, c := range []struct{ first, then string }{
		{"", "a1y"}, {"a", "\x1by"}, {"a", "ay"}, {"", "ry\r"}, {"", "?y"}, {"", "/y\r"},
	} {
		d := open(t, edit(2), 80, 24)
		d.pane.ruleOffers = []string{"edit_file(internal/parse/lex.go)", "write_file(internal/parse/lex.go)"}
		d.pane.storeRule = func(rule string, _ approval.Term) error {
			t.Errorf("%q, %q: %s was stored", c.first, c.then, rule)
			return nil
		}
		d.ready().press(c.first).ready()
		if !d.pane.armed {
			t.Fatalf("%q: nothing is armed", c.first)
		}
		for _, r := range c.then {
			k := tui.Key{Code: r, Alone: true}
			switch r {
			case '\x1b':
				k.Code = terminal.KeyEscape
			case '\r':
				k.Code = terminal.KeyEnter
			}
			d.pane.HandleEvent(k, d.space) // and no frame
		}
		for _, a := range d.answers {
			switch a.(type) {
			case approval.Yes, approval.Revise, approval.InPlace:
				t.Errorf("%q, %q: %T %+v", c.first, c.then, a, a)
			}
		}
	}
}

// fakeDraft is a prompt editor that holds a text and does nothing with it.
type fakeDraft struct{ text string }

func (d *fakeDraft) Empty() bool { return d.text == "" }
func (d *fakeDraft) View(tui.Space) tui.View {
	return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: "> " + d.text}}}},
		Cursor: &tui.Pos{Col: 2 + len(d.text)}}
}

var start = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// desk is one pane with a clock and a prompt editor, as the shell would drive it.
type desk struct {
	t       *testing.T
	pane    *pane
	draft   *fakeDraft
	answers []approval.Answer
	space   tui.Space
	scene   string // of the last frame
}

// paint makes a frame, which the terminal takes at once, and another one when that changes what has
// been in sight ([tui.Space].Shown).
func (d *desk) paint() tui.View {
	v := d.pane.View(d.space)
	if v.Scene == d.scene {
		return v
	}
	d.scene, d.space.Shown = v.Scene, time.Time{}
	if v.Scene != "" {
		d.space.Shown = d.space.Now
	}
	return d.pane.View(d.space)
}

func open(t *testing.T, p *approval.Proposal, cols, rows int) *desk {
	d := &desk{t: t, draft: &fakeDraft{}, space: tui.Space{Width: cols, Height: rows, Now: start, Focused: true}}
	d.pane = newPane(p, d.draft, func(a approval.Answer) { d.answers = append(d.answers, a) })
	return d
}

// said reports whether the one answer was a yes, or a no.
func (d *desk) said(yes bool) bool {
	var want approval.Answer = approval.No{ID: d.pane.proposal.ID}
	if yes {
		want = approval.Yes{ID: d.pane.proposal.ID}
	}
	return len(d.answers) == 1 && d.answers[0] == want
}

// after moves the clock and paints, as often as the pane asked for it on the way.
func (d *desk) after(wait time.Duration) *desk {
	end := d.space.Now.Add(wait)
	for {
		v := d.paint()
		next := d.space.Now.Add(v.RefreshAfter)
		if v.RefreshAfter == 0 || next.After(end) {
			break
		}
		d.space.Now = next
	}
	d.space.Now = end
	d.paint()
	return d
}

// ready returns a pane that is armed.
func (d *desk) ready() *desk { return d.after(2 * time.Second) }

// press gives keys to the pane, and to the editor what the pane leaves.
func (d *desk) press(keys ...any) *desk {
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			for _, r := range k {
				d.press(tui.Key{Code: r, Alone: true})
			}
		case rune:
			d.press(tui.Key{Code: k, Alone: true})
		case tui.Key:
			if !d.pane.HandleEvent(k, d.space) {
				d.draft.text += k.Text()
			}
		case tui.Event:
			if p, ok := k.(tui.Paste); !d.pane.HandleEvent(k, d.space) && ok {
				d.draft.text += p.Text
			}
		default:
			d.t.Fatalf("what is %T", k)
		}
	}
	d.paint()
	return d
}

func (d *desk) rows() []string { return plainRows(d.paint().Lines) }

func plainRows(lines []tui.Line) []string {
	var out []string
	for _, l := range lines {
		var b strings.Builder
		for _, s := range l.Spans {
			b.WriteString(s.Text)
		}
		out = append(out, b.String())
	}
	return out
}

func ctrl(r rune) tui.Key { return tui.Key{Code: r, Mods: terminal.Ctrl, Alone: true} }

// edit returns a proposal with a diff of n body rows in one hunk (n counts its header).
func edit(n int) *approval.Proposal {
	h := diff.Hunk{OldStart: 118, OldLines: n - 1, NewStart: 118, NewLines: n - 1}
	for i := range n - 1 {
		l := diff.Line{Op: diff.Equal, Old: 118 + i, New: 118 + i, Text: fmt.Sprintf("line %d", i), End: "\n"}
		switch i % 3 {
		case 1:
			l.Op, l.New = diff.Delete, 0
		case 2:
			l.Op, l.Old = diff.Insert, 0
		}
		h.Lines = append(h.Lines, l)
	}
	return &approval.Proposal{
		ID: "p1", Call: "t1", Tool: "edit_file", Path: "workspace/internal/parse/lex.go",
		Payload: approval.Edit{Base: approval.Base{Kind: "edit", Path: "workspace/internal/parse/lex.go"},
			MatchLine: 119, MatchCount: 1},
		Before: []byte("a\n"), After: []byte("b\n"),
		Diff: diff.Diff{Hunks: []diff.Hunk{h}, Stats: diff.Stats{Added: 14, Removed: 9, Hunks: 3}},
	}
}

// The window gives half of its rows, at least twelve; the pane takes of them what its body needs,
// title and decision and a blank row counted (PANE-1, PAY-53).
func TestThePaneTakesTheHeightThatItsBodyAsksFor(t *testing.T) {
	for _, c := range []struct{ rows, body, want int }{
		{60, 5, 8}, {60, 27, 30}, {60, 28, 30}, {60, 100, 30}, {60, 101, 30}, {60, 5000, 30},
		{24, 5, 8}, {24, 9, 12}, {24, 29, 12}, {24, 30, 12}, {24, 101, 12},
		{15, 5, 8}, {15, 30, 12}, {12, 30, 12}, {11, 30, 11}, {6, 29, 6}, {6, 2, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			content := strings.Repeat(`x\n`, c.body)
			s := begin(t, tuitest.Config{Cols: 80, Rows: c.rows}, nil,
				`{"say":"Now.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"a","content":"`+
					content+`"}}]}`)
			s.line("go")
			s.pass(time.Minute)
			rows := strings.Split(strings.TrimRight(s.Visible(), "\n"), "\n")
			title := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(r, "write a") })
			if title > 0 && rows[title-1] == "" && c.rows >= 10 {
				title-- // its blank row
			}
			if got := len(rows) - title; got != c.want {
				t.Errorf("a body of %d rows in %d rows: a pane of %d, want %d\n%s", c.body, c.rows, got, c.want,
					s.Visible())
			}
		})
	}
}

func TestTheDecisionRowIsTheLastRowAtEverySize(t *testing.T) {
	flagged := edit(200)
	flagged.Flags = []approval.Flag{{Name: approval.FlagRunsCode, Text: "this file is executed by git on every commit"},
		{Name: approval.FlagHidden, Text: "3 characters"}}
	for _, size := range [][2]int{{20, 6}, {50, 15}, {80, 24}, {120, 40}} {
		for name, p := range map[string]*approval.Proposal{"plain": edit(200), "flagged": flagged} {
			d := open(t, p, size[0], size[1]).ready()
			rows := d.rows()
			if len(rows) != size[1] {
				t.Errorf("%s at %v: %d rows", name, size, len(rows))
			}
			if last := rows[len(rows)-1]; !strings.Contains(last, "[n]o") || !strings.Contains(last, "[?]") {
				t.Errorf("%s at %v: the last row is %q", name, size, last)
			}
			for _, r := range rows {
				if d.space.Columns(r) > size[0] {
					t.Errorf("%s at %v: too wide: %q", name, size, r)
				}
			}
			if !slices.ContainsFunc(rows, func(r string) bool {
				return strings.Contains(r, "line ") || strings.HasPrefix(r, "@@")
			}) {
				t.Errorf("%s at %v shows nothing of the body:\n%s", name, size, strings.Join(rows, "\n"))
			}
		}
	}
}

func TestThePaneInTwentyColumns(t *testing.T) {
	got := strings.Join(open(t, edit(61), 20, 6).ready().rows(), "\n")
	want := `lex.go +14 -9  7%
@@ -118,60 +118,60 >
  line 0
- line 1
+ line 2
[y]es [n]o [?]`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a sequence of waits and keys does, and what stands on the decision row after it.
func TestArming(t *testing.T) {
	const none, yes, no, stop = "", "yes", "no", "stop"
	together := func(r rune) tui.Key { return tui.Key{Code: r} }
	for _, c := range []struct {
		name  string
		do    func(d *desk)
		want  string
		draft string
	}{
		{"y after a second approves", func(d *desk) { d.after(time.Second).press('y') }, yes, ""},
		{"y just before a second does nothing", func(d *desk) { d.after(999 * time.Millisecond).press('y') }, none, ""},
		{"y before the pane has the focus is text", func(d *desk) { d.after(400 * time.Millisecond).press('y') },
			none, "y"},
		{"n works as soon as the pane has the focus", func(d *desk) {
			d.after(425 * time.Millisecond).press('n')
		}, no, ""},
		{"n before that is text", func(d *desk) { d.after(424 * time.Millisecond).press('n') }, none, "n"},
		{"before the terminal has taken a frame no time runs", func(d *desk) {
			d.pane.paintedAt = time.Time{} // as if it had just been opened
			d.space.Focused = false
			d.after(time.Minute)
			d.space.Focused = true
			d.after(400 * time.Millisecond).press('y')
		}, none, "y"},
		{"typing ahead goes to the prompt, however long it takes", func(d *desk) {
			for range 20 {
				d.after(400 * time.Millisecond).press("yn")
			}
		}, none, strings.Repeat("yn", 20)},
		{"a key that leaves the prompt empty starts the time anew", func(d *desk) {
			d.after(400 * time.Millisecond).press(terminal.KeyUp).after(400 * time.Millisecond).press('n')
		}, none, "n"},
		{"in the reason field a line end that came with text does not deny", func(d *desk) {
			d.ready().press("rno", together('t'), together(terminal.KeyEnter))
		}, none, ""},
		{"Escape closes the reason field", func(d *desk) { d.ready().press("rno", terminal.KeyEscape) }, none, ""},
		{"an answer is given once", func(d *desk) {
			d.ready()
			d.pane.giveAnswer(approval.No{ID: d.pane.proposal.ID})
			d.pane.giveAnswer(approval.Yes{ID: d.pane.proposal.ID})
		}, no, ""},
		{"with a draft only Tab moves the focus", func(d *desk) { d.press("x").after(5 * time.Second).press('y') },
			none, "xy"},
		{"Tab, then y at once: the keys have not been there for a second", func(d *desk) {
			d.press("x").after(time.Minute).press(terminal.KeyTab).after(999 * time.Millisecond).press('y')
		}, none, "x"},
		{"Tab, then y", func(d *desk) {
			d.press("x").after(time.Second).press(terminal.KeyTab).after(time.Second).press('y')
		}, yes, "x"},
		{"Tab, then n at once", func(d *desk) { d.press("x").after(time.Second).press(terminal.KeyTab, 'n') }, no, "x"},
		{"Tab at once: y waits for its second", func(d *desk) { d.press("x", terminal.KeyTab, 'y') }, none, "x"},
		{"Tab with an empty prompt is no answer", func(d *desk) { d.press(terminal.KeyTab).after(0).press('y') },
			none, "y"},
		{"a key that came with others does not count", func(d *desk) {
			d.ready().press(together('y'), together('n'))
		}, none, ""},
		{"nor does Escape that came with others", func(d *desk) {
			d.ready().press(together(terminal.KeyEscape))
		}, none, ""},
		{"a paste never answers", func(d *desk) { d.ready().press(tui.Paste{Text: "y"}) }, none, "y"},
		{"mouse and focus never answer", func(d *desk) {
			d.ready().press(tui.Mouse{Press: true}, tui.Focus{In: true})
		}, none, ""},
		{"Enter and Space never answer", func(d *desk) {
			d.ready().press(terminal.KeyEnter, terminal.KeySpace)
		}, none, ""},
		{"unknown keys do nothing", func(d *desk) { d.ready().press("YaesQ1") }, none, ""},
		{"a second answer is dropped", func(d *desk) { d.ready().press("nyyn") }, no, "yyn"},
		{"Escape denies and stops", func(d *desk) { d.ready().press(terminal.KeyEscape) }, stop, ""},
		{"so does Ctrl+C, also before the pane is armed", func(d *desk) { d.press(ctrl('c')) }, stop, ""},
		{"and Escape too", func(d *desk) { d.press(terminal.KeyEscape) }, stop, ""},
		{"Escape closes the search before it denies", func(d *desk) {
			d.ready().press("/x", terminal.KeyEscape, "/line", terminal.KeyEnter, terminal.KeyEscape)
		}, none, ""},
		{"in the search field y is text", func(d *desk) { d.ready().press("/yny") }, none, ""},
		{"after a stale mark nothing approves", func(d *desk) { d.ready(); d.pane.markStale(); d.press('y') },
			"stale", "y"},
		{"a key that was held until now", func(d *desk) {
			d.ready().press("Q").after(999 * time.Millisecond).press('y').after(999 * time.Millisecond).press('y')
		}, none, ""},
		{"a second after another key", func(d *desk) { d.ready().press("Q").after(time.Second).press('y') }, yes, ""},
		{"at once behind keys that move the body", func(d *desk) { d.ready().press("jjkG y") }, yes, ""},
		{"a repeat", func(d *desk) { d.ready().press(tui.Key{Code: 'y', Alone: true, Repeat: true}) }, none, ""},
		{"a press before the frame of another key", func(d *desk) {
			d.ready()
			d.pane.HandleEvent(tui.Key{Code: 'v', Alone: true}, d.space) // and no frame
			d.pane.HandleEvent(tui.Key{Code: 'y', Alone: true}, d.space)
		}, none, ""},
		{"a second after a paste", func(d *desk) {
			d.ready().press(tui.Paste{Text: "x"}).after(999 * time.Millisecond).press('y')
		}, none, "x"},
		{"help closes before y approves", func(d *desk) { d.ready().press("?y") }, none, ""},
		{"and then the change takes its second in sight anew", func(d *desk) {
			d.ready().press("?y").after(999 * time.Millisecond).press('y')
		}, none, ""},
		{"and then it does", func(d *desk) { d.ready().press("?y").after(time.Second).press('y') }, yes, ""},
		{"a search hides the keys", func(d *desk) {
			d.ready().press("/x", terminal.KeyEnter).after(999 * time.Millisecond).press('y')
		}, none, ""},
		{"so does a reason", func(d *desk) {
			d.ready().press("r", terminal.KeyEscape).after(999 * time.Millisecond).press('y')
		}, none, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, edit(20), 80, 24)
			d.after(0)
			c.do(d)
			got := ""
			for _, a := range d.answers {
				switch a {
				case approval.Stale{ID: "p1"}:
					got += "stale"
				case approval.Yes{ID: "p1"}:
					got += "yes"
				case approval.Stop{ID: "p1"}:
					got += "stop"
				case approval.No{ID: "p1"}:
					got += "no"
				default:
					t.Errorf("answered %T%+v", a, a)
				}
			}
			if got != c.want || d.draft.text != c.draft {
				t.Errorf("answered %q with draft %q, want %q and %q\n%s", got, d.draft.text, c.want, c.draft,
					strings.Join(d.rows(), "\n"))
			}
		})
	}
}

// What is opened over something goes back to it.
func TestWhatIsOpenedOverAModeGoesBackToIt(t *testing.T) {
	d := open(t, edit(20), 80, 24)
	d.pane.ruleOffers = []string{"write_file(notes.md)"}
	d.ready()
	for _, c := range []struct {
		keys any
		want string // in the title or the decision row
	}{
		{"?", "[?] back"},
		{"rno", "reason: "},
		{terminal.KeyEscape, "[?] back"},
		{"?", "es  ["},
		{"a", "1 chooses the rule"},
		{"1", "store rule 1"},
		{"?", "[?] back"},
		{terminal.KeyEscape, "store rule 1"},
		{terminal.KeyEscape, "es  ["},
		{"rno", "reason: "},
		{terminal.KeyEscape, "es  ["},
	} {
		if d.press(c.keys); !strings.Contains(strings.Join(d.rows(), "\n"), c.want) {
			t.Fatalf("after %v there is no %q:\n%s", c.keys, c.want, strings.Join(d.rows(), "\n"))
		}
	}
	if len(d.answers) > 0 {
		t.Errorf("answered %v", d.answers)
	}
}

// Where Escape does not arrive no row names it, and the key that it names leads back.
func TestNoRowOfThePaneNamesAKeyThatDoesNotArrive(t *testing.T) {
	d := open(t, edit(20), 80, 24)
	d.pane.keys = d.pane.keys.WithoutEscape()
	d.pane.ruleOffers = []string{"write_file(notes.md)"}
	d.draft.text = "a draft"
	rows := func() string { return strings.Join(d.rows(), "\n") }
	if d.paint(); !strings.Contains(rows(), "Ctrl+C twice: deny and stop") {
		t.Errorf("beside a draft there is no key that stops:\n%s", rows())
	}
	d.draft.text = ""
	d.ready()
	for _, keys := range []string{"a", "1", "a", "s"} {
		if d.press(keys); strings.Contains(rows(), "Esc") {
			t.Errorf("after %s Escape is named:\n%s", keys, rows())
		}
		if keys == "1" && !strings.Contains(rows(), "a back") {
			t.Errorf("no key leads back:\n%s", rows())
		}
	}
}

// How long a rule holds is chosen with w and said beside it; what cannot be kept has no choice.
func TestTheTermOfARuleIsChosenBeforeItIsStored(t *testing.T) {
	const store = "[y]es: store rule 1 and approve"
	for _, c := range []struct {
		keys, want, stored string
		width              int
	}{
		{"a1", store + "  [w] for this session  [n]o  Esc back", "make for this session", 80},
		{"a1w", store + "  [w] for this workspace  [n]o  Esc back", "make for this workspace", 80},
		{"a1ww", store + "  [w] for all workspaces  [n]o  Esc back", "make for all workspaces", 72},
		{"a1www", "[y]es: 1  [w] for this session  [n]o  Esc back", "make for this session", 71},
		{"a1ww", "[y]es: 1  [w] for all workspaces  [n]o  Esc back", "make for all workspaces", 50},
		{"a1w", "[y]es: 1 [w] workspace [n]o Esc", "make for this workspace", 49},
		{"a1", "[y]es: 1 [n]o Esc", "make for this session", 20},
		{"a1w", "[y]es: 1 here [n]o", "make for this workspace", 20},
		{"a1ww", "[y]es: 1 all [n]o", "make for all workspaces", 20},
		{"a1w2", "[y]es: store rule 2 and approve  [n]o  Esc back", "push for this session", 80},
		{"a2w", "[y]es: store rule 2 and approve  [n]o  Esc back", "push for this session", 80},
		{"aw1", store + "  [w] for this workspace  [n]o  Esc back", "make for this workspace", 80},
		{"aw2", "[y]es: store rule 2 and approve  [n]o  Esc back", "push for this session", 80},
	} {
		d := open(t, edit(2), c.width, 24)
		stored := ""
		d.pane.ruleOffers = []string{"make", "push"}
		d.pane.checkKeepable = func(offer string) error {
			if offer == "push" {
				return errors.New("it publishes")
			}
			return nil
		}
		d.pane.storeRule = func(rule string, term approval.Term) error {
			stored = rule + " " + term.String()
			return nil
		}
		d.ready().press(c.keys).ready()
		if rows := d.rows(); strings.TrimRight(rows[len(rows)-1], " ") != c.want {
			t.Errorf("%d columns, %s: %q, want %q", c.width, c.keys, rows[len(rows)-1], c.want)
		}
		if d.press('y'); stored != c.stored || !d.said(true) {
			t.Errorf("%s: stored %q, answers %v", c.keys, stored, d.answers)
		}
	}
}

func TestAFlaggedProposalTakesACapitalY(t *testing.T) {
	p := edit(20)
	p.Flags = []approval.Flag{{Name: approval.FlagRunsCode, Text: "this file is executed by git on every commit"}}
	d := open(t, p, 80, 24).ready()
	if got := strings.Join(d.rows(), "\n"); !strings.Contains(got,
		"runs code: this file is executed by git on every commit") || !strings.Contains(got, "press Y to approve") {
		t.Errorf("the flag is not shown:\n%s", got)
	}
	d.press("yy")
	if len(d.answers) != 0 {
		t.Fatal("y approved a flagged proposal")
	}
	if rows := d.rows(); !strings.HasPrefix(rows[len(rows)-1], "wait, then press Y") {
		t.Errorf("just behind another key the row is %q", rows[len(rows)-1])
	}
	if d.press('Y'); len(d.answers) != 0 {
		t.Fatal("Y approved just behind another key")
	}
	if d.after(time.Second).press('Y'); !d.said(true) {
		t.Errorf("answers after Y: %v", d.answers)
	}
}

func TestTheDecisionRowSaysWhatWorksNow(t *testing.T) {
	style := func(d *desk, text string) tui.Style {
		lines := d.pane.View(d.space).Lines
		for _, s := range lines[len(lines)-1].Spans {
			if s.Text == text {
				return s.Style
			}
		}
		t.Fatalf("no %s in %q", text, plainRows(lines))
		return tui.Style{}
	}
	d := open(t, edit(20), 80, 24).after(0)
	look := d.space.Look()
	if style(d, "(y)es") != look.Dim || style(d, "(n)o") != look.Dim { // parentheses: dim is not shown everywhere
		t.Error("the row is not dim before the pane is armed")
	}
	d.after(500 * time.Millisecond)
	if style(d, "(y)es") != look.Dim || style(d, "[n]o") != look.Strong {
		t.Error("after half a second n should work and y not")
	}
	d.after(500 * time.Millisecond)
	if style(d, "[y]es") != look.Strong {
		t.Error("after a second y should work")
	}
	d = open(t, edit(20), 80, 24)
	d.draft.text = "keep this"
	d.after(time.Minute)
	rows := d.rows()
	if got := strings.Join(rows[len(rows)-2:], "\n"); !strings.HasPrefix(got, "Tab: answer") ||
		!strings.HasSuffix(got, "> keep this") {
		t.Errorf("with a draft the last rows are\n%s", got)
	}
}

func TestAPaneAsksForFramesOnlyUntilItIsArmed(t *testing.T) {
	d := open(t, edit(20), 80, 24)
	var waits []time.Duration
	for range 10 {
		v := d.paint()
		waits = append(waits, v.RefreshAfter)
		if v.RefreshAfter == 0 {
			break
		}
		d.space.Now = d.space.Now.Add(v.RefreshAfter)
	}
	if want := []time.Duration{425 * time.Millisecond, 575 * time.Millisecond, 0}; !slices.Equal(waits, want) {
		t.Errorf("frames after %v, want %v", waits, want)
	}
}

func TestFullTakesTheWindowAndGivesItBack(t *testing.T) {
	d := open(t, edit(200), 80, 12).ready()
	var calls []bool
	d.pane.setFullScreen = func(full bool) { calls = append(calls, full) }
	small := len(d.rows())
	d.press('f')
	d.space.Height = 24
	if got := len(d.rows()); got != 24 {
		t.Errorf("full is %d rows", got)
	}
	d.space.Height = 12
	if d.press(terminal.KeyEscape); len(d.rows()) != small || len(d.answers) != 0 {
		t.Errorf("after Escape %d rows, answers %v", len(d.rows()), d.answers)
	}
	if d.press("ff"); !slices.Equal(calls, []bool{true, false, true, false}) {
		t.Errorf("the screen was switched %v", calls)
	}
}

func TestTheSizeOfTheBodyDoesNotPushTheHelpAway(t *testing.T) {
	d := open(t, edit(5), 80, 24).ready().press('?')
	if got := strings.Join(d.rows(), "\n"); !strings.Contains(got, "deny with a reason") ||
		!strings.Contains(got, "next and previous hunk") {
		t.Errorf("help is\n%s", got)
	}
}

func TestPathsFlagsAndTextsCannotSendControls(t *testing.T) {
	p := edit(20)
	p.Path = "workspace/a\x1b]0;owned\a\u202egpj.exe"
	p.Notes = []string{"note\x1b[2J"}
	p.Flags = []approval.Flag{{Name: "name\x1b", Text: "\u200bzero"}}
	p.Diff.Hunks[0].Lines[0].Text = "x\x1b[31m\u202ey"
	for _, size := range [][2]int{{20, 6}, {80, 24}} {
		d := open(t, p, size[0], size[1]).ready()
		all := strings.Join(d.rows(), "\n")
		for _, bad := range []string{"\x1b", "\a", "\u202e", "\u200b"} {
			if strings.Contains(all, bad) {
				t.Errorf("at %v %q reaches the screen", size, bad)
			}
		}
		if size[0] == 80 && !strings.Contains(all, "5 hidden characters, drawn as tokens") {
			t.Errorf("hidden characters are not counted:\n%s", all)
		}
	}
}

func TestARuleIsStoredByADigitAndY(t *testing.T) {
	ready := func() (*desk, *[]string) {
		var stored []string
		d := open(t, edit(20), 80, 24)
		d.pane.ruleOffers = []string{"edit_file(internal/parse/lex.go)", "write_file(internal/parse/lex.go)"}
		d.pane.storeRule = func(s string, _ approval.Term) error { stored = append(stored, s); return nil }
		return d.ready(), &stored
	}
	d, stored := ready()
	d.press('a')
	if got := strings.Join(d.rows(), "\n"); !strings.Contains(got, "edit internal/parse/lex.go:119  rules") ||
		!strings.Contains(got, "1  edit_file(internal/parse/lex.go)\n2  write_file(internal/parse/lex.go)") {
		t.Errorf("the list is\n%s", got)
	}
	if d.press("y3y"); len(d.answers) != 0 || len(*stored) != 0 {
		t.Error("y without a choice did something")
	}
	if d.press("2y"); len(d.answers) != 0 || len(*stored) != 0 {
		t.Error("y granted a rule of a list that has not been there for a second")
	}
	if d.after(time.Second).press("y"); !d.said(true) ||
		!slices.Equal(*stored, []string{"write_file(internal/parse/lex.go)"}) {
		t.Errorf("answers %v, stored %v", d.answers, *stored)
	}
	d, stored = ready()
	if d.press("a1", terminal.KeyEscape); len(d.answers) != 0 || len(*stored) != 0 ||
		!strings.Contains(strings.Join(d.rows(), "\n"), "line 1") {
		t.Errorf("Escape does not go back: %v %v", d.answers, *stored)
	}
	if d.press("an"); !d.said(false) || len(*stored) != 0 {
		t.Errorf("n in the list: %v %v", d.answers, *stored)
	}
	d, _ = ready()
	d.pane.storeRule = func(string, approval.Term) error { return fmt.Errorf("disk full") }
	if d.press("a1").after(time.Second).press("y"); len(d.answers) != 0 ||
		!strings.Contains(strings.Join(d.rows(), "\n"), "not stored: disk full") {
		t.Errorf("a rule that cannot be stored: %v\n%s", d.answers, strings.Join(d.rows(), "\n"))
	}
	if d = open(t, edit(20), 80, 24).ready(); strings.Contains(strings.Join(d.rows(), "\n"), "lways") {
		t.Error("a key is shown that does not work")
	}
}

// The row of what runs counts the time of the model and of the tools, not that in which a person
// reads a change.
func TestTheTimeOfThePersonIsNotWork(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done.","hang":true}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(2 * time.Minute)
		s.Press("y")
		s.pass(3 * time.Second)
		s.holds("working")
		s.lacks(" min")
		s.Press("esc")
		s.pass(time.Second)
	})
}

func TestThePaneSaysWhatIsNotKeptBeforeTheAnswer(t *testing.T) {
	p := edit(1)
	p.Notes = []string{"owner is not kept"}
	if rows := strings.Join(open(t, p, 80, 24).rows(), "\n"); !strings.Contains(rows, "owner is not kept") {
		t.Errorf("the pane does not say it:\n%s", rows)
	}
}

// A decision begins with a reversed label in a colour that nothing else of the theme has (HARN-12).
func TestTheLabelOfADecisionIsLikeNothingElse(t *testing.T) {
	for _, caps := range []tui.Caps{{}, {Color: 16}, {Color: 16, Dark: true}, {Color: 256}, {Color: 256, Dark: true}} {
		look := tui.NewTheme(caps)
		n := newPane(write(t, nil, "one\n"), &tui.Editor{}, nil)
		first := n.titleRow(tui.Space{Width: 80, Height: 24, Theme: look}).Spans[0]
		if first.Text != "write" || first.Style != look.Ask || first.Style.Attr&tui.Inverse == 0 {
			t.Errorf("%+v: the label is %+v", caps, first)
		}
		for name, s := range map[string]tui.Style{"accent": look.Accent, "added": look.Added, "removed": look.Removed,
			"warning": look.Warning, "error": look.Error, "code": look.Code, "person": look.Person,
			"keyword": look.Syntax.Keyword, "string": look.Syntax.String, "number": look.Syntax.Number} {
			if s.Attr&tui.Inverse != 0 || s.Fg != 0 && s.Fg == look.Ask.Fg {
				t.Errorf("%+v: %s is %+v, the label %+v", caps, name, s, look.Ask)
			}
		}
	}
}
