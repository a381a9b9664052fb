package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// ErrUnread is the error of a write if the program does not read its standard input.
var ErrUnread = errors.New("it does not read what it is sent")

// lastOutputDelay is the time for which a program's last output can be read after its end, if a
// descendant still holds the pipe.
const lastOutputDelay = 250 * time.Millisecond

// Talk is a running program with which this process exchanges messages over its standard input and
// output.
type Talk struct {
	*Process
	// In is the program's standard input. After a failed Write all later ones fail. Close may be
	// called during a Write.
	In io.WriteCloser
	// Out is the program's standard output, read not faster than a [Pace] allows. It ends shortly
	// after the program, even if another process holds the pipe.
	Out io.ReadCloser
}

// Talk starts cmd as [Family.Start] does, with pipes for its standard input and output. A write to
// the program fails with [ErrUnread] if the program reads nothing for the time patience.
func (f *Family) Talk(cmd *exec.Cmd, patience time.Duration) (*Talk, error) {
	return TalkBy(cmd, patience, func() (*Process, error) { return f.Start(cmd) })
}

// TalkBy works as [Family.Talk] does, but the function start starts the program, once cmd has got
// its pipes.
func TalkBy(cmd *exec.Cmd, patience time.Duration, start func() (*Process, error)) (*Talk, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	cmd.Stdin, cmd.Stdout = theirIn, theirOut
	p, err := start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go func() {
		<-p.exited
		pause(lastOutputDelay)
		_, _ = out.Close(), in.Close()
	}()
	return &Talk{Process: p, In: &stdin{file: in, patience: patience}, Out: &pacedReader{ReadCloser: out}}, nil
}

// stdin is the writing end of a pipe on which no write waits forever.
type stdin struct {
	file     *os.File
	patience time.Duration
}

func (s *stdin) Write(p []byte) (int, error) {
	const piece = 4 << 10 // a pipe takes this many bytes at once or none, so each piece is progress
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
