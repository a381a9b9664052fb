package app

import (
	"errors"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// foreignTools holds the tools of MCP servers and extensions, and gives them to all conversations
// of the process. The zero value is empty. It is safe for several goroutines.
type foreignTools struct {
	mu         sync.Mutex
	byServer   map[string][]tool.Tool
	order      []string // The names of the servers, in the order in which they became ready.
	registries []taker
}

// taker is the tool registry of a conversation, which gets the tools of servers that it is allowed
// to have.
type taker struct {
	*tool.Registry
	// Reports whether the conversation may have the tool of that name.
	allowed func(name string) bool
}

// put replaces the tools of a server in the registry by those of tools that are allowed.
func (t taker) put(server string, tools []tool.Tool) error {
	return t.Put(server, slices.DeleteFunc(slices.Clone(tools), func(one tool.Tool) bool {
		return !t.allowed(one.Spec().Name)
	}))
}

// setTools replaces the tools of a server in all conversations.
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

// addRegistry gives a conversation the tools of all servers, now and whenever they change, as far
// as allowed returns true for their names.
func (f *foreignTools) addRegistry(registry *tool.Registry, allowed func(name string) bool) {
	r := taker{registry, allowed}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registries = append(f.registries, r)
	for _, server := range f.order {
		_ = r.put(server, f.byServer[server]) // setTools has checked these tools in other registries
	}
}

// removeRegistry stops giving tools to the conversation with that registry.
func (f *foreignTools) removeRegistry(r *tool.Registry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registries = slices.DeleteFunc(f.registries, func(o taker) bool { return o.Registry == r })
}
