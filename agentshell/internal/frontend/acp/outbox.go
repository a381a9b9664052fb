package acp

import (
	"encoding/json"
	"io"
	"sync"

	wire "github.com/coder/acp-go-sdk"
)

// outbox is the way to the client. It knows when the client has been told of a session: what is
// said of it has to come behind.
type outbox struct {
	w io.Writer

	mu    sync.Mutex
	after map[wire.SessionId]func()
}

// once calls do when the answer that names the session has been written.
func (o *outbox) once(id wire.SessionId, do func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.after == nil {
		o.after = map[wire.SessionId]func(){}
	}
	o.after[id] = do
}

// Write writes a message; the connection makes one Write of each.
func (o *outbox) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.after) == 0 {
		return n, err
	}
	var m struct {
		Method string
		Result struct{ SessionId wire.SessionId } //nolint:revive // the protocol's spelling
	}
	if json.Unmarshal(p, &m) != nil || m.Method != "" {
		return n, err
	}
	if do := o.after[m.Result.SessionId]; do != nil {
		delete(o.after, m.Result.SessionId)
		go do() // the connection is locked
	}
	return n, err
}
