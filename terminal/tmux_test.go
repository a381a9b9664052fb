package terminal

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWhatTmuxSaysIsKnown(t *testing.T) {
	answer := "3.3a\nkitty(0.26.5)\n256,RGB\n1\nalways\n0\nexternal\n2000\n500\n"
	run := func(out string, err error) func(context.Context, ...string) ([]byte, error) {
		return func(_ context.Context, args ...string) ([]byte, error) {
			if len(args) != 3 || strings.Count(args[2], "#{") < 9 {
				t.Errorf("tmux %q", args)
			}
			return []byte(out), err
		}
	}
	got, err := AskTmux(t.Context(), run(answer, nil))
	if want := (Tmux{"3.3a", "kitty(0.26.5)", "256,RGB", "on", "always", "off", "external", "2000", "500"}); err !=
		nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for name, out := range map[string]string{"nothing": "", "fewer lines": "3.3a\n", "more lines": answer + "x\n",
		"a control": strings.Replace(answer, "kitty", "\x1b]2;x", 1)} {
		if got, err := AskTmux(t.Context(), run(out, nil)); err == nil || got != (Tmux{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := AskTmux(t.Context(), run(answer, errors.New("no server"))); err == nil {
		t.Error("an error is lost")
	}
}

// withTmux is bubble with a tmux that answers.
func withTmux(t *testing.T, environ func(string) string, tmux func(context.Context, ...string) ([]byte, error),
	f func(t *testing.T, s session)) {
	bubble(t, environ, f, func(c *Config) { c.Tmux = tmux })
}

func TestTmuxIsAskedOnceAndNotWaitedFor(t *testing.T) {
	asked := 0
	slow := func(ctx context.Context, args ...string) ([]byte, error) {
		asked++
		select {
		case <-time.After(300 * time.Millisecond):
			return []byte("3.5a\nXTerm(390)\n256,RGB\non\non\non\non\n50000\n10\n"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	withTmux(t, env("TMUX", "x"), slow, func(t *testing.T, s session) {
		s.f.send("a")
		if k, ok := s.next().(Key); !ok || k.Code != 'a' {
			t.Errorf("%v", k)
		}
		if s.Caps().Passthrough {
			t.Error("known too early")
		}
		for _, ev := range s.all(time.Second) {
			if _, ok := ev.(Changed); !ok {
				t.Errorf("%#v", ev)
			}
		}
		if c := s.Caps(); !c.Passthrough || !c.ExactColors || c.Outer != "xterm" || c.Color != 1<<24 {
			t.Errorf("%+v", c)
		}
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
	withTmux(t, env(), slow, func(t *testing.T, s session) {
		s.all(time.Second)
		if asked != 1 {
			t.Error("asked outside of tmux")
		}
	})
	withTmux(t, env("TMUX", "x"), func(ctx context.Context, _ ...string) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(t *testing.T, s session) {
		s.all(5 * time.Second) // it ends by itself, or the bubble would not
	})
}
