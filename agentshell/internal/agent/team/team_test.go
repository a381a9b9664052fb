package team

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestIdsAreUniqueAndNested(t *testing.T) {
	at := time.Unix(0, 0)
	tm := New(at)
	for _, c := range []struct{ parent, wanted, want string }{
		{Main, "Lexer", "Lexer"},
		{Main, "lexer", "lexer-2"},
		{"Lexer", "Docs", "Lexer.Docs"},
		{"Lexer", "Docs", "Lexer.Docs-2"},
		{Main, "Docs", "Docs"},
		{Main, "", "Agent"},
		{Main, "main", "mainAgent"},
		{Main, "all", "allAgent"},
		{Main, "a/b ../c\x1b[2J", "abc2J"},
		{Main, strings.Repeat("x", 90), strings.Repeat("x", 48)},
	} {
		if got := tm.Join(c.parent, c.wanted, "task", "", at); got != c.want {
			t.Errorf("%s below %s is %s, want %s", c.wanted, c.parent, got, c.want)
		}
	}
	if got := tm.Descendants("Lexer"); !slices.Equal(got, []string{"Lexer.Docs", "Lexer.Docs-2"}) {
		t.Errorf("below Lexer: %v", got)
	}
}

func TestAMessageDoesWhatTheStateOfItsReaderAsksFor(t *testing.T) {
	at := time.Unix(0, 0)
	for _, c := range []struct {
		name  string
		state func(*Team)
		want  Outcome
		after State
		err   string
	}{
		{"running", func(*Team) {}, Injected, Running, ""},
		{"idle", func(t *Team) { t.Set("A", Idle, at) }, Woken, Running, ""},
		{"parked", func(t *Team) { t.Set("A", Parked, at) }, Revived, Running, ""},
		{"aborted", func(t *Team) { t.Set("A", Aborted, at) }, Failed, Aborted, "was ended"},
		{"lost", func(t *Team) { t.Lose("A", at) }, Failed, Parked, "a copy that is gone"},
	} {
		tm := New(at)
		tm.Join(Main, "A", "task", "", at)
		c.state(tm)
		r := tm.Send(Message{From: Main, To: "a", Text: "hi"}, at)
		a, _ := tm.Find("A")
		if len(r) != 1 || r[0].To != "A" || r[0].Outcome != c.want || a.State != c.after ||
			c.err == "" != (r[0].Err == nil) || c.err != "" && !strings.Contains(r[0].Err.Error(), c.err) {
			t.Errorf("%s: %+v, then %s", c.name, r, a.State)
		}
		if want := c.err == ""; (a.Unread == 1) != want {
			t.Errorf("%s: %d unread", c.name, a.Unread)
		}
	}
	tm := New(at)
	for to, want := range map[string]error{Main: ErrSelf, "nobody": ErrUnknown} {
		if r := tm.Send(Message{From: Main, To: to}, at); !errors.Is(r[0].Err, want) {
			t.Errorf("to %s: %v", to, r)
		}
	}
	if r := tm.Send(Message{From: "x", To: Main}, at); r[0].Outcome != Injected {
		t.Errorf("to Main, which is idle: %v", r)
	}
}

func TestAMessageToEverybodyRevivesNobody(t *testing.T) {
	at := time.Unix(0, 0)
	tm := New(at)
	for name, state := range map[string]State{"A": Running, "B": Idle, "C": Parked, "D": Aborted} {
		tm.Set(tm.Join(Main, name, "task", "", at), state, at)
	}
	got := map[string]Outcome{}
	for _, r := range tm.Send(Message{From: "A", To: Everybody, Text: "x"}, at) {
		got[r.To] = r.Outcome
	}
	if fmt.Sprint(got) != "map[B:woken Main:injected]" {
		t.Errorf("receipts: %v", got)
	}
}

func TestTheOldestMessageGoesWhenTheMailboxIsFull(t *testing.T) {
	at := time.Unix(0, 0)
	tm := New(at)
	for i := range maxMailbox + 5 {
		tm.Send(Message{From: "x", To: Main, Text: fmt.Sprint(i)}, at)
	}
	if m := tm.Read(Main, true); len(m) != maxMailbox || m[0].Text != "5" || len(tm.Read(Main, false)) != maxMailbox ||
		tm.Read(Main, false) != nil {
		t.Errorf("%d messages, the first is %+v", len(m), m[0])
	}
}

func TestOnlyWhoHasNothingToDoIsParked(t *testing.T) {
	at := time.Unix(0, 0)
	tm := New(at)
	for name, state := range map[string]State{"A": Running, "B": Idle, "C": Aborted, "D": Idle} {
		tm.Set(tm.Join(Main, name, "task", "", at), state, at)
	}
	tm.Set("D", Idle, at.Add(time.Minute))
	if got := tm.Park(7*time.Minute, at.Add(7*time.Minute)); !slices.Equal(got, []string{"B"}) {
		t.Errorf("parked %v", got)
	}
	if got := tm.Park(0, at.Add(time.Hour)); got != nil {
		t.Errorf("without a bound: parked %v", got)
	}
}

func TestWaitTakesTheMessageOfWhoIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := New(time.Now())
		tm.Join(Main, "A", "task", "", time.Now())
		tm.Join(Main, "B", "task", "", time.Now())
		tm.Send(Message{From: "B", To: Main, Text: "early"}, time.Now())
		go func() {
			<-time.After(time.Second)
			tm.Send(Message{From: "A", To: Main, Text: "late"}, time.Now())
		}()
		if m, ok, _ := tm.Wait(t.Context(), Main, "a"); !ok || m.Text != "late" {
			t.Errorf("from A: %v %+v", ok, m)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if m, ok, _ := tm.Wait(ctx, Main, "A"); ok {
			t.Errorf("from A, a second one: %+v", m)
		}
		if m, ok, _ := tm.Wait(t.Context(), Main, ""); !ok || m.Text != "early" {
			t.Errorf("from anybody: %v %+v", ok, m)
		}
	})
}

// Random steps against what each must leave: a message is delivered once or has failed once,
// nothing follows an end, and Main is always there.
func TestRandomStepsKeepTheTeamWhole(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		at := time.Unix(0, 0)
		tm := New(at)
		ids, ended := []string{Main}, map[string]bool{}
		sent, read := map[string]int{}, map[string]int{} // by reader
		unread, back := map[string]int{}, map[string]int{}
		for step := range 400 {
			at = at.Add(time.Duration(rng.IntN(120)) * time.Second)
			id := ids[rng.IntN(len(ids))]
			switch rng.IntN(7) {
			case 0:
				if len(ids) < 20 {
					ids = append(ids, tm.Join(id, "A", "task", "", at))
				}
			case 1:
				state := []State{Running, Idle, Parked, Aborted}[rng.IntN(4)]
				if a, _ := tm.Find(id); state == Aborted && id != Main {
					unread[id] += a.Unread
				}
				tm.Set(id, state, at)
				ended[id] = ended[id] || state == Aborted && id != Main
			case 2:
				unread[id] += len(tm.Lose(id, at))
			case 3:
				for _, parked := range tm.Park(time.Minute, at) {
					if a, _ := tm.Find(parked); a.Unread > 0 || parked == Main {
						t.Fatalf("seed %d, step %d: %+v is parked", seed, step, a)
					}
				}
			case 4:
				for _, m := range tm.Read(id, false) {
					if m.To != id {
						t.Fatalf("seed %d: %s reads %+v", seed, id, m)
					}
					if !m.Unread {
						read[id]++
						continue
					}
					if back[m.From]++; back[m.From] > unread[m.From] {
						t.Fatalf("seed %d: %+v has come back, and %d were not read", seed, m, unread[m.From])
					}
				}
			default:
				to := append(ids, Everybody, "nobody")[rng.IntN(len(ids)+2)]
				for _, r := range tm.Send(Message{From: id, To: to, Text: "x"}, at) {
					a, found := tm.Find(r.To)
					if (r.Outcome == Failed) != (r.Err != nil) || r.Outcome != Failed &&
						(!found || r.To == id || ended[r.To]) {
						t.Fatalf("seed %d, step %d: %+v of %+v", seed, step, r, a)
					}
					if r.Outcome != Failed {
						sent[r.To]++
					}
					if (r.Outcome == Woken || r.Outcome == Revived) && a.State != Running {
						t.Fatalf("seed %d, step %d: %+v, and %s is %s", seed, step, r, r.To, a.State)
					}
				}
			}
			for _, a := range tm.List() {
				if ended[a.ID] && a.State != Aborted || a.ID == Main && (a.State == Parked || a.State == Aborted) {
					t.Fatalf("seed %d, step %d: %+v", seed, step, a)
				}
				dropped := sent[a.ID] - read[a.ID] - unread[a.ID] - a.Unread
				if dropped < 0 || dropped > 0 && a.Unread < maxMailbox && sent[a.ID] < maxMailbox {
					t.Fatalf("seed %d, step %d: %s has got %d, read %d, and %d wait", seed, step, a.ID, sent[a.ID],
						read[a.ID], a.Unread)
				}
			}
		}
	}
}

func TestWhoWaitsForAnAnswerHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := NewSlots(2)
		answer := make(chan struct{})
		done := make(chan int, 16)
		for i := range 16 {
			go func() {
				seat := slots.Seat()
				if err := seat.Take(t.Context()); err != nil {
					t.Error(err)
				}
				defer seat.Leave()
				if i < 15 { // all but one of them ask, and nobody answers until that one is done
					seat.Lend(t.Context(), func() { <-answer })
				} else {
					close(answer)
				}
				done <- i
			}()
		}
		for range 16 {
			<-done
		}
		synctest.Wait()
		if slots.free != 2 || len(slots.queue) != 0 {
			t.Errorf("%d of 2 slots are free, %d wait", slots.free, len(slots.queue))
		}
	})
}

func TestASlotThatComesTooLateIsGivenOn(t *testing.T) {
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 6))
			n := 1 + rng.IntN(4)
			slots := NewSlots(n)
			done := make(chan bool)
			for range 30 {
				begin, patience := time.Duration(rng.IntN(20)), time.Duration(rng.IntN(20))
				work := time.Duration(rng.IntN(9))
				go func() {
					<-time.After(begin)
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					if slots.Acquire(ctx) == nil {
						<-time.After(work)
						slots.Release()
					}
					done <- true
				}()
			}
			for range 30 {
				<-done
			}
			if slots.free != n || len(slots.queue) != 0 {
				t.Errorf("seed %d: %d of %d slots are free, %d wait", seed, slots.free, n, len(slots.queue))
			}
		})
	}
}

func TestAnAgentThatWaitsTwiceAtOnceLendsOneSlot(t *testing.T) {
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			slots := NewSlots(2)
			done := make(chan bool)
			for range 5 {
				seat := slots.Seat()
				if err := seat.Take(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(30)))
				for range 3 {
					begin, wait := time.Duration(rng.IntN(9)), time.Duration(rng.IntN(20))
					go func() {
						<-time.After(begin)
						seat.Lend(ctx, func() { <-time.After(wait) })
						done <- true
					}()
				}
				for range 3 {
					<-done
				}
				synctest.Wait()
				if taken := 2 - slots.free; taken > 1 || taken == 1 != seat.held || ctx.Err() == nil && taken != 1 {
					t.Fatalf("seed %d: %d slots are taken, held: %v", seed, taken, seat.held)
				}
				seat.Leave()
				cancel()
			}
			if slots.free != 2 {
				t.Errorf("seed %d: %d of 2 slots are free", seed, slots.free)
			}
		})
	}
}

// A message wakes Main where a turn of it begins by itself, and goes into a turn that runs.
func TestAMessageWakesMainWhereThatIsWanted(t *testing.T) {
	for _, c := range []struct {
		wakes bool
		state State
		want  Outcome
	}{{true, Idle, Woken}, {true, Running, Injected}, {false, Idle, Injected}} {
		tm := New(time.Now())
		tm.Join(Main, "A", "task", "", time.Now())
		if c.wakes {
			tm.WakeMain()
		}
		tm.Set(Main, c.state, time.Now())
		r := tm.Send(Message{From: "A", To: Main, Text: "x"}, time.Now())
		if a, _ := tm.Find(Main); r[0].Outcome != c.want || a.State != c.state || a.Unread != 1 {
			t.Errorf("%+v: %+v, %+v", c, r, a)
		}
	}
}

// What an agent that is ended has not read goes back to who wrote it, once, and wakes nobody; what
// the person wrote is only named.
func TestUnreadMessagesOfAnEndedAgentGoBack(t *testing.T) {
	for name, end := range map[string]func(*Team, time.Time) []Message{
		"ended": func(tm *Team, at time.Time) []Message { return tm.Abort("A", at) },
		"lost":  func(tm *Team, at time.Time) []Message { return tm.Lose("A", at) },
	} {
		at := time.Now()
		tm := New(at)
		for _, id := range []string{"A", "B", "C", "D"} {
			tm.Join(Main, id, "task", "", at)
		}
		tm.Set("C", Idle, at)
		for _, m := range []Message{{From: "B", Text: "read"}, {From: "B", Text: "one"}, {From: "C", Text: "two"},
			{From: "D", Text: "three"}, {From: Main, Text: "four"}, {From: Main, Text: "five", Person: true}} {
			if m.To = "A"; m.Text == "one" {
				tm.Read("A", false)
			}
			tm.Send(m, at)
		}
		tm.Abort("D", at)
		unread := end(tm, at)
		if len(unread) != 5 || len(end(tm, at)) != 0 {
			t.Errorf("%s: not read: %+v", name, unread)
		}
		for id, text := range map[string]string{"B": "one", "C": "two", "D": "", Main: "four"} {
			back := tm.Read(id, false)
			if text == "" && len(back) == 0 {
				continue
			}
			if len(back) != 1 || back[0].Text != text || !back[0].Unread || back[0].From != "A" ||
				len(tm.Read(id, false)) > 0 {
				t.Errorf("%s: %s has back %+v", name, id, back)
			}
		}
		if c, _ := tm.Find("C"); c.State != Idle || !tm.ParkOne("C") {
			t.Errorf("%s: who wrote is %+v", name, c)
		}
	}
}
