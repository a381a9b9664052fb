package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// keepOutput is the number of bytes that are stored of one long output. keepOutputs limits the
// bytes of all outputs in memory.
const (
	keepOutput  = 4 << 20
	keepOutputs = 32 << 20
)

// outputPrefix is the beginning of the names of stored outputs: "output-1".
const outputPrefix = "output-"

// OutputStore stores outputs by number, so that they outlive the process. It is implemented by
// *session.Log.
type OutputStore interface {
	// KeepOutput stores an output under the number n.
	KeepOutput(n int, text string) error
	// Output returns the output with the number n.
	Output(n int) (string, error)
	LastOutput() int // LastOutput returns the highest number that was ever given to an output.
}

// Outputs stores the long outputs of commands and of MCP servers' tools, without secrets. The model
// reads the parts that it did not get at artifact://NAME. Outputs are stored in the session, or in
// memory if there is no session or storing fails; in memory the oldest outputs are dropped first.
// The zero value is ready. It is safe for use by several goroutines.
type Outputs struct {
	mu    sync.Mutex
	store OutputStore // store is the session's storage; nil: there is no session.
	last  int         // last is the number of the newest output.
	// texts holds the outputs in memory, the oldest first.
	texts []keptOutput
	size  int // size is the number of bytes in texts.
}

// keptOutput is one output in memory, with its number.
type keptOutput struct {
	n    int
	text string
}

// SetStore sets the storage of the session to which outputs belong from now on. Outputs of the
// previous session can no longer be read.
func (o *Outputs) SetStore(s OutputStore) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.store, o.last, o.texts, o.size = s, s.LastOutput(), nil, 0
}

// Keep stores an output and returns its name.
func (o *Outputs) Keep(text string) (name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	if o.store == nil || o.store.KeepOutput(o.last, text) != nil {
		o.texts = append(o.texts, keptOutput{o.last, text})
		o.size += len(text)
		for o.size > keepOutputs && len(o.texts) > 1 {
			o.size -= len(o.texts[0].text)
			o.texts[0] = keptOutput{}
			o.texts = o.texts[1:]
		}
	}
	return fmt.Sprint(outputPrefix, o.last)
}

// IsOutput reports whether name has the form of an output's name. The output need not exist.
func IsOutput(name string) bool { return strings.HasPrefix(name, outputPrefix) }

// Text returns the stored output of that name, or an error if it is not stored or was dropped.
func (o *Outputs) Text(name string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := strconv.Atoi(strings.TrimPrefix(name, outputPrefix))
	if err == nil && name == fmt.Sprint(outputPrefix, n) && n > 0 && n <= o.last {
		for _, k := range o.texts {
			if k.n == n {
				return k.text, nil
			}
		}
		if o.store != nil {
			if text, err := o.store.Output(n); err == nil {
				return text, nil
			}
		}
	}
	return "", errors.New("this output is not kept, or not any more; run it again")
}
