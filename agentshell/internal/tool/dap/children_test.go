package dap_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
)

// beginParts launches a program whose parts are debugged by connections of their own.
func beginParts(ctx context.Context, t *testing.T, s *dap.Service) *dap.Session {
	t.Helper()
	fake := dap.Adapter{Name: "parts", Command: daptest.Shared(), Native: true}
	session, err := s.Begin(ctx, dap.Start{Adapter: fake, Program: "x", Dir: s.Dir(), RunIn: s.Dir(),
		Arguments: func(string) map[string]any { return map[string]any{"stopOnEntry": true} }})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// Parts of a program that an adapter asks connections for are followed: each gets the breakpoints,
// the one that has stopped last is spoken to, and the program ends with its last part.
func TestPartsOfAProgramAreFollowed(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, mark := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session := beginParts(ctx, t, s)
	wantPart := func(name string) {
		t.Helper()
		threads, err := session.Threads(ctx)
		if err != nil || len(threads) != 1 || threads[0].Name != "the "+name+" part" {
			t.Errorf("the %s part: %+v, %v", name, threads, err)
		}
		if sum := session.Summary(); sum.Status != dap.Stopped || sum.StopReason != "entry" || sum.Frame == nil {
			t.Errorf("the %s part: %+v", name, sum)
		}
	}
	wantPart("first")
	list, err := session.SetBreakpoint(ctx, "/a.x", dap.Breakpoint{Line: 7}, false)
	if err != nil || len(list) != 1 || !list[0].Verified {
		t.Errorf("%+v, %v", list, err)
	}
	if timedOut, err := resume(ctx, s); timedOut || err != nil {
		t.Fatal(timedOut, err)
	}
	wantPart("second")
	if text, _ := session.Printed(); strings.Count(text, `"line":7`) != 2 ||
		!strings.Contains(text, `the first part has {"breakpoints":[{"line":7}]`) ||
		!strings.Contains(text, `the second part has {"breakpoints":[{"line":7}]`) {
		t.Errorf("the parts have other breakpoints:\n%s", text)
	}
	if _, err := session.SetBreakpoint(ctx, "/b.x", dap.Breakpoint{Line: 9}, false); err != nil {
		t.Error(err)
	}
	if timedOut, err := resume(ctx, s); timedOut || err != nil {
		t.Fatal(timedOut, err)
	}
	wantPart("first")
	if text, _ := session.Printed(); strings.Count(text, `{"breakpoints":[{"line":9}]`) != 2 {
		t.Errorf("the parts have other breakpoints:\n%s", text)
	}
	if timedOut, err := resume(ctx, s); timedOut || err != nil {
		t.Fatal(timedOut, err)
	}
	if sum := session.Summary(); sum.Status != dap.Terminated {
		t.Errorf("at the end it is %+v", sum)
	}
	s.Close()
	checkNothingLeft(t, mark)
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// A program with parts is ended while one of them stands.
func TestAProgramWithPartsIsEnded(t *testing.T) {
	s, mark := newService(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	beginParts(ctx, t, s)
	if ended, err := s.Terminate(ctx); err != nil || ended == nil || ended.Summary().Status != dap.Terminated {
		t.Errorf("%+v, %v", ended, err)
	}
	checkNothingLeft(t, mark)
}

// An adapter that ends instead of listening is named with what it printed.
func TestAnAdapterThatDoesNotListenIsNamed(t *testing.T) {
	s, mark := newService(t)
	broken := dap.Adapter{Name: "broken", Native: true,
		Command: []string{"sh", "-c", "echo no such module >&2; exit 3", helper.SharedName + "/adapter"}}
	_, err := s.Begin(t.Context(), dap.Start{Adapter: broken, Program: "x", Dir: s.Dir(), RunIn: s.Dir(),
		Arguments: func(string) map[string]any { return nil }})
	if err == nil || err.Error() != "broken does not start: exit status 3: no such module" {
		t.Errorf("%v", err)
	}
	checkNothingLeft(t, mark)
}
