package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// maxBacklog is the default limit, in bytes, on entries and old file contents that wait in memory
// because the disk does not accept them.
const maxBacklog = 64 << 20

// retryDelay is the time after which writing the backlog is tried again. It is also tried with each
// new entry.
const retryDelay = 2 * time.Second

// backlog holds the old file contents that the disk does not accept for now, and notices for the
// user about that. Waiting entries are in the sink.
type backlog struct {
	entriesWait  bool              // entries are waiting, and the user was told
	contentsWait bool              // file contents are waiting, and the user was told
	lostEntries  int               // the number of entries that did not fit into memory
	contents     map[string][]byte // old contents of changed files, by their sums
	size         int               // the number of bytes in contents
	news         []string
	timer        *time.Timer
	closed       bool
}

func (b *backlog) addNews(format string, args ...any) {
	b.news = append(b.news, fmt.Sprintf(format, args...))
}

func (b *backlog) stop() {
	b.closed = true
	if b.timer != nil {
		b.timer.Stop()
	}
}

// News returns sentences for the user that have come up since the last call: that the log cannot be
// written, or can be written again. It may be called on any goroutine.
func (l *Log) News() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	news := l.backlog.news
	l.backlog.news = nil
	return news
}

// Flush writes everything that waits in memory. After an error some of it still waits, and nothing
// is lost.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flush()
}

// enqueue adds a line to the waiting ones, and writes them if possible. The caller of this method
// and of all below it holds l.mu.
func (l *Log) enqueue(line []byte) {
	l.sink.waiting = append(l.sink.waiting, line)
	l.sink.bytes += len(line)
	if l.delayWrites && l.fitsMemory(0) || l.flush() == nil || l.fitsMemory(0) {
		return
	}
	last := len(l.sink.waiting) - 1
	l.sink.waiting = l.sink.waiting[:last]
	l.sink.bytes -= len(line)
	if l.backlog.lostEntries++; l.backlog.lostEntries == 1 {
		l.backlog.addNews(
			"The session log still cannot be written, and %d MiB of it wait in memory. What comes from now "+
				"on is not kept. Make room, or end here.", l.maxWaiting()>>20)
	}
}

func (l *Log) maxWaiting() int { return cmp.Or(l.cfg.Backlog, maxBacklog) }

// fitsMemory reports whether n more bytes may wait in memory.
func (l *Log) fitsMemory(n int) bool { return l.sink.bytes+l.backlog.size+n <= l.maxWaiting() }

// flush writes everything that waits. It writes file contents before the entries that refer to
// them, but a content that cannot be written does not delay entries.
func (l *Log) flush() error {
	b := &l.backlog
	var contentErr error
	for sum, data := range b.contents {
		if err := l.writeContent(sum, data); err != nil {
			contentErr = err
			continue
		}
		delete(b.contents, sum)
		b.size -= len(data)
	}
	err := l.sink.flush()
	b.news = append(b.news, l.sink.notices...)
	l.sink.notices = nil
	switch {
	case err != nil && !b.entriesWait:
		b.entriesWait = true
		b.addNews(
			"The session log cannot be written: %s. What is said and changed is kept in memory and written when it "+
				"can be. Until then a crash loses it, for /undo too.", reason(err))
	case err == nil && b.entriesWait && b.lostEntries > 0:
		b.addNews(
			"The session log is written again. %d entries are missing in it: there was no room for them in memory.",
			b.lostEntries)
		b.entriesWait, b.lostEntries = false, 0
	case err == nil && b.entriesWait:
		b.addNews("The session log is written again. Nothing is missing in it.")
		b.entriesWait = false
	}
	switch {
	case contentErr != nil && !b.contentsWait:
		b.contentsWait = true
		if err == nil { // else it was told
			b.addNews("What a change displaced cannot be written: %s. It is kept in memory for /undo and written when "+
				"it can be.", reason(contentErr))
		}
	case contentErr == nil:
		b.contentsWait = false
	}
	if err = errors.Join(err, contentErr); err != nil && !b.closed {
		if b.timer == nil {
			b.timer = time.AfterFunc(retryDelay, l.retry)
		}
		b.timer.Reset(retryDelay)
	}
	return err
}

// retry tries to write what waits. A timer calls it, so that this does not depend on the next
// entry.
func (l *Log) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.backlog.closed {
		_ = l.flush() // it tries again if it must
	}
}

// flushLast writes everything that waits before the log is closed. The error says how many entries
// and contents are lost.
func (l *Log) flushLast() error {
	err := l.flush()
	var lost error
	if n := len(l.sink.waiting) + l.backlog.lostEntries; n > 0 {
		lost = fmt.Errorf("the last %d entries of this session are lost, %s does not hold them: %s", n, l.Path(),
			reason(err))
	}
	if n := len(l.backlog.contents); n > 0 {
		lost = errors.Join(lost,
			fmt.Errorf("what %d changes displaced is lost, so /undo cannot take them back any more: %s", n,
				reason(err)))
	}
	return lost
}

// reason returns the reason why a file could not be written: the system's error without the path.
func reason(err error) string {
	var number syscall.Errno
	var path *fs.PathError
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &path):
		return path.Err.Error()
	case err == nil:
		return "there was no room for them in memory"
	}
	return err.Error()
}
