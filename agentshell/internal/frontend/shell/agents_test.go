package shell

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// crewed is a session whose model may start agents, so many at the same time. All of them play one
// script.
func crewed(t *testing.T, screen tuitest.Config, slots int, lines ...string) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir()}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: s.dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	model, err := script.Parse("test script", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	env := tool.Env{Workspace: ws}
	var c *crew.Crew
	c = crew.New(crew.Config{Kinds: crew.Bundled(), Slots: slots,
		StopMain: func() { s.sh.app.Do(s.sh.stopTurn) },
		Open: func(_ context.Context, o crew.Opening) (crew.Conversation, error) {
			of := env
			of.Team.Peers = c.Peers(o.ID)
			tools, err := tool.NewRegistry(append(tool.Builtin(of).Tools(), o.Yield)...)
			if err != nil {
				return nil, err
			}
			return open1{agent.New(agent.Config{Model: model.For(o.ID), Tools: tools, Messages: o.Messages, Sub: true,
				Inbox: o.Inbox, Approver: o.Approve(s.sh)})}, nil
		}})
	s.sh = New(Config{Version: "0.1", Models: Models{Name: "test script"}, Workspace: Workspace{Name: "demo"},
		Approval: Approval{Mode: "ask"}, Session: Session{Path: "x"},
		Crew: c})
	env.Team.Crew, env.Team.Peers = c.For(team.Main, 0), c.Peers(team.Main)
	s.sh.setUp(agent.New(agent.Config{Model: model, Tools: tool.Builtin(env), Approver: s.sh,
		Inbox: inbox{person: s.sh}}))
	s.Screen = tuitest.Start(t, &s.sh.app, screen)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// open1 is the conversation of an agent.
type open1 struct{ *agent.Agent }

func (open1) Close() error { return nil }

// tasks returns a message of Main that starts agents of these names.
func tasks(names ...string) string {
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf(`{"id":%q,"assignment":"Look at %s."}`, n, n))
	}
	return `{"say":"I share the work.","delay_ms":0,"tool_calls":[{"id":"t","name":"task","input":{"agent":"task",` +
		`"context":"c","tasks":[` + strings.Join(list, ",") + `]}}]}`
}

// by returns a line of the script for one agent.
func by(name, line string) string { return `{"agent":"` + name + `",` + line[1:] }

// result returns a message that ends the work of an agent.
func result(text string) string {
	return `{"delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"result":"` + text + `"}}]}`
}

// looks returns a message that lists a folder. Each of its pieces takes so many milliseconds.
func looks(delay int) string {
	return fmt.Sprintf(`{"say":"I look.","delay_ms":%d,"usage":{"input":4000,"output":120},`+
		`"tool_calls":[{"id":"l","name":"list_dir","input":{"path":"."}}]}`, delay)
}

// theFive is a session of five agents: two ask for one file, one writes long, one tells another one
// something and fails later, one is done.
func theFive() []string {
	return []string{tasks("Lexer", "Docs", "Bench", "Tests", "Reviewer"), `{"say":"All is done.","delay_ms":0}`,
		by("Lexer", looks(10)), by("Lexer", put("lex.go", `package lex\n`)),
		by("Lexer", result(`The table had two entries.\nOne is gone.\nTests pass.\nmore\nand more`)),
		by("Docs", looks(20)), by("Docs", put("lex.go", `package lexer\n`)), by("Docs", result("It says how.")),
		by("Bench", `{"say":"I measure and measure and measure","delay_ms":1000}`), by("Bench", result("10 ns")),
		by("Tests", `{"say":"I tell Docs.","delay_ms":30,"tool_calls":[{"id":"i","name":"irc","input":{"op":"send",`+
			`"to":"Docs","message":"the operator table moved to token.go"}}]}`),
		by("Tests", `{"say":"I run them one by one","delay_ms":1500}`),
		by("Tests", `{"error":{"status":400,"message":"no"}}`),
		by("Reviewer", looks(50)), by("Reviewer", result("Fine."))}
}

func TestHowAgentsAtWorkLook(t *testing.T) {
	for _, c := range []struct {
		name string
		size [2]int
		env  map[string]string
	}{
		{"80x24", [2]int{80, 24}, nil}, {"30x10", [2]int{30, 10}, nil}, {"120x40", [2]int{120, 40}, nil},
		{"plain", [2]int{80, 24}, map[string]string{"NO_COLOR": "1", "LANG": "C"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				env := map[string]string{"SCROLLKEEP_STILL": "1"}
				for k, v := range c.env {
					env[k] = v
				}
				s := crewed(t, tuitest.Config{Cols: c.size[0], Rows: c.size[1], Env: env}, 5, theFive()...)
				s.Type("go")
				s.Press("enter")
				s.pass(2 * time.Second)
				s.Golden(t.Name() + "_asks") // the pane of who asks
				s.sh.app.Do(func() { s.sh.question.show(false) })
				s.pass(100 * time.Millisecond)
				s.Golden(t.Name() + "_work")
			})
		})
	}
}

func TestHowTheListOfAgentsLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {30, 10}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := crewed(t, tuitest.Config{Cols: size[0], Rows: size[1]}, 5,
					tasks("Lexer", "Docs", "Bench"), `{"say":"All is done.","delay_ms":0}`,
					by("Lexer", looks(10)), by("Lexer", result(`**Two** entries.`)),
					by("Docs", looks(20)),
					by("Docs", `{"say":"# The plan\n\nI write `+"`go doc`"+` of it:\n\n- one\n- two`+
						`\n\n`+
						`and then some more words about it","delay_ms":300}`), by("Docs", result("It says how.")),
					by("Bench", `{"say":"I","delay_ms":60,"error":{"status":400,"message":"no such model"}}`))
				s.Type("go")
				s.Press("enter")
				s.pass(time.Second)
				before := s.tape()
				s.Type("/agents")
				s.Press("enter")
				s.pass(600 * time.Millisecond)
				s.Golden(t.Name() + "_list")
				s.Press("enter")
				s.pass(4 * time.Second)
				s.Golden(t.Name() + "_page")
				s.Press("/")
				s.Type("plan")
				s.Press("enter")
				s.pass(300 * time.Millisecond)
				if got := s.Visible(); !strings.Contains(got, "match 1 of 1") {
					t.Errorf("searching\n%s", got)
				}
				s.Press("escape", "escape", "escape") // the search, the page, the list
				s.pass(600 * time.Millisecond)
				final, _, _ := strings.Cut(before, "\n"+spinnerOf(before))
				if got := s.tape(); !strings.HasPrefix(got, final) {
					t.Errorf("it leaves something behind:\n%s\nbefore\n%s", got, before)
				}
				s.lacks("Enter opens", "Esc back")
			})
		})
	}
}

// The list and the transcript say what an agent that has ended leaves, and how to go back, in a
// narrow window, too.
func TestTheListSaysWhatAnAgentLeavesAndHowToGoBack(t *testing.T) {
	for _, cols := range []int{80, 50, 40, 20} {
		synctest.Test(t, func(t *testing.T) {
			s := crewed(t, tuitest.Config{Cols: cols, Rows: 12}, 2, tasks("Lexer", "Bench"),
				`{"say":"E","delay_ms":0}`,
				by("Lexer", result(`Two entries.\nOne is gone.`)),
				by("Bench", `{"delay_ms":0,"error":{"status":400,"message":"no such model"}}`))
			s.Type("go")
			s.Press("enter")
			s.pass(time.Second)
			for _, c := range []struct{ id, want string }{
				{"Lexer", "Two entries."}, {"Bench", "failed: the provider"},
			} {
				s.Type("/agents " + c.id)
				s.Press("enter")
				s.pass(600 * time.Millisecond)
				page := s.Visible()
				s.Press("escape")
				s.pass(600 * time.Millisecond)
				list := s.Visible()
				s.Press("escape")
				s.pass(600 * time.Millisecond)
				if !strings.Contains(page, "Esc back") || !strings.Contains(list, "Esc back") {
					t.Errorf("%d columns: it does not say how to go back\n%s\n%s", cols, page, list)
				}
				if cols == 80 && (!strings.Contains(page, c.want) || !strings.Contains(list, c.want)) {
					t.Errorf("%q is not in\n%s\nor not in\n%s", c.want, page, list)
				}
			}
		})
	}
}

func TestAnAgentOfTheListIsToldStoppedParkedAndRevived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := crewed(t, small, 5, tasks("Lexer", "Docs"), `{"say":"All is done.","delay_ms":0}`,
			by("Lexer", result("Done.")),
			by("Lexer", `{"expect":"Message from the user:\nlook again","say":"I do.","delay_ms":0}`),
			by("Docs", `{"say":"I write","hang":true}`))
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("/agents lexer")
		s.Press("enter")
		s.pass(600 * time.Millisecond)
		if got := s.Visible(); !strings.Contains(got, "Lexer  idle") || !strings.Contains(got, "Look at Lexer.") {
			t.Errorf("the transcript of Lexer\n%s", got)
		}
		s.Press("m")
		s.Type("look again")
		s.Press("enter")
		s.pass(600 * time.Millisecond)
		if got := s.Visible(); !strings.Contains(got, "I do.") {
			t.Errorf("after a message\n%s", got)
		}
		s.Press("escape")
		state := func(id, want string) {
			t.Helper()
			s.pass(600 * time.Millisecond)
			for _, a := range s.sh.cfg.Crew.Agents() {
				if a.ID == id && string(a.State) != want {
					t.Errorf("%s is %s, want %s\n%s", id, a.State, want, s.Visible())
				}
			}
		}
		s.Press("p")
		state("Lexer", "parked")
		if got := s.Visible(); !strings.Contains(got, "Lexer is parked") {
			t.Errorf("\n%s", got)
		}
		s.Press("r")
		state("Lexer", "idle")
		s.Press("j")
		s.Press("p")
		state("Docs", "running")
		if got := s.Visible(); !strings.Contains(got, "Not done: Docs is running; only an idle agent can be parked") {
			t.Errorf("\n%s", got)
		}
		s.Press("s")
		state("Docs", "aborted")
		s.Press("escape")
		s.pass(time.Second)
		s.holds("✗ Docs  stopped", "All is done.", "you → Lexer: look again")
	})
}

// streamers plays so many agents that work for a while, and returns what five seconds of it cost in
// bytes. step is what each does, so many times over.
func streamers(t *testing.T, n, times int, step func(i int) string) (bytes, allocs int, screen string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("A%02d", i))
		}
		lines := []string{tasks(names...)}
		for i, name := range names {
			for k := range times {
				lines = append(lines, by(name, step(i*100+k)))
			}
		}
		s := crewed(t, tuitest.Config{Cols: 80, Rows: 24}, n, lines...)
		s.Type("go")
		s.Press("enter")
		s.pass(2 * time.Second)
		s.Bytes()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.Pass(5 * time.Second)
		runtime.ReadMemStats(&after)
		bytes, allocs, screen = len(s.Bytes()), int(after.Mallocs-before.Mallocs), s.Visible()
		s.Press("escape")
		s.pass(time.Second)
	})
	return bytes, allocs, screen
}

// Nobody looks at the text of an agent, so it costs nothing. What changes are rows, eight at most.
func TestAgentsThatStreamCostTheBytesOfTheirRows(t *testing.T) {
	text := func(int) string {
		return `{"say":"` + strings.Repeat("a word and another one, ", 400) + `","delay_ms":20,"chunk_runes":8}`
	}
	calls := func(i int) string {
		return fmt.Sprintf(`{"say":"Look %d.","delay_ms":70,"tool_calls":[{"id":"c%d","name":"list_dir",`+
			`"input":{"path":"."}}]}`, i, i)
	}
	const frames = 5 * time.Second / (80 * time.Millisecond) // those of the spinner
	for _, c := range []struct {
		name  string
		times int
		step  func(int) string
		most  int // bytes of a frame with 16 agents
	}{{"text", 1, text, 60}, {"calls", 60, calls, 8 * 40}} {
		var cost, work [2]int
		for i, n := range []int{1, 16} {
			var screen string
			cost[i], work[i], screen = streamers(t, n, c.times, c.step)
			if !strings.Contains(screen, "agents: 0 of ") || strings.Count(screen, "  step ") > 6 {
				t.Errorf("%s, %d agents: the screen is\n%s", c.name, n, screen)
			}
		}
		t.Logf("%s: 1 and 16 agents cost %v bytes and %v allocations in 5 s", c.name, cost, work)
		if cost[1] > int(frames)*c.most || cost[0] == 0 || cost[1] > 12*cost[0] {
			t.Errorf("%s: 1 and 16 agents cost %v bytes in 5 s, of %d frames", c.name, cost, frames)
		}
	}
}

func TestAgentsWithoutARowAreCounted(t *testing.T) {
	var list []crew.Agent
	add := func(n int, state team.State, what crew.Activity) {
		for range n {
			a := crew.Agent{Doing: crew.Doing{What: what}}
			a.ID, a.State = fmt.Sprintf("A%d", len(list)), state
			list = append(list, a)
		}
	}
	add(2, team.Idle, "")
	add(9, team.Running, crew.Calls)
	add(3, team.Running, crew.Asks)
	add(2, team.Running, crew.WaitsForSlot)
	for rows, want := range map[int]string{
		7: "A11 A12 A13 A2 A3 A4: 6 more work, 2 wait for a slot", 2: "A11: 9 more work, 2 more ask, 2 wait for a slot",
		0:  ": 9 more work, 3 more ask, 2 wait for a slot",
		20: "A11 A12 A13 A2 A3 A4 A5 A6 A7 A8 A9 A10: 2 wait for a slot",
	} {
		p := progressOf(list, 1, rows)
		var ids []string
		for _, a := range p.rows {
			ids = append(ids, a.ID)
		}
		if got := strings.Join(ids, " ") + ": " + countOthers(p.others); got != want || p.done != 1 || p.all != 15 {
			t.Errorf("%d rows: %q, want %q; %d of %d", rows, got, want, p.done, p.all)
		}
	}
}

// Sixteen agents do, at random, all that agents do, fail, and are stopped; the person answers and
// stops turns. Each end stands in the transcript once, nothing of the rows above the prompt is left
// there, and few rows are live.
func TestSixteenAgentsLeaveAnExactTranscript(t *testing.T) {
	for seed := range uint64(max(*crowds, 1)) {
		synctest.Test(t, func(t *testing.T) { crowd(t, seed) })
	}
}

var crowds = flag.Int("crowds", 2, "sessions of sixteen agents that fail and are stopped at random")

func crowd(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 16))
	var names []string
	for i := range 16 {
		names = append(names, fmt.Sprintf("A%02d", i))
	}
	lines := []string{tasks(names...), `{"say":"The end.","delay_ms":0}`}
	for i, name := range names {
		for k := range 2 + random.IntN(5) {
			delay := 10 + random.IntN(300)
			switch random.IntN(6) {
			case 0:
				lines = append(lines, by(name, fmt.Sprintf(`{"say":"Fails here.","delay_ms":%d,"error":{"status":400,`+
					`"message":"no"}}`, delay)))
			case 1:
				lines = append(lines, by(name, put(fmt.Sprintf("f%d-%d.txt", i, k), `x\n`)))
			case 2:
				lines = append(lines, by(name, put("shared.txt", fmt.Sprintf(`%s %d\n`, name, k))))
			case 3:
				lines = append(lines, by(name, `{"say":"I tell.","delay_ms":5,"tool_calls":[{"id":"i","name":"irc",`+
					`"input":{"op":"send","to":"A00","message":"from `+name+`"}}]}`))
			default:
				lines = append(lines, by(name, looks(delay)))
			}
		}
		lines = append(lines, by(name, result("result of "+name)))
	}
	s := crewed(t, tuitest.Config{Cols: 80, Rows: 24}, 1+random.IntN(16), lines...)
	s.Type("go")
	s.Press("enter")
	live := 0
	for range 120 {
		s.pass(1100 * time.Millisecond)
		live = max(live, strings.Count(s.Visible(), "\n  A")+1)
		if s.sh.question == nil && !s.sh.busy() && countWorking(s.sh.cfg.Crew.Agents()) == 0 {
			break
		}
		switch k := random.IntN(10); {
		case k < 1:
			if list := s.sh.cfg.Crew.Agents(); len(list) > 0 {
				_ = s.sh.cfg.Crew.Stop(list[random.IntN(len(list))].ID)
			}
		case k < 2 && s.sh.question != nil:
			s.Press("D")
		case k < 4 && s.sh.question != nil:
			s.Press("n")
		case k < 5 && s.sh.question != nil:
			s.Press("tab")
		case s.sh.question != nil:
			s.Press("y")
		}
	}
	s.Press("escape") // whoever still works
	s.pass(5 * time.Second)
	tape := s.tape()
	for _, name := range names {
		n := strings.Count(tape, "• "+name+"  done") + strings.Count(tape, "! "+name+"  failed") +
			strings.Count(tape, "✗ "+name+"  stopped")
		if n != 1 {
			t.Errorf("seed %d: %s has ended %d times in\n%s", seed, name, n, tape)
		}
	}
	for _, left := range []string{"agents: ", "waits for a slot", "[D] stop", "more wait", "  step 1 "} {
		if strings.Contains(tape, left) {
			t.Errorf("seed %d: %q is left in\n%s", seed, left, tape)
		}
	}
	if live > maxAgentLive {
		t.Errorf("seed %d: %d rows of agents", seed, live)
	}
}

// spinnerOf returns the first sign of a spinner in a text, which turns while time passes.
func spinnerOf(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { return r >= '\u2800' && r <= '\u28FF' })
	if i < 0 {
		return "no spinner"
	}
	return text[i : i+len("⠋")]
}
