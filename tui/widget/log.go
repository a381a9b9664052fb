package widget

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Log is a [slog.Handler] that writes records as lines: into the transcript of an App, where they
// are history, or into a [Viewport]. The fields are set before the first record. Handle does not
// wait and may be called on any goroutine; records of one goroutine stay in order. A record after
// the end of Run is dropped.
type Log struct {
	App   *tui.App     // its loop adds the lines; nil: records are dropped
	View  *Viewport    // gets the lines; nil: the transcript
	Level slog.Leveler // the lowest level that is written; nil: [slog.LevelInfo]
	Time  string       // how the time is written, for [time.Time.Format]; "": hours, minutes and seconds

	attrs  string // of WithAttrs, as they are written
	prefix string // of WithGroup: "http."
}

// Enabled reports whether records of that level are written.
func (l *Log) Enabled(_ context.Context, level slog.Level) bool {
	minLevel := slog.LevelInfo
	if l.Level != nil {
		minLevel = l.Level.Level()
	}
	return level >= minLevel
}

// Handle writes r. It never fails.
func (l *Log) Handle(_ context.Context, r slog.Record) error {
	if l.App == nil {
		return nil
	}
	line := l.recordLine(r)
	if l.View == nil {
		l.App.Transcript().Append(&entry{text: line}).Done()
		return nil
	}
	l.App.Do(func() { l.View.Add(line) })
	return nil
}

// WithAttrs returns l with attributes that all of its records have.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler {
	derived := *l
	var b strings.Builder
	for _, a := range attrs {
		writeAttr(&b, l.prefix, a)
	}
	derived.attrs += b.String()
	return &derived
}

// WithGroup returns l with name and a dot before the names of further attributes.
func (l *Log) WithGroup(name string) slog.Handler {
	derived := *l
	if name != "" {
		derived.prefix += name + "."
	}
	return &derived
}

// recordLine returns r as a text of one line.
func (l *Log) recordLine(r slog.Record) string {
	var b strings.Builder
	if !r.Time.IsZero() {
		form := l.Time
		if form == "" {
			form = time.TimeOnly
		}
		b.WriteString(r.Time.Format(form) + " ")
	}
	b.WriteString(r.Level.String() + " " + oneLineText(r.Message) + l.attrs)
	r.Attrs(func(a slog.Attr) bool {
		writeAttr(&b, l.prefix, a)
		return true
	})
	return b.String()
}

// writeAttr writes an attribute, or each attribute of a group.
func writeAttr(b *strings.Builder, prefix string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			prefix += a.Key + "."
		}
		for _, g := range v.Group() {
			writeAttr(b, prefix, g)
		}
		return
	}
	if a.Key == "" && v.Any() == nil {
		return
	}
	text := oneLineText(v.String())
	if text == "" || strings.ContainsAny(text, " \"=") {
		text = quote(text)
	}
	b.WriteString(" " + prefix + a.Key + "=" + text)
}

// oneLineText returns text in one line.
func oneLineText(text string) string { return strings.ReplaceAll(text, "\n", "↵") }

// quote returns text in quotes, in which quotes and backslashes have a backslash before them.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// entry is a record in the transcript.
type entry struct{ text string }

// View returns the record in its colours, wrapped by the terminal.
func (e *entry) View(s tui.Space) tui.View {
	text := e.text[min(s.From, len(e.text)):]
	l := tui.Layout{Width: s.Width, Native: true, Model: s.Model}
	rows := l.Append(nil, s.From, Levels(s.Look(), text)...)
	return tui.View{Lines: rows, Stable: len(rows)}
}

// Levels returns a line of a log in the colours of its level, for [Viewport].Highlight. The level
// is the first word near the start of the line that names one, in whatever form logs have it:
// ERROR, level=warn, [info].
func Levels(t *tui.Theme, line string) []tui.Span {
	for from := 0; from < len(line); {
		word := line[from:]
		skip := strings.IndexFunc(word, isLevelLetter)
		if skip < 0 {
			break
		}
		from += skip
		word = line[from:]
		if n := strings.IndexFunc(word, func(r rune) bool { return !isLevelLetter(r) }); n >= 0 {
			word = word[:n]
		}
		if style, textStyle, ok := levelStyle(t, word); ok {
			end := from + len(word)
			return []tui.Span{{Text: line[:from], Style: t.Dim}, {Text: line[from:end], Style: style},
				{Text: line[end:], Style: textStyle}}
		}
		if from += len(word); from > 80 { // a level stands near the start
			break
		}
	}
	return []tui.Span{{Text: line}}
}

// isLevelLetter reports whether r can be in the name of a level.
func isLevelLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// levelStyle returns the style of a level, and textStyle, that of the text after it. ok: word is a
// level.
func levelStyle(t *tui.Theme, word string) (style, textStyle tui.Style, ok bool) {
	switch strings.ToUpper(word) {
	case "ERROR", "ERR", "FATAL", "PANIC", "CRIT", "CRITICAL":
		return t.Error, tui.Style{}, true
	case "WARN", "WARNING":
		return t.Warning, tui.Style{}, true
	case "INFO", "NOTICE":
		return t.Accent, tui.Style{}, true
	case "DEBUG", "TRACE":
		return t.Dim, t.Dim, true
	}
	return tui.Style{}, tui.Style{}, false
}
