package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// pipeInput reads the standard input in the background.
type pipeInput struct {
	started chan struct{} // Closed when the first byte has been read, or at the end of the input.
	done    chan struct{}
	text    []byte
	err     error
}

// readInput begins to read r in a goroutine. The goroutine never ends if nobody writes to or closes
// the pipe.
func readInput(r io.Reader) *pipeInput {
	in := &pipeInput{started: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(in.done)
		first := make([]byte, 4096)
		n, err := r.Read(first)
		for n == 0 && err == nil {
			n, err = r.Read(first)
		}
		close(in.started)
		in.text = first[:n]
		if err == nil {
			var more []byte
			more, err = io.ReadAll(io.LimitReader(r, int64(headless.MaxLine+1-n)))
			in.text = append(in.text, more...)
		}
		if err != io.EOF {
			in.err = err
		}
	}()
	return in
}

// stdinTimeouts holds how long a run waits for the first byte of its standard input: before it
// prints a notice, and before it goes on without input. A negative time means for ever.
type stdinTimeouts struct{ notice, giveUp time.Duration }

// stdinTimeoutsOf returns the configured times, or 3 s and 10 s.
func stdinTimeoutsOf(cfg config.Config) stdinTimeouts {
	return stdinTimeouts{time.Duration(cmp.Or(cfg.StdinNoticeS, 3)) * time.Second,
		time.Duration(cmp.Or(cfg.StdinWaitS, 10)) * time.Second}
}

// timer returns a channel that receives a value after d, and a function that stops the timer. If d
// is negative, the channel never receives a value.
func timer(d time.Duration) (<-chan time.Time, func() bool) {
	if d < 0 {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// waitForInput waits for the end of the standard input. present is false if the input is not needed
// and has not begun within timeouts.giveUp.
func (p Host) waitForInput(ctx context.Context, in *pipeInput, timeouts stdinTimeouts, needed bool) (present bool,
	err error) {
	notice, stopNotice := timer(timeouts.notice)
	defer stopNotice()
	giveUp, stopEnd := timer(timeouts.giveUp)
	defer stopEnd()
	if needed {
		giveUp = nil
	}
	for {
		select {
		case <-in.started:
			select {
			case <-in.done:
				return true, in.err
			case <-ctx.Done():
				return false, ctx.Err()
			}
		case <-notice:
			PrintLine(p.Stderr,
				"agentshell: waiting for the standard input, a pipe that nobody has written to or closed%s",
				stdinHint(needed))
		case <-giveUp:
			PrintLine(p.Stderr,
				"agentshell: nothing came on the standard input in %v; continuing without it (stdin_wait_s)",
				timeouts.giveUp)
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// stdinHint returns a hint at how to run agentshell without a standard input, or "" if the input is
// needed.
func stdinHint(needed bool) string {
	if needed {
		return ""
	}
	return " (</dev/null says that there is none)"
}

// readPrompt returns the prompt of -p. If the standard input is a pipe or a file, its content is
// added; with "-p -" it is the prompt.
func (p Host) readPrompt(ctx context.Context, s settings) (string, error) {
	flag := textOf(s.Prompt)
	if s.Prompt == nil || flag != "-" && !p.stdinIsPiped {
		return flag, nil
	}
	in := readInput(p.stdin)
	present, err := p.waitForInput(ctx, in, stdinTimeoutsOf(s.cfg), flag == "-")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("cannot read the prompt: %w", err)
	case !present:
		return flag, nil
	case len(in.text) > headless.MaxLine:
		return "", UsageErrorf("the prompt on the standard input is longer than %d bytes", headless.MaxLine)
	case flag != "-" && strings.TrimSpace(string(in.text)) == "":
		return flag, nil
	case flag != "-":
		return flag + "\n\nThe standard input:\n\n" + string(in.text), nil
	case strings.TrimSpace(string(in.text)) == "":
		return "", UsageErrorf("the prompt on the standard input is empty")
	}
	return string(in.text), nil
}
