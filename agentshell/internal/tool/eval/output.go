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
	mu      sync.Mutex
	pace    child.Pace
	mark    []byte // mark is the beginning of every mark; nil: none is known yet.
	held    []byte // held is the end of the last text if it may be the beginning of a mark.
	early   []byte // early is what was printed while no cell ran.
	take    func(text []byte)
	reached func(mark int)
}

// maxEarlyBytes is the number of bytes that are kept of output while no cell runs, from threads and
// background processes.
const maxEarlyBytes = 16 << 10

// maxMarkBytes is the length of text that begins like a mark after which it cannot be one.
const maxMarkBytes = 64

// begin prepares for a new run of the program. name is a part of the marks of this run.
func (o *cellOutput) begin(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mark, o.held, o.early, o.take, o.reached = []byte("\x1e"+name+":"), nil, nil, nil, nil
}

// lead connects the output to a code cell: take receives text, and reached the numbers of marks.
// nil disconnects it.
func (o *cellOutput) lead(take func(text []byte), reached func(mark int)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.take, o.reached = take, reached
	if take != nil && len(o.early) > 0 {
		take(o.early)
		o.early = nil
	}
}

// Write implements io.Writer.
func (o *cellOutput) Write(p []byte) (int, error) {
	o.pace.Spend(len(p))
	o.mu.Lock()
	defer o.mu.Unlock()
	data := append(o.held, p...)
	o.held = nil
	for len(data) > 0 && o.mark != nil {
		at := bytes.IndexByte(data, o.mark[0])
		if at < 0 {
			break
		}
		o.pass(data[:at])
		data = data[at:]
		number, length, whole := o.readMark(data)
		if !whole {
			o.held = bytes.Clone(data)
			return len(p), nil
		}
		if number == 0 {
			o.pass(data[:1])
			data = data[1:]
			continue
		}
		data = data[length:]
		if o.reached != nil {
			o.reached(number)
		}
	}
	o.pass(data)
	return len(p), nil
}

// readMark reads the mark at the beginning of data. number and length are 0 if data does not begin
// with one. whole is false if the mark may be incomplete.
func (o *cellOutput) readMark(data []byte) (number, length int, whole bool) {
	if n := min(len(data), len(o.mark)); !bytes.Equal(data[:n], o.mark[:n]) {
		return 0, 0, true
	}
	end := -1
	if len(data) > len(o.mark) {
		end = bytes.IndexByte(data[len(o.mark):], o.mark[0])
	}
	if end < 0 {
		return 0, 0, len(data) > maxMarkBytes
	}
	number, err := strconv.Atoi(string(data[len(o.mark) : len(o.mark)+end]))
	if err != nil || number < 0 {
		number = 0
	}
	return number, len(o.mark) + end + 1, true
}

// pass passes text to the cell, or keeps it if no cell runs.
func (o *cellOutput) pass(text []byte) {
	switch {
	case len(text) == 0:
	case o.take != nil:
		o.take(text)
	case len(o.early) < maxEarlyBytes:
		o.early = append(o.early, text[:min(len(text), maxEarlyBytes-len(o.early))]...)
	}
}
