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

// input is what a pipe delivers.
type input struct {
	began chan struct{} // closed with the first byte or the end
	ended chan struct{}
	text  []byte
	err   error
}

// readInput begins to read r. Nothing ends a read of a pipe that nobody writes or closes.
func readInput(r io.Reader) *input {
	in := &input{began: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(in.ended)
		first := make([]byte, 4096)
		n, err := r.Read(first)
		for n == 0 && err == nil {
			n, err = r.Read(first)
		}
		close(in.began)
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

// impatience is how long a run waits for the first byte of its standard input: before it says so,
// and before it goes on without. Below 0: it never does.
type impatience struct{ notice, end time.Duration }

func impatienceOf(cfg config.Config) impatience {
	return impatience{time.Duration(cmp.Or(cfg.StdinNoticeS, 3)) * time.Second,
		time.Duration(cmp.Or(cfg.StdinWaitS, 10)) * time.Second}
}

// after returns a channel that is told when d is up, which may be never.
func after(d time.Duration) (<-chan time.Time, func() bool) {
	if d < 0 {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// await waits for the whole input. It reports whether there is one: where none is needed, one that
// does not begin in time is none.
func (p Host) await(ctx context.Context, in *input, i impatience, needed bool) (came bool, err error) {
	notice, stopNotice := after(i.notice)
	defer stopNotice()
	end, stopEnd := after(i.end)
	defer stopEnd()
	if needed {
		end = nil
	}
	for {
		select {
		case <-in.began:
			select {
			case <-in.ended:
				return true, in.err
			case <-ctx.Done():
				return false, ctx.Err()
			}
		case <-notice:
			say(p.Stderr, "scrollkeep: waiting for the standard input, a pipe that nobody has written to or closed%s",
				leavesOut(needed))
		case <-end:
			say(p.Stderr, "scrollkeep: nothing came on the standard input in %v; continuing without it (stdin_wait_s)",
				i.end)
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// leavesOut returns how a run is started that does not wait for its standard input.
func leavesOut(needed bool) string {
	if needed {
		return ""
	}
	return " (</dev/null says that there is none)"
}

// prompt returns the text of -p, with what is piped to the standard input.
func (p Host) prompt(ctx context.Context, s settings) (string, error) {
	given := deref(s.Prompt)
	if s.Prompt == nil || given != "-" && !p.piped {
		return given, nil
	}
	in := readInput(p.stdin)
	came, err := p.await(ctx, in, impatienceOf(s.cfg), given == "-")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("cannot read the prompt: %w", err)
	case !came:
		return given, nil
	case len(in.text) > headless.MaxLine:
		return "", usage("the prompt on the standard input is longer than %d bytes", headless.MaxLine)
	case given != "-" && strings.TrimSpace(string(in.text)) == "":
		return given, nil
	case given != "-":
		return given + "\n\nThe standard input:\n\n" + string(in.text), nil
	case strings.TrimSpace(string(in.text)) == "":
		return "", usage("the prompt on the standard input is empty")
	}
	return string(in.text), nil
}
