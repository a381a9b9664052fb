// Command agentshell is a shell for working with a language model on files. It shows every file
// change as a diff before a byte touches the disk, and it leaves the terminal's scrollback alone.
package main

import "github.com/scrollkeep/scrollkeep/agentshell/internal/app"

func main() { app.Main() }
