package dap_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// family starts all adapters of these tests, and inherits what they leave.
var family = new(child.Family)

func TestMain(m *testing.M) {
	daptest.Main()
	debugAndWait()
	ctx, cancel := context.WithCancel(context.Background())
	if err := family.AdoptOrphans(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	code := m.Run()
	family.Close(0)
	cancel()
	os.Exit(code)
}

// newService returns a service whose adapters have a variable in their environment by which they
// are found.
func newService(t *testing.T) (s *dap.Service, mark string) {
	t.Helper()
	mark = "DAP_TEST=" + t.TempDir()
	s = dap.NewService(dap.Config{Dir: t.TempDir(), Family: family, Env: append(os.Environ(), mark),
		StopTime: time.Minute, Options: helper.Options{Start: 20 * time.Second, Pause: time.Millisecond}})
	t.Cleanup(s.Close)
	return s, mark
}

// begin launches what an adapter with a scenario pretends to debug.
func begin(ctx context.Context, s *dap.Service, scenario string) (*dap.Session, error) {
	fake := dap.Adapter{Name: "fake", Command: daptest.Command(scenario), Native: true, Install: "apt-get install fake"}
	return s.Begin(ctx, dap.Start{Adapter: fake, Program: "x", Dir: s.Dir(), RunIn: s.Dir(),
		Arguments: func(string) map[string]any { return map[string]any{"stopOnEntry": true} }})
}

// resume lets the program of the session run.
func resume(ctx context.Context, s *dap.Service) (timedOut bool, err error) {
	err = s.With(ctx, func(session *dap.Session) error {
		timedOut, err = session.Resume(ctx, "continue")
		return err
	})
	return timedOut, err
}

// Whatever an adapter does, the call says what happened, nothing of it stays, and the next session
// works.
func TestAdaptersThatMisbehaveAreNamedAndEnded(t *testing.T) {
	for scenario, want := range map[string]string{
		"crashes at once": "fake does not start: exit status 3: error: no luck. If it is not installed: " +
			"apt-get install fake",
		"sends garbage":        `it sent what is no message: "hello"`,
		"sends half a message": "unexpected EOF",
		"sends no JSON":        "it sent what is no message: invalid character",
		"sends a huge message": "it sent a message of more than 16 MiB",

		"crashes at the launch": "DAP adapter exited (code 4): fatal error: out of luck",
		"refuses the launch":    "Failed to launch\nmain.x:1: no such thing",

		"crashes when asked":   "DAP adapter exited (code 5): panic: no more luck",
		"sends garbage later":  "it sent what is no message",
		"floods with requests": "it was ended: it asks without reading the answers",
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			s, mark := newService(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := begin(ctx, s, scenario)
			if err == nil {
				_, err = resume(ctx, s)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want an error with %q", err, want)
			}
			worksAgain(ctx, t, s)
			s.Close()
			checkNothingLeft(t, mark)
		})
	}
}

// worksAgain wants the service to debug a program well.
func worksAgain(ctx context.Context, t *testing.T, s *dap.Service) {
	t.Helper()
	if _, err := begin(ctx, s, "well"); err != nil {
		t.Fatalf("the next session: %v", err)
	}
	if timedOut, err := resume(ctx, s); timedOut || err != nil {
		t.Errorf("the next program: %v, %v", timedOut, err)
	}
	if sum := s.Summaries()[0]; sum.Status != dap.Terminated || sum.ExitCode == nil || *sum.ExitCode != 3 {
		t.Errorf("the next program ended as %+v", sum)
	}
}

// An adapter that does not answer takes no more than the time of the call.
func TestAdaptersThatHangAreLeftAfterTheTimeOfTheCall(t *testing.T) {
	for _, scenario := range []string{"hangs at once", "hangs at the launch", "hangs when asked"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			s, mark := newService(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if scenario == "hangs when asked" {
				if _, err := begin(ctx, s, scenario); err != nil {
					t.Fatal(err)
				}
			}
			short, stop := context.WithTimeout(ctx, 200*time.Millisecond)
			defer stop()
			var err error
			if scenario == "hangs when asked" {
				_, err = resume(short, s)
			} else {
				_, err = begin(short, s, scenario)
			}
			if !errors.Is(err, context.DeadlineExceeded) || scenario == "hangs when asked" &&
				err.Error() != "DAP request continue timed out after 200ms" {
				t.Errorf("%v", err)
			}
			if _, err := s.Terminate(ctx); err != nil {
				t.Error(err)
			}
			worksAgain(ctx, t, s)
			s.Close()
			checkNothingLeft(t, mark)
		})
	}
}

// Odd numbers, answers that nobody waits for and messages that nobody knows are passed over.
func TestOddMessagesArePassedOver(t *testing.T) {
	for _, scenario := range []string{"odd numbers", "zero numbers", "no frames", "odd frames"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			s, _ := newService(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			session, err := begin(ctx, s, scenario)
			if err != nil {
				t.Fatal(err)
			}
			if sum := session.Summary(); sum.Status != dap.Stopped && scenario != "no frames" {
				t.Errorf("it stands as %+v", sum)
			}
			if timedOut, err := resume(ctx, s); timedOut || err != nil {
				t.Errorf("%v, %v", timedOut, err)
			}
		})
	}
}

// What an adapter asks is answered, and the person can read that it has asked.
func TestRequestsOfAnAdapterAreAnswered(t *testing.T) {
	s, _ := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session, err := begin(ctx, s, "asks")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Threads(ctx); err != nil { // the answers were read before this
		t.Error(err)
	}
	text, _ := session.Printed()
	for _, want := range []string{"answer to runInTerminal: false there is no terminal\n",
		"answer to startDebugging: true \n", "answer to dance: false not supported\n",
		"[the adapter wanted to run in a terminal: rm x; there is none]\n",
		"[the adapter wants a child session, which is not followed]\n",
		"[the adapter sent the request dance, which nobody knows here]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output\n%s\nhas no %q", text, want)
		}
	}
}

// What a program prints is held up to a bound, the newest.
func TestAFloodOfOutputIsHeldUpToABound(t *testing.T) {
	s, _ := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session, err := begin(ctx, s, "floods")
	if err != nil {
		t.Fatal(err)
	}
	if timedOut, err := resume(ctx, s); timedOut || err != nil {
		t.Fatal(timedOut, err)
	}
	text, truncated := session.Printed()
	if !truncated || len(text) > 128<<10 || !strings.Contains(text, "line 19999 ") ||
		strings.Contains(text, "line 1 ") {
		t.Errorf("%v: %d bytes: %.100q", truncated, len(text), text)
	}
}

// A program, and what it has started apart from it, end with the session, and with an adapter that
// does not want to end.
func TestASessionEndsWithAllThatItHasStarted(t *testing.T) {
	for _, scenario := range []string{"forks", "ignores its end", "runs for ever"} {
		t.Run(scenario, func(t *testing.T) {
			s, mark := newService(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := begin(ctx, s, scenario); err != nil {
				t.Fatal(err)
			}
			if len(nasty.ProcessesWith(mark)) == 0 {
				need.Missing(t, "proc", "the processes of this system cannot be listed")
			}
			if ended, err := s.Terminate(ctx); err != nil || ended == nil || ended.Summary().Status != dap.Terminated {
				t.Errorf("%+v, %v", ended, err)
			}
			checkNothingLeft(t, mark)
		})
	}
}

// One session is active at a time, and the end of the service ends it.
func TestThereIsOneSessionAtATime(t *testing.T) {
	s, mark := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := resume(ctx, s); !errors.Is(err, dap.ErrNoSession) {
		t.Errorf("without a session: %v", err)
	}
	if err := s.Stop(); err == nil {
		t.Error("there is none to stop")
	}
	first, err := begin(ctx, s, "runs for ever")
	if err != nil {
		t.Fatal(err)
	}
	var active *dap.ErrActive
	if _, err := begin(ctx, s, "well"); !errors.As(err, &active) || active.ID != first.ID {
		t.Errorf("a second one: %v", err)
	}
	if list := s.Status(); len(list) != 1 || list[0].State != helper.Ready {
		t.Errorf("the adapter: %+v", list)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := resume(ctx, s); err == nil || err.Error() != "DAP adapter fake is not running" {
		t.Errorf("after its end: %v", err)
	}
	second, err := begin(ctx, s, "runs for ever")
	if err != nil || second.ID != "debug-2" {
		t.Errorf("the next one: %+v, %v", second, err)
	}
	s.Close()
	checkNothingLeft(t, mark)
	if _, err := begin(ctx, s, "well"); !errors.Is(err, helper.ErrClosed) {
		t.Errorf("after the end of the service: %v", err)
	}
}

// A session that nobody uses is ended.
func TestASessionThatNobodyUsesIsEnded(t *testing.T) {
	s := dap.NewService(dap.Config{Dir: t.TempDir(), Family: family, Env: os.Environ(), StopTime: time.Minute,
		Options: helper.Options{Idle: time.Millisecond}})
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session, err := begin(ctx, s, "runs for ever")
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-session.Gone():
	case <-ctx.Done():
		t.Fatal("it is still there")
	}
	if _, err := resume(ctx, s); err == nil {
		t.Error("it goes on")
	}
}

// checkNothingLeft wants no process that has a variable in its environment.
func checkNothingLeft(t *testing.T, variable string) {
	t.Helper()
	if left := nasty.ProcessesWith(variable); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// A launch ends with its configuration. One that the adapter refuses is no session.
func TestALaunchWhoseConfigurationFailsIsNoSession(t *testing.T) {
	s, mark := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := begin(ctx, s, "refuses its configuration"); err == nil ||
		!strings.Contains(err.Error(), "Not configured") {
		t.Errorf("the launch ends with %v", err)
	}
	if _, err := resume(ctx, s); !errors.Is(err, dap.ErrNoSession) {
		t.Errorf("the session after it: %v", err)
	}
	worksAgain(ctx, t, s)
	s.Close()
	checkNothingLeft(t, mark)
}
