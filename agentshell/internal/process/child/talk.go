package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// ErrUnread is the error of a write that a program did not take.
var ErrUnread = errors.New("it does not read what it is sent")

// rest is how long what a program has said at its end may be read, where a descendant holds its
// output.
const rest = 250 * time.Millisecond

// Talk is a program that is spoken to over its standard input and output.
type Talk struct {
	*Process
	// In is its standard input. Once a Write has failed every later one does. Close may be called
	// under a Write.
	In io.WriteCloser
	// Out is its standard output, at a [Pace]. It ends a moment after the program, whoever holds
	// the pipe.
	Out io.ReadCloser
}

// Talk starts cmd as Start does. patience is how long the program may take nothing of what is
// written to it before that fails with [ErrUnread].
func (f *Family) Talk(cmd *exec.Cmd, patience time.Duration) (*Talk, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	file, ok := in.(*os.File)
	if !ok {
		return nil, errors.New("the standard input is no pipe")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	cmd.Stdout = w
	p, err := f.Start(cmd)
	_ = w.Close()
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	go func() {
		<-p.exited
		nap(rest)
		_ = r.Close()
	}()
	return &Talk{Process: p, In: &stdin{file: file, patience: patience}, Out: &paced{ReadCloser: r}}, nil
}

// stdin is a pipe in which no write waits without an end.
type stdin struct {
	file     *os.File
	patience time.Duration
}

func (s *stdin) Write(p []byte) (int, error) {
	const piece = 4 << 10 // is taken as a whole or not at all, so that each one is progress
	done := 0
	for done < len(p) {
		_ = s.file.SetWriteDeadline(time.Now().Add(s.patience))
		n, err := s.file.Write(p[done:min(done+piece, len(p))])
		if done += n; err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				err = ErrUnread
			}
			_ = s.file.Close() // half a message is no message
			return done, err
		}
	}
	return done, nil
}

func (s *stdin) Close() error { return s.file.Close() }
