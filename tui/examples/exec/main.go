// Command exec runs a program, as in exec make -j8: its screen is live, and stays as text.
package main

import (
	"context"
	"os"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/ptyexec"
)

func main() { tui.Main(run(exec.Command("env", os.Args[1:]...))) }

func run(cmd *exec.Cmd) *tui.App {
	app := &tui.App{Footer: &tui.Status{Text: "running", Hint: "Ctrl+C stops"}}
	app.Main = func(ctx context.Context) error { return ptyexec.Run(ctx, app, cmd) }
	return app
}
