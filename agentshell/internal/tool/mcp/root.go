package mcp

//lint:file-ignore SA1019 roots end with revision 2026-07-28; servers of older ones ask for them

import (
	"net/url"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// capabilities returns the capabilities that are announced to a server: the requests that it may
// send.
func (s Server) capabilities() *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}}
	if s.Ask != nil {
		c.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
			URL: &mcp.URLElicitationCapabilities{}}
	}
	if s.Sample != nil {
		c.Sampling = &mcp.SamplingCapabilities{}
	}
	return c
}

// announceRoots announces directories of the workspace to servers as roots.
func announceRoots(c *mcp.Client, dirs []string) {
	for _, dir := range dirs {
		root := url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}
		c.AddRoots(&mcp.Root{URI: root.String(), Name: filepath.Base(dir)})
	}
}
