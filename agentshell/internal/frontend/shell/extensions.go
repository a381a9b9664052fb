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

// extensionCommands returns the slash commands of extensions. taken holds the commands whose names
// an extension cannot replace.
func (sh *Shell) extensionCommands(taken []slashCommand) []extension.Entered {
	if sh.cfg.Programs.Extensions == nil {
		return nil
	}
	return sh.cfg.Programs.Extensions.Commands(isCommand(taken))
}

// isCommand returns a function that reports whether one of the listed commands has a name, which it
// gets without the slash.
func isCommand(list []slashCommand) func(name string) bool {
	return func(name string) bool {
		_, is := findCommand(list, "/"+name)
		return is
	}
}

// extensionCommand converts a command of an extension to a slash command of the prompt.
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

// maxLine is the largest number of bytes of a text from an extension that is shown on one row.
const maxLine = 500

// harmlessLine returns a text from an extension as one line without control characters, cut after
// maxLine bytes.
func harmlessLine(text string) string { return shownText(width.Head(text, min(len(text), maxLine))) }

// runExtension runs a command of extension e, and shows its reply or error. command is the name by
// which the extension knows it; name is the slash command that the user has typed. It is refused
// while a turn runs.
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

// restartAdvice returns a sentence with the command that restarts a failed extension. It returns ""
// if the extension has not failed, or if a restart cannot help.
func restartAdvice(st extension.Status) string {
	if st.State != helper.Failed || st.Final {
		return ""
	}
	return "/extensions restart " + st.Extension + " tries again."
}

// takeReply carries out the reply to a command of an extension: it shows the reply's rows, puts its
// draft into the prompt, and sends its message to the model. It is called on the event loop.
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

// extensionStyle returns the theme's style for a style name from an extension, such as "dim". For
// an unknown name it returns the zero style.
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

// spansOf converts a row from an extension to spans in the styles of a theme.
func spansOf(row extension.Row, t *tui.Theme) (spans []tui.Span) {
	for _, s := range row {
		spans = append(spans, tui.Span{Text: s.Text, Style: extensionStyle(s.Style, t), Link: s.Link})
	}
	return spans
}

// cutRows converts rows from an extension to lines. A row that is wider than s is cut.
func cutRows(rows extension.Rows, s tui.Space) (lines []tui.Line) {
	for _, r := range rows {
		lines = append(lines, s.Cut(spansOf(r, s.Look())...))
	}
	return lines
}

// wrappedRows converts rows from an extension to lines. A row that is wider than s is wrapped.
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

// minStatusPart is the smallest number of columns that an extension gets in the status row. If the
// row has not that many for each extension, the last extensions are left out.
const minStatusPart = 8

// statusShare returns how many of n extensions get a part of the status row, and the columns of
// each part. Together they get half of the row at most, and the approval mode always has room. The
// result depends on the window and the mode only, because an extension has to draw its part anew
// for another width.
func (sh *Shell) statusShare(s tui.Space, n int, dot string) (shown, columns int) {
	gap := s.Columns(dot)
	half := min(s.Width/2, s.Width-2-s.Columns(sh.modeName())-1-gap) // 1: a sign that more is cut
	if n = min(n, (half+gap)/(minStatusPart+gap)); n < 1 {
		return 0, 0
	}
	return n, min(extension.StatusWidth, (half-gap*(n-1))/n)
}

// extensionStatus returns the parts of the status row that extensions have drawn so far. Each
// begins with the separator in dot.
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

// extensionFooter returns the rows that extensions have drawn so far for the place below the status
// row. In a low window there are none.
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

// extensionScreen gives extensions access to the screen of the shell.
type extensionScreen struct{ sh *Shell }

// Size returns the size of the window, as far as it is known.
func (x extensionScreen) Size() (columns, rows int) { return x.sh.app.LiveSize() }

// Refresh makes the app draw a new frame, after an extension has sent new rows.
func (x extensionScreen) Refresh() { x.sh.app.Do(func() {}) }

// handleExtensions handles the command /extensions: it lists the extensions, or restarts or stops
// one of them.
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

// extensionArguments returns the actions for each extension as suggestions for the argument of
// /extensions.
func extensionArguments(_ context.Context, cfg Config) (list []suggestion) {
	for _, s := range cfg.Programs.Extensions.List() {
		list = append(list, suggestion{text: "restart " + s.Extension, note: "start it anew"},
			suggestion{text: "stop " + s.Extension, note: "end it"})
	}
	return list
}

// Failed shows a notice that an extension has failed and does not restart by itself. It is called
// if no command waited for the extension.
func (x extensionScreen) Failed(st extension.Status) {
	x.sh.addBlock(notice, problem("The extension "+st.Extension+" failed: "+harmlessLine(st.Why)+".",
		restartAdvice(st)))
}

// errLeft converts the error of a dialog for its extension: if the user has closed the dialog, it
// returns [extension.ErrCancelled].
func errLeft(err error) error {
	if errors.Is(err, tui.ErrDismissed) || errors.Is(err, tui.ErrInterrupted) {
		return extension.ErrCancelled
	}
	return err
}
