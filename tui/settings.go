package tui

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// settings holds the settings of an App after environment variables have overridden its fields.
type settings struct {
	resize    ResizeMode
	strict    bool
	native    bool
	still     bool
	drawCaret bool   // draws the caret as an inverse character
	logFile   string // file for the redraw log; "": none
}

// settings reads the environment variables SCROLLKEEP_RESIZE (preserve, rebuild, append),
// SCROLLKEEP_PROSE (words, native), SCROLLKEEP_STRICT and SCROLLKEEP_STILL (on if neither empty nor
// 0), SCROLLKEEP_HARDWARE_CURSOR (0: the caret is drawn and the terminal's cursor is hidden) and
// SCROLLKEEP_DEBUG_REDRAW (a file). They override the fields of a.
func (a *App) settings() (settings, error) {
	env := a.Terminal.Env
	if env == nil {
		env = os.Getenv
	}
	s := settings{resize: a.Resize, strict: a.Strict, native: a.Native, still: a.Still,
		logFile: env("SCROLLKEEP_DEBUG_REDRAW")}
	switch v := env("SCROLLKEEP_RESIZE"); v {
	case "":
	case "preserve", "rebuild", "append":
		s.resize = ResizeMode(slices.Index([]string{"preserve", "rebuild", "append"}, v))
	default:
		return s, fmt.Errorf("tui: SCROLLKEEP_RESIZE is %q; preserve, rebuild and append are known", v)
	}
	switch v := env("SCROLLKEEP_PROSE"); v {
	case "":
	case "words", "native":
		s.native = v == "native"
	default:
		return s, fmt.Errorf("tui: SCROLLKEEP_PROSE is %q; words and native are known", v)
	}
	if v := env("SCROLLKEEP_STILL"); v != "" {
		s.still = v != "0"
	}
	s.drawCaret = env("SCROLLKEEP_HARDWARE_CURSOR") == "0"
	if v := env("SCROLLKEEP_STRICT"); v != "" {
		s.strict = v != "0"
	}
	return s, nil
}

// redrawLog writes one JSON line for each frame that has written something.
type redrawLog struct {
	file    io.WriteCloser
	enc     *json.Encoder
	start   time.Time
	reasons []string // why the next frame was requested
}

// redrawEntry is one line of the redraw log.
type redrawEntry struct {
	Ms  int64    `json:"ms"` // milliseconds since the start
	Why []string `json:"why"`
	renderer.Trace
}

// openRedrawLog opens the file of that name for appending.
func openRedrawLog(name string) (*redrawLog, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("tui: redraw log: %w", err)
	}
	return &redrawLog{file: f, enc: json.NewEncoder(f), start: time.Now()}, nil
}

// addReason adds a reason for the next frame.
func (r *redrawLog) addReason(reason string) {
	if !slices.Contains(r.reasons, reason) {
		r.reasons = append(r.reasons, reason)
	}
}

// trace writes the line for one frame.
func (r *redrawLog) trace(t renderer.Trace) {
	// a log that cannot be written is no reason to stop
	_ = r.enc.Encode(redrawEntry{Ms: time.Since(r.start).Milliseconds(), Why: r.reasons, Trace: t})
	r.reasons = nil
}

// requestFrame requests a frame. reason is for the redraw log.
func (l *loop) requestFrame(u urgency, reason string) {
	l.pace.request(u)
	if l.redrawLog != nil {
		l.redrawLog.addReason(reason)
	}
}
