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

// pipeInput is the content of a pipe.
type pipeInput struct {
	started chan struct{} // closed with the first byte, or at the end
	done    chan struct{}
	text    []byte
	err     error
}

// readInput starts reading r. A read of a pipe that nobody writes or closes never ends.
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

// stdinTimeouts are the times that a run waits for the first byte of its standard input: until it
// says so, and until it continues without. Below 0: for ever.
type stdinTimeouts struct{ notice, giveUp time.Duration }

func stdinTimeoutsOf(cfg config.Config) stdinTimeouts {
	return stdinTimeouts{time.Duration(cmp.Or(cfg.StdinNoticeS, 3)) * time.Second,
		time.Duration(cmp.Or(cfg.StdinWaitS, 10)) * time.Second}
}

// timer returns a channel that gets a value after d, or never if d is negative, and the function
// that stops it.
func timer(d time.Duration) (<-chan time.Time, func() bool) {
	if d < 0 {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// waitForInput waits for the whole input. present reports whether there is one. If it is not needed
// and does not begin in time, it counts as missing.
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

// stdinHint tells how to start a run that does not wait for its standard input.
func stdinHint(needed bool) string {
	if needed {
		return ""
	}
	return " (</dev/null says that there is none)"
}

// readPrompt returns the text of -p, together with the content of the standard input.
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
