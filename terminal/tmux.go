package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Tmux holds what tmux reports about itself and about the terminal that it runs in. Options have
// the values that tmux prints; "" if tmux does not know the option.
type Tmux struct {
	Version string // Such as "3.3a".
	// The name of the terminal that tmux runs in (XTVERSION, client_termtype), or else its TERM.
	Outer        string
	Features     string // The features of that terminal, with commas: "256,RGB,extkeys".
	Passthrough  string // The option allow-passthrough: "on", "all", "off".
	ExtendedKeys string // The option extended-keys: "on", "always", "off".
	FocusEvents  string // The option focus-events: "on", "off".
	Clipboard    string // The option set-clipboard: "on", "external", "off".
	History      string // The option history-limit, in rows.
	EscapeTime   string // The option escape-time, in milliseconds.
}

// tmuxTime is how long tmux may take to answer.
const tmuxTime = 500 * time.Millisecond

// AskTmux runs tmux once, to find out all that [Tmux] holds. run runs it with the given arguments
// and returns its standard output. tmux answers for the client that was used last. If none is
// attached, Outer is "".
func AskTmux(ctx context.Context, run func(ctx context.Context, args ...string) ([]byte, error)) (Tmux, error) {
	var t Tmux
	fields := []struct {
		to     *string
		format string
	}{
		{&t.Version, "#{version}"}, {&t.Outer, "#{?client_termtype,#{client_termtype},#{client_termname}}"},
		{&t.Features, "#{client_termfeatures}"}, {&t.Passthrough, "#{allow-passthrough}"},
		{&t.ExtendedKeys, "#{extended-keys}"},
		{&t.FocusEvents, "#{focus-events}"}, {&t.Clipboard, "#{set-clipboard}"}, {&t.History, "#{history-limit}"},
		{&t.EscapeTime, "#{escape-time}"},
	}
	var format []string
	for _, f := range fields {
		format = append(format, f.format)
	}
	out, err := run(ctx, "display-message", "-p", strings.Join(format, "\n"))
	if err != nil {
		return Tmux{}, fmt.Errorf("terminal: asking tmux: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(fields) {
		return Tmux{}, fmt.Errorf("terminal: tmux answers %d lines, not %d", len(lines), len(fields))
	}
	for i, f := range fields {
		if *f.to = strings.TrimSpace(lines[i]); *f.to != "" && !printable([]byte(*f.to)) {
			return Tmux{}, fmt.Errorf("terminal: tmux answers %q", lines[i])
		}
	}
	for _, option := range []*string{&t.Passthrough, &t.ExtendedKeys, &t.FocusEvents, &t.Clipboard} {
		switch *option { // what is a flag in one version is a choice in another
		case "0":
			*option = "off"
		case "1":
			*option = "on"
		}
	}
	return t, nil
}

// has reports whether tmux knows that its terminal has a feature.
func (t Tmux) has(feature string) bool {
	return slices.Contains(strings.Split(t.Features, ","), feature)
}

// askTmux calls AskTmux in the background if Config.Tmux is set, and updates Caps with the answer.
func (t *Terminal) askTmux() {
	if t.config.Tmux == nil || t.env("TMUX") == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), tmuxTime)
	go func() {
		defer cancel()
		answer, err := AskTmux(ctx, t.config.Tmux)
		if err != nil {
			t.log.Debug("asking tmux", "error", err)
			return
		}
		t.mu.Lock()
		t.probes.replies.tmux = answer
		t.updateCaps()
		t.mu.Unlock()
		poke(t.wake)
	}()
	go func() {
		select {
		case <-t.done:
			cancel()
		case <-ctx.Done():
		}
	}()
}
