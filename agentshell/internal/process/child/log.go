package child

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// The numbers of bytes that a Log keeps from the beginning and from the end of the output.
const (
	logHead = 256 << 10
	logTail = 1 << 20
)

// Log writes the output of a program to a file that does not grow beyond a limit: the file keeps
// the first 256 KiB and at least the last MiB. A line between them says how many bytes are missing.
// Call Write from one goroutine; Close may be called from another one.
type Log struct {
	mu        sync.Mutex
	file      *os.File
	size      int64 // size of the file in bytes
	omitted   int64 // number of bytes that were left out of the middle
	tailStart int64 // offset in the file at which its end part begins; 0: nothing was left out
	pace      Pace
}

// OpenLog creates the file at path, or empties it. Only its owner may read it.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &Log{file: file, pace: Pace{Burst: 8 << 20, Rate: 2 << 20}}, nil
}

// Write appends p to the file, not faster than a [Pace] allows. It never returns an error, because
// a full disk must not stop a program.
func (l *Log) Write(p []byte) (int, error) {
	l.pace.Spend(len(p))
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	for len(p) > 0 && l.file != nil {
		k := min(len(p), logTail)
		if l.size+int64(k) > logHead+2*logTail {
			l.cutMiddle()
		}
		wrote, err := l.file.WriteAt(p[:k], l.size)
		l.size += int64(wrote)
		if err != nil {
			break
		}
		p = p[k:]
	}
	return n, nil
}

// cutMiddle removes the bytes between the first part of the file and its last MiB.
func (l *Log) cutMiddle() {
	tail := make([]byte, logTail)
	n, _ := l.file.ReadAt(tail, l.size-logTail)
	tail = tail[:n]
	from := l.tailStart
	if from == 0 {
		from = logHead
	}
	l.omitted += l.size - int64(len(tail)) - from
	line := fmt.Sprintf("\n[%d bytes left out]\n", l.omitted)
	l.size = logHead
	for _, part := range []string{line, string(tail)} {
		wrote, _ := l.file.WriteAt([]byte(part), l.size)
		l.size += int64(wrote)
		if part == line {
			l.tailStart = l.size
		}
	}
	_ = l.file.Truncate(l.size)
}

// Close closes the file. Bytes that are written later are lost.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

var _ io.WriteCloser = (*Log)(nil)
