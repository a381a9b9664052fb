// Package app puts one run of the program together: host, project, conversations, front end.
package app

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// softMemory is from where on memory that is free is looked for more often: a call with 20 MiB of
// arguments leaves 200 MiB of copies behind otherwise.
const softMemory = 128 << 20

// ThisHost returns what this process has been given, and the context that its signals end. From
// then on other processes cannot read its memory, and what it starts ends with it.
func ThisHost() (context.Context, Host) {
	private()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	family := &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
	if err := family.Adopt(context.Background()); err != nil { // they end as far as they stay in their process groups
		say(os.Stderr, "scrollkeep: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := &ending{kill: func() { family.Close(0) }, exit: os.Exit, cancel: cancel}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go end.watch(signals)
	p := Host{
		getenv: os.Getenv, environ: os.Environ(), tempDir: os.TempDir(),
		stdin: os.Stdin, Stdout: newPipe(os.Stdout, family), Stderr: newPipe(os.Stderr, family),
		piped:  piped(os.Stdin),
		typing: terminal.IsTerminal(os.Stdin), showing: terminal.IsTerminal(os.Stdout),
		family: family, end: end,
	}
	return ctx, p.guarded()
}

// piped reports whether f is something that a shell has put there: | or <.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}

// Host is what the operating system gives a program. Its Stdout and Stderr write no secret that is
// known.
type Host struct {
	getenv         func(string) string
	environ        []string
	tempDir        string
	stdin          io.Reader
	Stdout, Stderr io.Writer
	typing         bool // the standard input is a terminal
	showing        bool // the standard output is one
	piped          bool // the standard input is a pipe or a file, which ends
	family         *child.Family
	end            *ending // nil: takes as long as it takes
}
