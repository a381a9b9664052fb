package app

import (
	"errors"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// foreignTools holds the tools of MCP servers, which every conversation of the process may use. The
// zero value holds none. It is safe for use by several goroutines.
type foreignTools struct {
	mu       sync.Mutex
	byServer map[string][]tool.Tool
	order    []string // of the servers, by when they came first
	offered  []*tool.Registry
}

// put gives a server its tools, in every conversation, in place of the ones that it had.
func (f *foreignTools) put(server string, tools []tool.Tool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []error
	for _, r := range f.offered {
		all = append(all, r.Put(server, tools))
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	if f.byServer == nil {
		f.byServer = map[string][]tool.Tool{}
	}
	if !slices.Contains(f.order, server) {
		f.order = append(f.order, server)
	}
	f.byServer[server] = tools
	return nil
}

// offerTo gives a conversation the tools that there are, and those that come later.
func (f *foreignTools) offerTo(r *tool.Registry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered = append(f.offered, r)
	for _, server := range f.order {
		_ = r.Put(server, f.byServer[server]) // it went well in another registry
	}
}

// forget ends what offerTo began.
func (f *foreignTools) forget(r *tool.Registry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered = slices.DeleteFunc(f.offered, func(o *tool.Registry) bool { return o == r })
}
