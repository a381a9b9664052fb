// Package app assembles a run of agentshell from its parts: the host (environment, streams,
// processes), the project with its settings and tools, the conversations, and a front end.
package app

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// memoryLimit is the amount of memory, in bytes, beyond which Go collects garbage more often.
// Without it, a tool call with 20 MiB of arguments leaves 200 MiB of copies.
const memoryLimit = 128 << 20

// ThisHost returns the host of this process, and a context that signals cancel. From then on other
// processes cannot read its memory, and programs that it starts end together with it.
func ThisHost() (context.Context, Host) {
	hideMemory()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	family := &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
	// If this fails, programs that leave their process group may survive the end of agentshell.
	if err := family.AdoptOrphans(context.Background()); err != nil {
		PrintLine(os.Stderr, "agentshell: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &ending{kill: func() { family.Close(0) }, cancel: func() { cancel(nil) }}
	open := func(f *os.File) (p pipe) {
		p = newPipe(f, func() { // everything ends in order, and SIGPIPE ends the process
			e.noReader(p.die)
			cancel(headless.ErrNoReader)
		})
		return p
	}
	stdout := open(os.Stdout)
	go stdout.watch()
	e.exit = e.leave
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go e.watch(signals)
	p := Host{
		getenv: os.Getenv, environ: os.Environ(), tempDir: os.TempDir(),
		stdin: os.Stdin, Stdout: stdout, Stderr: open(os.Stderr),
		stdinIsPiped:    isPiped(os.Stdin),
		stdinIsTerminal: terminal.IsTerminal(os.Stdin), stdoutIsTerminal: terminal.IsTerminal(os.Stdout),
		family: family, end: e,
	}
	return ctx, p.withRedactedOutput()
}

// Exit ends the process with an exit code, or with SIGPIPE if nobody reads the output any more.
func (p Host) Exit(code int) { p.end.leave(code) }

// isPiped reports whether f is a pipe or a regular file, as after | or < in a shell.
func isPiped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}

// Host holds what the operating system provides to agentshell: environment variables, standard
// streams, processes. Secrets are replaced in what is written to Stdout and Stderr.
type Host struct {
	getenv           func(string) string
	environ          []string
	tempDir          string
	stdin            io.Reader
	Stdout, Stderr   io.Writer
	stdinIsTerminal  bool
	stdoutIsTerminal bool
	stdinIsPiped     bool // The standard input is a pipe or a file, so that it ends.
	// The process tree of all programs that agentshell starts.
	family *child.Family
	end    *ending // Limits how long the process takes to exit; nil means no limit.
	SDK    fs.FS   // The files of the directory agentshell/extension, which new extensions get.
}
