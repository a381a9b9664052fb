package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// What is kept of outputs whose middle the model was not given, in bytes: of one, and of all.
const (
	keepOutput  = 4 << 20
	keepOutputs = 32 << 20
)

// outputPrefix begins the name of a kept output.
const outputPrefix = "output-"

// OutputStore keeps outputs by their numbers for longer than the process runs. *session.Log
// implements it.
type OutputStore interface {
	KeepOutput(n int, text string) error
	Output(n int) (string, error)
	LastOutput() int // the highest number that was ever given
}

// Outputs are long outputs of commands and foreign tools, without secrets: the model reads what it
// was not given of them as artifact://NAME. They are kept in the session, or in memory where there
// is none or it takes nothing. Of those in memory the oldest go first. The zero value is ready; it
// is safe for use by several goroutines.
type Outputs struct {
	mu    sync.Mutex
	store OutputStore // nil: there is none
	last  int         // number of the output that came last
	texts []keptOutput
	size  int // of texts
}

// keptOutput is an output in memory.
type keptOutput struct {
	n    int
	text string
}

// SetStore sets the session to which all outputs belong from now on. Those of another session
// cannot be read any more.
func (o *Outputs) SetStore(s OutputStore) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.store, o.last, o.texts, o.size = s, s.LastOutput(), nil, 0
}

// Keep keeps a text and gives its name.
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

// IsOutput reports whether a name is one of an output, kept or not.
func IsOutput(name string) bool { return strings.HasPrefix(name, outputPrefix) }

// Text returns a kept output by its name.
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
