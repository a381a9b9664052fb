// Testresults is an extension that shows the results of `go test`: the tests that failed with what
// they printed, and one row for all that passed. It reads the plain output and that of -json.
package main

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
)

func main() { extension.Main(program()) }

// program returns the description of this extension.
func program() extension.Extension {
	return extension.Extension{
		About:   "shows results of go test",
		Program: []string{"${dir}/testresults"},
		Renderers: []extension.Renderer{{Tool: "bash",
			Result: func(_ context.Context, s extension.Shown) []extension.Row { return read(s.Text).rows() }}},
	}
}
