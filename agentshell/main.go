// Command agentshell is a shell for working with a language model on files. It shows every file
// change as a diff before a byte touches the disk, and it leaves the terminal's scrollback alone.
package main

import (
	"os"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/cli"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
)

func main() {
	// This program also starts itself, to confine a command and to read a document apart: these two
	// return where they are not meant.
	sandbox.Stage(os.Args)
	document.Work(os.Args)
	ctx, host := app.ThisHost()
	host.SDK = sdkFiles()
	host.Exit(cli.Run(ctx, host, os.Args[1:]))
}
