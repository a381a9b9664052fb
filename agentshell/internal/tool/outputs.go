package tool

import (
	"errors"
	"fmt"
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

// Outputs are long outputs of commands and foreign tools, in memory, without secrets: the model
// reads what it was not given of them as artifact://NAME. The oldest go first. The zero value is
// ready; it is safe for use by several goroutines.
type Outputs struct {
	mu    sync.Mutex
	first int // number of the first in texts, less 1
	texts []string
	size  int
}

// Keep keeps a text and gives its name.
func (o *Outputs) Keep(text string) (name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts = append(o.texts, text)
	o.size += len(text)
	for o.size > keepOutputs && len(o.texts) > 1 {
		o.size -= len(o.texts[0])
		o.texts[0] = ""
		o.texts, o.first = o.texts[1:], o.first+1
	}
	return fmt.Sprint(outputPrefix, o.first+len(o.texts))
}

// IsOutput reports whether a name is one of an output, kept or not.
func IsOutput(name string) bool { return strings.HasPrefix(name, outputPrefix) }

// Text returns a kept output by its name.
func (o *Outputs) Text(name string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var n int
	if _, err := fmt.Sscanf(name, outputPrefix+"%d", &n); err != nil || n <= o.first || n > o.first+len(o.texts) ||
		name != fmt.Sprint(outputPrefix, n) {
		return "", errors.New("this output is not kept, or not any more; run it again")
	}
	return o.texts[n-o.first-1], nil
}
