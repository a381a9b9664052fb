package app

import (
	"errors"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// foreignTools holds the tools of MCP servers, which every conversation of the process can use. The
// zero value is empty. It is safe for several goroutines.
type foreignTools struct {
	mu         sync.Mutex
	byServer   map[string][]tool.Tool
	order      []string // names of the servers, the one that came first being the first
	registries []taker
}

// taker is a conversation that has some of the tools.
type taker struct {
	*tool.Registry
	allowed func(name string) bool
}

// put gives the conversation those tools of a server that it may have.
func (t taker) put(server string, tools []tool.Tool) error {
	return t.Put(server, slices.DeleteFunc(slices.Clone(tools), func(one tool.Tool) bool {
		return !t.allowed(one.Spec().Name)
	}))
}

// setTools replaces the tools of a server in every conversation.
func (f *foreignTools) setTools(server string, tools []tool.Tool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, r := range f.registries {
		errs = append(errs, r.put(server, tools))
	}
	if err := errors.Join(errs...); err != nil {
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

// addRegistry gives a conversation those of the current tools, and of those that come later, whose
// names are allowed.
func (f *foreignTools) addRegistry(registry *tool.Registry, allowed func(name string) bool) {
	r := taker{registry, allowed}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registries = append(f.registries, r)
	for _, server := range f.order {
		_ = r.put(server, f.byServer[server]) // it went well in another registry
	}
}

// removeRegistry stops giving tools to a conversation.
func (f *foreignTools) removeRegistry(r *tool.Registry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registries = slices.DeleteFunc(f.registries, func(o taker) bool { return o.Registry == r })
}
