package terminal

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// maxCopy is the most bytes of text that are copied to the clipboard. xterm and tmux accept about
// this much, others more.
const maxCopy = 74994

// ErrTooLong is the error of [Terminal.Copy] for a text that terminals would cut or drop.
var ErrTooLong = errors.New("terminal: the text is too long for the clipboard")

// ErrNoStrings is the error of [Terminal.Copy] in a terminal that would print the sequence.
var ErrNoStrings = errors.New("terminal: it knows no sequence for the clipboard")

// SetTitle sets the window's title. Terminals that can save the old title (XTWINOPS 22) restore it
// at the end. Characters that are not visible are replaced by visible symbols.
func (t *Terminal) SetTitle(title string) {
	title = harmless(title, 200)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.title = title
	if !t.caps.Strings { // it goes out if that is learned
		return
	}
	if t.loan.active {
		t.loan.modesLater[modeTitle] = true
		return
	}
	_, _ = t.writer.enqueue(appendTitle(t.modes.set(nil, modeTitle), title, t.caps.Mux))
}

// appendTitle appends the sequence that sets the window's title.
func appendTitle(dst []byte, title, mux string) []byte {
	start := "\x1b]2;"
	if mux == "screen" {
		start = "\x1bk"
	}
	return append(append(append(dst, start...), title...), "\x1b\\"...)
}

// Bell makes the terminal beep or flash, as the user has set it up.
func (t *Terminal) Bell() { _, _ = t.writer.enqueue([]byte{7}) }

// Notify requests a desktop notification, in the way of [Caps].Notify. It does nothing while the
// window is known to have the focus. A multiplexer also gets BEL, which it shows as a mark on its
// window; the notification itself is wrapped for its terminal. The texts should be the program's
// own, never from a model, a file or the network.
func (t *Terminal) Notify(title, body string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.focus == focusIn || t.loan.active {
		return
	}
	_, _ = t.writer.enqueue(appendNotify(nil, t.caps, outerNotify(t.caps.Outer), harmless(title, 100),
		harmless(body, 300)))
}

// outerNotify returns how to request a notification from the terminal that a multiplexer runs in.
// Most terminals know OSC 9.
func outerNotify(name string) Notify {
	if k, ok := knownTerminals[name]; ok && k.notify != NotifyBell {
		return k.notify
	}
	return NotifyOSC9
}

// appendNotify appends the sequences of a notification in a terminal with capabilities c. outer is
// the way for the terminal that tmux runs in.
func appendNotify(dst []byte, c Caps, outer Notify, title, body string) []byte {
	method := c.Notify
	switch {
	case method == NotifyOff:
		return dst
	case c.Mux == "tmux" && method == NotifyBell:
		return append(append(dst, 7), tmuxWrap(notification(outer, title, body))...)
	case c.Mux == "tmux":
		return append(append(dst, 7), tmuxWrap(notification(method, title, body))...)
	}
	return append(dst, notification(method, title, body)...)
}

// notification returns the sequence that requests a notification.
func notification(method Notify, title, body string) string {
	switch method {
	case NotifyOSC9:
		if title != "" && body != "" {
			title += ": "
		}
		text := title + body
		if text != "" && text[0] >= '0' && text[0] <= '9' { // OSC 9;4;... is progress in some terminals
			text = " " + text
		}
		return "\x1b]9;" + text + "\x1b\\"
	case NotifyOSC99:
		// i: one id, so that a second notification replaces the first; o=unfocused: the terminal
		// checks too
		return "\x1b]99;i=scrollkeep:d=0:o=unfocused;" + title + "\x1b\\\x1b]99;i=scrollkeep:p=body;" + body + "\x1b\\"
	case NotifyOSC777:
		return "\x1b]777;notify;" + strings.ReplaceAll(title, ";", ",") + ";" + body + "\x1b\\"
	}
	return "\a"
}

// tmuxWrap wraps s so that tmux passes it on to its terminal if allow-passthrough is on, and drops
// it otherwise.
func tmuxWrap(s string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(s, "\x1b", "\x1b\x1b") + "\x1b\\"
}

// SetProgress shows the progress of some work on the taskbar, from 0 to 100 percent. -1: the
// progress is not known; -2: the work has ended. Only terminals that are known to support OSC 9;4
// get it, because others would show it as a notification.
func (t *Terminal) SetProgress(percent int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !progressKnown(t.caps) || !t.caps.Strings || t.loan.active {
		return
	}
	switch {
	case percent <= -2:
		_, _ = t.writer.enqueue(t.modes.reset(nil, modeProgress))
	case percent == -1:
		_, _ = t.writer.enqueue(append(t.modes.set(nil, modeProgress), "\x1b]9;4;3\x1b\\"...))
	default:
		out := append(t.modes.set(nil, modeProgress), "\x1b]9;4;1;"...)
		_, _ = t.writer.enqueue(append(strconv.AppendInt(out, int64(min(percent, 100)), 10), "\x1b\\"...))
	}
}

// progressKnown reports whether the terminal is known to support OSC 9;4.
func progressKnown(c Caps) bool {
	switch c.Name {
	case "ghostty":
		return c.Version == "" || versionAtLeast(c.Version, 1, 2)
	case "windows", "mintty":
		return true
	}
	return false
}

// Copy copies text to the system's clipboard by OSC 52, which also works over SSH. Terminals may
// refuse it silently: kitty asks the user, iTerm2 and tmux have a setting ([Advise]). The error is
// ErrTooLong or ErrNoStrings.
func (t *Terminal) Copy(text string) error {
	c := t.Caps()
	if !c.Strings {
		return ErrNoStrings
	}
	if len(text) > maxCopy {
		return ErrTooLong
	}
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\"
	switch c.Mux {
	case "tmux": // it takes it itself with set-clipboard on, or lets it through with allow-passthrough on
		seq += tmuxWrap(seq)
	case "screen":
		seq = screenWrap(strings.TrimSuffix(seq, "\x1b\\") + "\a")
	}
	_, err := t.writer.enqueue([]byte(seq))
	return err
}

// screenWrap wraps s, which contains no ST, so that GNU screen passes it on. GNU screen limits such
// strings to 768 bytes.
func screenWrap(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := min(len(s), 700)
		b.WriteString("\x1bP" + s[:n] + "\x1b\\")
		s = s[n:]
	}
	return b.String()
}

// SetMouse switches mouse reports on or off: buttons and the wheel come as [Mouse] events (modes
// 1000 and 1006). While they are on, the terminal's own selection needs Shift. tmux passes them on
// if its option mouse is on.
func (t *Terminal) SetMouse(on bool) { t.setOnUse(modeMouse, on) }

// SetDrags switches reports of the pointer's movement while a button is held on or off (mode 1002).
// SetMouse has to be on. The [Mouse] event of a movement has 32 in Button.
func (t *Terminal) SetDrags(on bool) { t.setOnUse(modeDrag, on) }

// setOnUse switches mode m on or off. While the terminal is lent it does so afterwards.
func (t *Terminal) setOnUse(m mode, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.loan.active:
		t.loan.modesLater[m] = on
	case on:
		_, _ = t.writer.enqueue(t.modes.set(nil, m))
	default:
		_, _ = t.writer.enqueue(t.modes.reset(nil, m))
	}
}

// SetKeyReleases switches [KeyRelease] events and Key.Repeat on or off. It has no effect in
// terminals without kitty's keyboard protocol.
func (t *Terminal) SetKeyReleases(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keyReleases = on
	switch {
	case t.loan.active:
		t.loan.modesLater[modeReleases] = on && t.loan.modesLater[modeKitty]
	case on && t.modes.active[modeKitty]:
		_, _ = t.writer.enqueue(t.modes.set(nil, modeReleases))
	case !on:
		_, _ = t.writer.enqueue(t.modes.reset(nil, modeReleases))
	}
}

// harmless returns s as one line of at most n characters. Control characters are replaced by
// visible symbols.
func harmless(s string, n int) string {
	s, _ = visible.Line(s)
	i := 0
	for at := range s {
		if i == n {
			return s[:at]
		}
		i++
	}
	return s
}
