package app

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// A pipe is written to at times after the start of the run.
func TestAPipeThatNobodyWritesIsNotWaitedForForEver(t *testing.T) {
	const hour = time.Hour
	for name, c := range map[string]struct {
		prompt       string
		cfg          config.Config
		first, close time.Duration // after which the first byte comes, and the end
		want         string
		takes        time.Duration
		says         []string
	}{
		"silent": {prompt: "hi", first: hour, close: hour, want: "hi", takes: 10 * time.Second,
			says: []string{"waiting for the standard input", "</dev/null", "continuing without it (stdin_wait_s)"}},
		"closed at once":   {prompt: "hi", want: "hi"},
		"delivers at once": {prompt: "hi", close: 1, first: 0, want: "hi\n\nThe standard input:\n\nab", takes: 1},
		"begins in time": {prompt: "hi", first: 9 * time.Second, close: hour, want: "ab", takes: hour,
			says: []string{"waiting"}},
		"begins too late": {prompt: "hi", first: 11 * time.Second, close: hour, want: "hi", takes: 10 * time.Second,
			says: []string{"waiting", "continuing"}},
		"the prompt itself": {prompt: "-", first: hour, close: hour + 1, want: "ab", takes: hour + 1,
			says: []string{"waiting"}},
		"never impatient": {prompt: "hi", cfg: config.Config{StdinNoticeS: -1, StdinWaitS: -1}, first: hour,
			close: hour + 1, want: "ab", takes: hour + 1},
		"by settings": {prompt: "hi", cfg: config.Config{StdinNoticeS: -1, StdinWaitS: 60}, first: hour, close: hour,
			want: "hi", takes: time.Minute, says: []string{"in 1m0s; continuing"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			var told strings.Builder
			p := Host{stdin: r, stdinIsPiped: true, Stderr: &told}
			began := time.Now()
			go func() {
				if c.first < c.close {
					<-time.After(c.first)
					_, _ = io.WriteString(w, "a")
					_, _ = io.WriteString(w, "b")
				}
				<-time.After(time.Until(began.Add(c.close)))
				_ = w.Close()
			}()
			s := settings{Options: Options{Prompt: &c.prompt}, cfg: c.cfg}
			got, err := p.readPrompt(t.Context(), s)
			if err != nil || !strings.HasSuffix(got, c.want) || time.Since(began) != c.takes {
				t.Errorf("%s: %q after %v, %v", name, got, time.Since(began), err)
			}
			if len(c.says) == 0 && told.Len() > 0 || strings.Count(told.String(), "\n") > 2 {
				t.Errorf("%s: it says %q", name, told.String())
			}
			for _, text := range c.says {
				if !strings.Contains(told.String(), text) {
					t.Errorf("%s: it says %q, without %q", name, told.String(), text)
				}
			}
			<-time.After(2 * hour) // the pipe is closed by then
		})
	}
}

func TestAPipeIsReadUpToAnErrorAStopOrABound(t *testing.T) {
	prompt := "hi"
	s := settings{Options: Options{Prompt: &prompt}}
	broken := errors.New("broken")
	r, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, "a")
		_ = w.CloseWithError(broken)
	}()
	if got, err := (Host{stdin: r, stdinIsPiped: true}).readPrompt(t.Context(), s); !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	r, w = io.Pipe()
	if got, err := (Host{stdin: r, stdinIsPiped: true}).readPrompt(stopped, s); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", got, err)
	}
	_ = w.Close()
	long := strings.NewReader(strings.Repeat("x", headless.MaxLine+1))
	if _, err := (Host{stdin: long, stdinIsPiped: true}).readPrompt(t.Context(), s); err == nil ||
		!strings.Contains(err.Error(), "longer than") {
		t.Errorf("%v", err)
	}
}
