package eval

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// cellOutput receives what the program of a language and its child processes print, and passes it
// to the running code cell. The program prints marks into it, which tell where a value was
// displayed and where a cell ended. An output is used for several runs of the program.
type cellOutput struct {
	mu         sync.Mutex
	pace       child.Pace
	markPrefix []byte // markPrefix is the beginning of every mark; nil: none is known yet.
	heldText   []byte // heldText is the end of the last text if it may be the beginning of a mark.
	earlyText  []byte // earlyText is what was printed while no cell ran.
	takeText   func(text []byte)
	reachMark  func(mark int)
}

// maxEarlyBytes is the number of bytes that are kept of output while no cell runs, from threads and
// background processes.
const maxEarlyBytes = 16 << 10

// maxMarkBytes is the length of text that begins like a mark after which it cannot be one.
const maxMarkBytes = 64

// beginRun prepares for a new run of the program. name is a part of the marks of this run.
func (o *cellOutput) beginRun(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.markPrefix, o.heldText, o.earlyText, o.takeText, o.reachMark = []byte("\x1e"+name+":"), nil, nil, nil, nil
}

// connectCell connects the output to a code cell: take receives text, and reached the numbers of
// marks. nil disconnects it.
func (o *cellOutput) connectCell(take func(text []byte), reached func(mark int)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.takeText, o.reachMark = take, reached
	if take != nil && len(o.earlyText) > 0 {
		take(o.earlyText)
		o.earlyText = nil
	}
}

// Write implements io.Writer.
func (o *cellOutput) Write(p []byte) (int, error) {
	o.pace.Spend(len(p))
	o.mu.Lock()
	defer o.mu.Unlock()
	data := append(o.heldText, p...)
	o.heldText = nil
	for len(data) > 0 && o.markPrefix != nil {
		at := bytes.IndexByte(data, o.markPrefix[0])
		if at < 0 {
			break
		}
		o.passText(data[:at])
		data = data[at:]
		number, length, whole := o.readMark(data)
		if !whole {
			o.heldText = bytes.Clone(data)
			return len(p), nil
		}
		if number == 0 {
			o.passText(data[:1])
			data = data[1:]
			continue
		}
		data = data[length:]
		if o.reachMark != nil {
			o.reachMark(number)
		}
	}
	o.passText(data)
	return len(p), nil
}

// readMark reads the mark at the beginning of data. number and length are 0 if data does not begin
// with one. whole is false if the mark may be incomplete.
func (o *cellOutput) readMark(data []byte) (number, length int, whole bool) {
	if n := min(len(data), len(o.markPrefix)); !bytes.Equal(data[:n], o.markPrefix[:n]) {
		return 0, 0, true
	}
	end := -1
	if len(data) > len(o.markPrefix) {
		end = bytes.IndexByte(data[len(o.markPrefix):], o.markPrefix[0])
	}
	if end < 0 {
		return 0, 0, len(data) > maxMarkBytes
	}
	number, err := strconv.Atoi(string(data[len(o.markPrefix) : len(o.markPrefix)+end]))
	if err != nil || number < 0 {
		number = 0
	}
	return number, len(o.markPrefix) + end + 1, true
}

// passText passes text to the cell, or keeps it if no cell runs.
func (o *cellOutput) passText(text []byte) {
	switch {
	case len(text) == 0:
	case o.takeText != nil:
		o.takeText(text)
	case len(o.earlyText) < maxEarlyBytes:
		o.earlyText = append(o.earlyText, text[:min(len(text), maxEarlyBytes-len(o.earlyText))]...)
	}
}
