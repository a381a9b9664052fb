package shell

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// extensionCommands returns the commands of extensions. taken are the commands that come first.
func (sh *Shell) extensionCommands(taken []slashCommand) []extension.Entered {
	if sh.cfg.Programs.Extensions == nil {
		return nil
	}
	return sh.cfg.Programs.Extensions.Commands(isCommand(taken))
}

// isCommand returns what reports whether one of several commands has a name.
func isCommand(list []slashCommand) func(name string) bool {
	return func(name string) bool {
		_, is := findCommand(list, "/"+name)
		return is
	}
}

// extensionCommand returns a command of an extension as the person enters it.
func (sh *Shell) extensionCommand(c extension.Entered) slashCommand {
	e, name := c.Extension, "/"+c.By
	s := slashCommand{name: name, args: harmlessLine(c.Args), about: harmlessLine(c.About),
		run: func(sh *Shell, rest string) { sh.runExtension(e, c.Name, name, rest) }}
	if c.Complete {
		s.complete = func(ctx context.Context, arg string) (list []suggestion) {
			for _, i := range e.Complete(ctx, c.Name, arg) {
				text := harmlessLine(i.Text)
				if text == i.Text && text != "" { // what is put into the prompt is what was shown
					list = append(list, suggestion{text: text, note: harmlessLine(i.Note)})
				}
			}
			return list
		}
	}
	return s
}

// maxLine is the number of bytes of a text of an extension that stands in a list.
const maxLine = 500

// harmlessLine returns a text of an extension as one line without controls.
func harmlessLine(text string) string { return shownText(width.Head(text, min(len(text), maxLine))) }

// runExtension runs a command of an extension, and shows what came of it.
func (sh *Shell) runExtension(e *extension.Extension, command, name, args string) {
	if sh.refuseWhileBusy(name) {
		return
	}
	columns, _ := sh.app.LiveSize()
	sh.runBeside("running "+name, func(ctx context.Context) func() {
		reply, err := e.Command(ctx, command, args, columns, func(text string) {
			sh.app.Do(func() {
				if sh.busy() {
					sh.status.Text = harmlessLine(e.Name + ": " + text)
				}
			})
		})
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped:
				sh.addBlock(notice, paragraphs(false, name+" was stopped."))
			case err != nil:
				sh.addBlock(notice, problem(name+" failed: "+strings.TrimSuffix(err.Error(), ".")+".",
					restartAdvice(e.Status())))
			default:
				sh.takeReply(reply)
			}
		}
	})
}

// restartAdvice says how an extension that was given up is started again, "" if it was not, or if
// that does not help.
func restartAdvice(st extension.Status) string {
	if st.State != helper.Failed || st.Final {
		return ""
	}
	return "/extensions restart " + st.Extension + " tries again."
}

// takeReply shows what a command of an extension has answered. It is called on the loop.
func (sh *Shell) takeReply(r extension.Reply) {
	if len(r.Rows) > 0 {
		sh.addBlock(notice, func(s tui.Space) []tui.Line { return wrappedRows(r.Rows, s) })
	}
	switch {
	case r.Draft == "":
	case sh.editor.Empty():
		sh.editor.SetText(r.Draft)
	default:
		sh.editor.Insert(r.Draft)
	}
	if r.Send != "" {
		sh.send(message{text: r.Send})
	}
}

// extensionStyle returns the style of a role that a span names.
func extensionStyle(role string, t *tui.Theme) tui.Style {
	switch role {
	case "dim":
		return t.Dim
	case "strong":
		return t.Strong
	case "accent", "selected":
		return t.Accent
	case "added":
		return t.Added
	case "removed":
		return t.Removed
	case "warning":
		return t.Warning
	case "error":
		return t.Error
	case "code":
		return t.Code
	case "heading":
		return t.Heading
	case "keyword":
		return t.Syntax.Keyword
	case "string":
		return t.Syntax.String
	case "comment":
		return t.Syntax.Comment
	case "number":
		return t.Syntax.Number
	}
	return tui.Style{}
}

// spansOf returns a row of an extension in the styles of a theme.
func spansOf(row extension.Row, t *tui.Theme) (spans []tui.Span) {
	for _, s := range row {
		spans = append(spans, tui.Span{Text: s.Text, Style: extensionStyle(s.Style, t), Link: s.Link})
	}
	return spans
}

// cutRows returns rows of an extension, each cut at the width of s.
func cutRows(rows extension.Rows, s tui.Space) (lines []tui.Line) {
	for _, r := range rows {
		lines = append(lines, s.Cut(spansOf(r, s.Look())...))
	}
	return lines
}

// wrappedRows returns rows of an extension, broken where they are too wide.
func wrappedRows(rows extension.Rows, s tui.Space) (lines []tui.Line) {
	for _, r := range rows {
		if len(r) == 0 {
			lines = append(lines, tui.Line{})
			continue
		}
		lines = append(lines, s.Wrap(spansOf(r, s.Look())...)...)
	}
	return lines
}

// minStatusPart is the fewest columns that an extension gets in the status row. The last extensions
// are not shown if there is not that much for each.
const minStatusPart = 8

// statusShare returns how many of n extensions have a part of the status row, and its columns: half
// of the row in all. It depends on nothing that changes often, since a width is asked for anew. The
// approval mode is never cut.
func (sh *Shell) statusShare(s tui.Space, n int, dot string) (shown, columns int) {
	gap := s.Columns(dot)
	half := min(s.Width/2, s.Width-2-s.Columns(sh.modeName())-1-gap) // 1: a sign that more is cut
	if n = min(n, (half+gap)/(minStatusPart+gap)); n < 1 {
		return 0, 0
	}
	return n, min(extension.StatusWidth, (half-gap*(n-1))/n)
}

// extensionStatus returns what extensions show in the status row, as it is known, each with a dot
// before it. Each has the columns that it was asked for.
func (sh *Shell) extensionStatus(s tui.Space, dot string) (spans []tui.Span) {
	if sh.cfg.Programs.Extensions == nil ||
		len(sh.cfg.Appearance.Status) > 0 && !slices.Contains(sh.cfg.Appearance.Status, "extensions") {
		return nil
	}
	t := s.Look()
	all := slices.DeleteFunc(sh.cfg.Programs.Extensions.All(),
		func(e *extension.Extension) bool { return !e.Manifest.Status })
	shown, columns := sh.statusShare(s, len(all), dot)
	part := s
	part.Width = columns
	for _, e := range all[:shown] {
		rows := e.Rows(extension.Asked{Part: extension.PartStatus, Width: part.Width, Height: 1})
		if len(rows) == 0 || len(rows[0]) == 0 {
			continue
		}
		spans = append(spans, tui.Span{Text: dot, Style: t.Status})
		for _, span := range part.Cut(spansOf(rows[0], t)...).Spans {
			if span.Style == (tui.Style{}) {
				span.Style = t.Status
			}
			spans = append(spans, span)
		}
	}
	return spans
}

// extensionFooter returns the rows of extensions below the status row, as they are known.
func (sh *Shell) extensionFooter(s tui.Space) (lines []tui.Line) {
	if sh.cfg.Programs.Extensions == nil || s.Height < 10 {
		return nil
	}
	for _, e := range sh.cfg.Programs.Extensions.All() {
		if !e.Manifest.Footer || len(lines) >= extension.FooterRows {
			continue
		}
		rows := e.Rows(extension.Asked{Part: extension.PartFooter, Width: s.Width, Height: extension.FooterRows})
		lines = append(lines, cutRows(rows, s)...)
	}
	return lines[:min(len(lines), extension.FooterRows)]
}

// extensionScreen is the screen that extensions have.
type extensionScreen struct{ sh *Shell }

// Size returns the columns and rows of the window, as far as they are known.
func (x extensionScreen) Size() (columns, rows int) { return x.sh.app.LiveSize() }

// Refresh draws again.
func (x extensionScreen) Refresh() { x.sh.app.Do(func() {}) }

// handleExtensions handles /extensions.
func (sh *Shell) handleExtensions(argument string) {
	if argument == "" {
		lines := sh.cfg.Programs.Extensions.Lines(time.Now(), isCommand(sh.commandsBesides()), harmlessLine)
		sh.addBlock(notice, paragraphs(false, lines...))
		return
	}
	if sh.refuseWhileBusy("/extensions") {
		return
	}
	sh.runBeside(harmlessLine("/extensions "+argument), func(ctx context.Context) func() {
		said, ok := sh.cfg.Programs.Extensions.Manage(ctx, argument)
		return func() {
			if ok {
				sh.addBlock(notice, paragraphs(false, said))
				return
			}
			sh.addBlock(notice, problem(said))
		}
	})
}

// extensionArguments offers arguments for /extensions.
func extensionArguments(_ context.Context, cfg Config) (list []suggestion) {
	for _, s := range cfg.Programs.Extensions.List() {
		list = append(list, suggestion{text: "restart " + s.Extension, note: "start it anew"},
			suggestion{text: "stop " + s.Extension, note: "end it"})
	}
	return list
}

// Failed tells the person of an extension that was given up while nobody waited for it.
func (x extensionScreen) Failed(st extension.Status) {
	x.sh.addBlock(notice, problem("The extension "+st.Extension+" failed: "+harmlessLine(st.Why)+".",
		restartAdvice(st)))
}

// errLeft returns the error of a question for the extension that asked.
func errLeft(err error) error {
	if errors.Is(err, tui.ErrDismissed) || errors.Is(err, tui.ErrInterrupted) {
		return extension.ErrCancelled
	}
	return err
}
