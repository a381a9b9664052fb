package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// maxBacklog is the default limit, in bytes, for entries and displaced content that wait in memory
// until they can be written.
const maxBacklog = 64 << 20

// retryDelay is the time between two attempts to write the backlog. Each new entry is an attempt as
// well.
const retryDelay = 2 * time.Second

// backlog holds what the disk does not accept for now, besides the lines that wait in the sink, and
// what the person has to be told about that.
type backlog struct {
	entriesWait  bool              // entries wait, and the person was told
	contentsWait bool              // contents wait, and the person was told
	lostEntries  int               // number of entries that did not fit into memory either
	contents     map[string][]byte // content that changes displaced, by its sum
	size         int               // bytes of contents
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

// News returns sentences for the person about the log since the last call: when it cannot be
// written, and when it can be again. It may be called on any goroutine.
func (l *Log) News() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	news := l.backlog.news
	l.backlog.news = nil
	return news
}

// Flush writes everything that waits. After an error something still waits; nothing is lost.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flush()
}

// enqueue adds a line to those that wait, and writes them. The caller holds l.mu, as for all
// functions below.
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

// fitsMemory reports whether there is memory for what waits and n more bytes.
func (l *Log) fitsMemory(n int) bool { return l.sink.bytes+l.backlog.size+n <= l.maxWaiting() }

// flush writes everything that waits: contents before the entries that name them. A content that
// cannot be written does not delay entries.
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

// retry tries to write what waits, so that it does not wait for the next entry.
func (l *Log) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.backlog.closed {
		_ = l.flush() // it tries again if it must
	}
}

// flushLast writes everything that waits before the log is closed. Its error counts what is lost.
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

// reason returns why a file could not be written: the text of the system's error, without the path.
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
