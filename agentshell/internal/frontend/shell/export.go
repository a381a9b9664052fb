package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/tui"
)

// exportArguments returns the file formats as suggestions for the argument of /export.
func exportArguments(context.Context, Config) []suggestion {
	return []suggestion{{text: "--format html", note: "one page that needs no network"},
		{text: "--format markdown", note: "with a diff below each change"},
		{text: "--format json", note: "for programs"}}
}

// handleExport handles the command /export: it writes the session to a file. Only the user can
// start an export; the model has no tool for it.
func (sh *Shell) handleExport(args string) {
	target, err := export.ParseTarget(args)
	switch {
	case err != nil:
		sh.addBlock(notice, problem("Nothing was written: "+err.Error()+"."))
		return
	case sh.cfg.Session.Export == nil:
		sh.addBlock(notice, problem("/export needs a session log, and this session has none."))
		return
	case sh.refuseWhileBusy("/export"):
		return
	}
	const status = "writing the session"
	sh.runBeside(status, func(ctx context.Context) func() {
		file, err := sh.cfg.Session.Export(ctx, target, func(done, of int) {
			sh.app.Do(func() { sh.status.Text = fmt.Sprintf("%s, %d of %s", status, done, countOf(of, "message")) })
		})
		repository := err == nil && target.File == "" && isInRepository(filepath.Dir(file))
		switch {
		case ctx.Err() != nil:
			sh.addBlock(notice, paragraphs(true, "stopped: nothing was written"))
		case err != nil:
			sh.addBlock(notice, problem("Nothing was written: "+err.Error()+"."))
		default:
			sh.addBlock(notice, func(s tui.Space) []tui.Line {
				rows := s.Wrap(tui.Span{Text: "Wrote the session to " + visibleLine(file, s.Look())})
				note := "Secrets that are known were replaced. Read it before you pass it on."
				if repository {
					note += " It is in a git repository: unless git ignores it, git add -A adds it. " +
						"/export ~/FILE.html writes elsewhere."
				}
				return append(rows, s.Wrap(tui.Span{Text: note, Style: s.Look().Dim})...)
			})
		}
		return func() {}
	})
}

// isInRepository reports whether a directory or one of its parents contains an entry named .git.
func isInRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return false
		}
		dir = above
	}
}
