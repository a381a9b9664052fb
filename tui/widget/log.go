package widget

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Log is a [slog.Handler] that shows records as lines: in the transcript of an App, where they
// become history, or in a [Viewport]. Set the fields before the first record. Handle does not block
// and may be called on any goroutine. Records of one goroutine stay in order. Records that come
// after the end of Run are dropped.
type Log struct {
	App   *tui.App     // the lines are added on its loop; nil: records are dropped
	View  *Viewport    // shows the lines; nil: the transcript does
	Level slog.Leveler // the lowest level that is shown; nil: [slog.LevelInfo]
	Time  string       // layout for [time.Time.Format]; "": hours, minutes and seconds

	attrs  string // attributes added by WithAttrs, already formatted
	prefix string // prefix of attribute names made by WithGroup, such as "http."
}

// Enabled reports whether records of the given level are shown.
func (l *Log) Enabled(_ context.Context, level slog.Level) bool {
	minLevel := slog.LevelInfo
	if l.Level != nil {
		minLevel = l.Level.Level()
	}
	return level >= minLevel
}

// Handle shows the record r. It always returns nil.
func (l *Log) Handle(_ context.Context, r slog.Record) error {
	if l.App == nil {
		return nil
	}
	line := l.recordLine(r)
	if l.View == nil {
		l.App.Transcript().Append(&logEntry{text: line}).Done()
		return nil
	}
	l.App.Do(func() { l.View.Add(line) })
	return nil
}

// WithAttrs returns a copy of l that adds attrs to all records.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler {
	derived := *l
	var b strings.Builder
	for _, a := range attrs {
		writeAttr(&b, l.prefix, a)
	}
	derived.attrs += b.String()
	return &derived
}

// WithGroup returns a copy of l that prefixes the names of further attributes with name and a dot.
func (l *Log) WithGroup(name string) slog.Handler {
	derived := *l
	if name != "" {
		derived.prefix += name + "."
	}
	return &derived
}

// recordLine formats r as a single line.
func (l *Log) recordLine(r slog.Record) string {
	var b strings.Builder
	if !r.Time.IsZero() {
		form := l.Time
		if form == "" {
			form = time.TimeOnly
		}
		b.WriteString(r.Time.Format(form) + " ")
	}
	b.WriteString(r.Level.String() + " " + markLineEnds(r.Message) + l.attrs)
	r.Attrs(func(a slog.Attr) bool {
		writeAttr(&b, l.prefix, a)
		return true
	})
	return b.String()
}

// writeAttr writes an attribute as " prefix.key=value". For a group it writes each attribute of the
// group.
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
	text := markLineEnds(v.String())
	if text == "" || strings.ContainsAny(text, " \"=") {
		text = quote(text)
	}
	b.WriteString(" " + prefix + a.Key + "=" + text)
}

// markLineEnds returns text with a ↵ instead of each newline.
func markLineEnds(text string) string { return strings.ReplaceAll(text, "\n", "↵") }

// quote returns text in double quotes, with backslashes before quotes and backslashes in it.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// logEntry is one record in the transcript.
type logEntry struct{ text string }

// View returns the record, coloured by its level and wrapped by the terminal.
func (e *logEntry) View(s tui.Space) tui.View {
	text := e.text[min(s.From, len(e.text)):]
	l := tui.Layout{Width: s.Width, Native: true, Model: s.Model}
	rows := l.Append(nil, s.From, Levels(s.Look(), text)...)
	return tui.View{Lines: rows, Stable: len(rows)}
}

// Levels colours a log line by its level, for [Viewport].Highlight. The level is the first word
// near the start of the line that names one. It may be written in any common form: ERROR,
// level=warn, [info].
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

// isLevelLetter reports whether r can be part of a level's name.
func isLevelLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// levelStyle returns the style of a level's name, and the style of the text after it. ok is false
// if word names no level.
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
