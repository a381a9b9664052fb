package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// maxBacklog bounds what waits in memory until it can be written, in bytes of entries and of
// displaced content, where [Config] does not.
const maxBacklog = 64 << 20

// patience is how long what waits is left alone between two attempts; each new entry is one as
// well.
const patience = 2 * time.Second

// backlog is what the disk does not take for now, beside the lines that wait in the sink, and what
// the person has to hear of that.
type backlog struct {
	behind   bool              // entries wait, and the person was told
	short    bool              // contents wait, and the person was told
	lost     int               // entries that there was no room for in memory either
	contents map[string][]byte // that changes displaced, by their sums
	size     int               // of contents
	news     []string
	timer    *time.Timer
	closed   bool
}

func (b *backlog) say(format string, args ...any) {
	b.news = append(b.news, fmt.Sprintf(format, args...))
}

func (b *backlog) stop() {
	b.closed = true
	if b.timer != nil {
		b.timer.Stop()
	}
}

// News returns what became of the log since it was asked last, for the person, one sentence or two
// each: once that it cannot be written and once that it is again. It may be called from any
// goroutine.
func (l *Log) News() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	news := l.backlog.news
	l.backlog.news = nil
	return news
}

// Flush writes what waits. An error says that something still does; nothing is lost by it.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flush()
}

// put adds a line to those that wait, and writes them. It wants l.mu, as all that follows.
func (l *Log) put(line []byte) {
	l.sink.waiting = append(l.sink.waiting, line)
	l.sink.bytes += len(line)
	if l.batch && l.fits(0) || l.flush() == nil || l.fits(0) {
		return
	}
	last := len(l.sink.waiting) - 1
	l.sink.waiting = l.sink.waiting[:last]
	l.sink.bytes -= len(line)
	if l.backlog.lost++; l.backlog.lost == 1 {
		l.backlog.say("The session log still cannot be written, and %d MiB of it wait in memory. What comes from now "+
			"on is not kept. Make room, or end here.", l.most()>>20)
	}
}

func (l *Log) most() int { return cmp.Or(l.cfg.Backlog, maxBacklog) }

// fits reports whether there is room in memory for what waits and n more bytes.
func (l *Log) fits(n int) bool { return l.sink.bytes+l.backlog.size+n <= l.most() }

// flush writes what waits: contents before the entries that name them, but one that is not taken
// holds no entry up.
func (l *Log) flush() error {
	b := &l.backlog
	var missing error
	for sum, data := range b.contents {
		if err := l.writeContent(sum, data); err != nil {
			missing = err
			continue
		}
		delete(b.contents, sum)
		b.size -= len(data)
	}
	err := l.sink.flush()
	b.news = append(b.news, l.sink.moved...)
	l.sink.moved = nil
	switch {
	case err != nil && !b.behind:
		b.behind = true
		b.say("The session log cannot be written: %s. What is said and changed is kept in memory and written when it "+
			"can be. Until then a crash loses it, for /undo too.", reason(err))
	case err == nil && b.behind && b.lost > 0:
		b.say("The session log is written again. %d entries are missing in it: there was no room for them in memory.",
			b.lost)
		b.behind, b.lost = false, 0
	case err == nil && b.behind:
		b.say("The session log is written again. Nothing is missing in it.")
		b.behind = false
	}
	switch {
	case missing != nil && !b.short:
		b.short = true
		if err == nil { // else it was told
			b.say("What a change displaced cannot be written: %s. It is kept in memory for /undo and written when "+
				"it can be.", reason(missing))
		}
	case missing == nil:
		b.short = false
	}
	if err = errors.Join(err, missing); err != nil && !b.closed {
		if b.timer == nil {
			b.timer = time.AfterFunc(patience, l.retry)
		}
		b.timer.Reset(patience)
	}
	return err
}

// retry is flush once in a while, so that what waits does not wait for a next entry.
func (l *Log) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.backlog.closed {
		_ = l.flush() // it tries again if it must
	}
}

// rest writes what waits for the last time. The error counts what is lost.
func (l *Log) rest() error {
	err := l.flush()
	var lost error
	if n := len(l.sink.waiting) + l.backlog.lost; n > 0 {
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

// reason returns why a file could not be written, in the system's words, without the path.
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
