package tool

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// resourceScheme is the scheme of addresses for resources of MCP servers: mcp://SERVER/URI is one
// resource, and mcp://SERVER/ the list of them.
const resourceScheme = "mcp://"

// Resources holds the connected MCP servers whose resources read_file can read, by name. The zero
// value has no servers. It is safe for use by several goroutines.
type Resources struct {
	mu sync.Mutex
	// sources maps the name of a server to its resources.
	sources map[string]Source
	allowed []string // allowed lists the servers from which the model may read without a question.
}

// Source provides the resources of one MCP server. Its texts are untrusted.
type Source interface {
	// Resources returns the list of the server's resources as text.
	Resources(ctx context.Context) (list string, err error)
	// Read returns the text of the resource with that URI.
	Read(ctx context.Context, uri string) (text string, err error)
}

// Add adds a server. If allowed is true, the model may read its resources without a question to the
// user.
func (r *Resources) Add(server string, s Source, allowed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if allowed && !slices.Contains(r.allowed, server) {
		r.allowed = append(r.allowed, server)
	}
	if r.sources == nil {
		r.sources = map[string]Source{}
	}
	r.sources[server] = s
}

// of returns the resources of a server, or nil if there is no such server. allowed says whether the
// model may read them without a question.
func (r *Resources) of(server string) (s Source, allowed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sources[server], slices.Contains(r.allowed, server)
}

// Named returns the text of the resource that the user has mentioned as @SERVER:URI in a message;
// words is the mention without the @. There is no question, because the user named the resource.
// found is false if no server has that name, or words has another form.
func (r *Resources) Named(ctx context.Context, words string) (text string, found bool, err error) {
	server, uri, is := strings.Cut(words, ":")
	source, _ := r.of(server)
	if !is || source == nil || !strings.Contains(uri, "://") {
		return "", false, nil
	}
	text, err = source.Read(ctx, uri)
	return text, true, err
}

// allow lets the model read from a server without a question for the rest of the session.
func (r *Resources) allow(server string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.allowed = append(r.allowed, server)
}

// names returns the names of the servers, sorted.
func (r *Resources) names() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range r.sources {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// resource prepares a call that reads an MCP server's resource, or the list of them. ok is false if
// request is no mcp:// address. The first read of a resource from a server asks the user, because
// the server learns the address; the list does not.
func (t *readFile) resource(id, request string) (call Call, ok bool, err error) {
	rest, ok := strings.CutPrefix(request, resourceScheme)
	if !ok || t.env.Resources == nil {
		return Call{}, false, nil
	}
	server, uri, _ := strings.Cut(rest, "/")
	source, allowed := t.env.Resources.of(server)
	if source == nil {
		has := "there is none"
		if names := t.env.Resources.names(); len(names) > 0 {
			has = "there are: " + strings.Join(names, ", ")
		}
		return Call{}, true, &Error{Code: "not_found", Text: "no server is named " + shownLine(server) + "; " + has}
	}
	name, sel, _, err := parseSelector(uri)
	if err != nil {
		return Call{}, true, err
	}
	uri = name
	address := resourceScheme + server + "/" + uri
	if t.env.Secrets.Contains([]byte(address)) {
		return Call{}, true, invalidArgs("the address holds a key that must not leave this machine")
	}
	call = Call{Title: "read_file " + shownLine(address) + sel.String(), Path: address}
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		read := source.Resources
		if uri != "" {
			read = func(ctx context.Context) (string, error) { return source.Read(ctx, uri) }
		}
		if !allowed && uri != "" {
			t.env.Resources.allow(server)
		}
		text, err := read(ctx)
		if err != nil && ctx.Err() == nil {
			err = failed("%s: %v", shownLine(address), err)
		}
		if err != nil {
			return Result{}, err
		}
		r := readLines(ctx, t.env.Secrets.Redact(text), shownLine(address), sel)
		if uri == "" {
			r.Text += "[read one with " + resourceScheme + server + "/ADDRESS]\n"
		}
		return r, nil
	}
	if !allowed && uri != "" {
		call.Proposal = &approval.Proposal{ID: t.env.newID(), Call: id, Tool: "read_file", Path: address,
			Payload: approval.Generic{Base: approval.Base{Kind: "foreign", Description: "Read " + shownLine(address),
				Sandbox: "mcp"}, Detail: shownLine(address) + "\n"},
			Flags: []approval.Flag{{Name: approval.FlagNetwork, Text: "it sends this address to the server " + server +
				"; further reads from it are not asked for in this session"}}}
		call.Proposal.Subject = call.Subject("read_file")
	}
	return call, true, nil
}
