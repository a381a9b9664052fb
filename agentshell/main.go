// Command agentshell is a shell for the terminal in which a user works on files together with a
// language model. It shows every file change as a diff before anything is written to the disk, and
// it never erases the terminal's scrollback.
package main

import (
	"os"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/cli"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
)

func main() {
	// agentshell also runs itself as a helper: to start a command in the sandbox, and to read a
	// document in a process of its own. These two calls return if it is not run so.
	sandbox.Stage(os.Args)
	document.Work(os.Args)
	ctx, host := app.ThisHost()
	host.SDK = sdkFiles()
	host.Exit(cli.Run(ctx, host, os.Args[1:]))
}
