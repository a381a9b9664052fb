package eval

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// output takes what a program and all that it has started print, and leads it to the cell that
// runs. Marks of the program stand in it: where a value was shown, and where a cell ended. It lives
// longer than one run of the program.
type output struct {
	mu      sync.Mutex
	pace    child.Pace
	mark    []byte // how a mark begins; nil: there are none yet
	held    []byte // the beginning of a mark, or of nothing
	early   []byte // what came while no cell ran
	take    func(text []byte)
	reached func(mark int)
}

// maxEarly is how many bytes are held that come while no cell runs: of threads, of processes in the
// background.
const maxEarly = 16 << 10

// markLength is the number of bytes after which something that begins like a mark is none.
const markLength = 64

// begin forgets what an earlier run of the program has left. name is what its marks are called.
func (o *output) begin(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mark, o.held, o.early, o.take, o.reached = []byte("\x1e"+name+":"), nil, nil, nil, nil
}

// lead leads what comes to a cell; take and reached are nil after it.
func (o *output) lead(take func(text []byte), reached func(mark int)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.take, o.reached = take, reached
	if take != nil && len(o.early) > 0 {
		take(o.early)
		o.early = nil
	}
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
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

// readMark reads the mark with which data begins; 0: it is none. whole is false if more of it may
// come.
func (o *output) readMark(data []byte) (number, length int, whole bool) {
	if n := min(len(data), len(o.mark)); !bytes.Equal(data[:n], o.mark[:n]) {
		return 0, 0, true
	}
	end := -1
	if len(data) > len(o.mark) {
		end = bytes.IndexByte(data[len(o.mark):], o.mark[0])
	}
	if end < 0 {
		return 0, 0, len(data) > markLength
	}
	number, err := strconv.Atoi(string(data[len(o.mark) : len(o.mark)+end]))
	if err != nil || number < 0 {
		number = 0
	}
	return number, len(o.mark) + end + 1, true
}

// pass gives text on.
func (o *output) pass(text []byte) {
	switch {
	case len(text) == 0:
	case o.take != nil:
		o.take(text)
	case len(o.early) < maxEarly:
		o.early = append(o.early, text[:min(len(text), maxEarly-len(o.early))]...)
	}
}
