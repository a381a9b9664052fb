package terminal

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// maxCopy is the most bytes that may be put on the clipboard, before encoding. xterm and tmux take
// about this much, others more.
const maxCopy = 74994

// ErrTooLong is the error of Copy for a text that terminals would cut or drop.
var ErrTooLong = errors.New("terminal: the text is too long for the clipboard")

// ErrNoStrings is the error of Copy where a terminal would print the sequence.
var ErrNoStrings = errors.New("terminal: it knows no sequence for the clipboard")

// SetTitle sets the window's title. The old title comes back at the end, in terminals that can keep
// it (XTWINOPS 22). Characters that are not visible become tokens.
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

// appendTitle appends the sequence that sets the title.
func appendTitle(dst []byte, title, mux string) []byte {
	start := "\x1b]2;"
	if mux == "screen" {
		start = "\x1bk"
	}
	return append(append(append(dst, start...), title...), "\x1b\\"...)
}

// Bell rings, or flashes, by the user's settings of the terminal.
func (t *Terminal) Bell() { _, _ = t.writer.enqueue([]byte{7}) }

// Notify asks for a desktop notification, in the way of [Caps.Notify]. It sends nothing while the
// window is known to have the focus. A multiplexer always gets BEL, which it turns into a mark on
// its window, and the rest is wrapped for the terminal around it. The texts should be the program's
// own words: never text from a model, a file or the network.
func (t *Terminal) Notify(title, body string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.focus == focusIn || t.loan.active {
		return
	}
	_, _ = t.writer.enqueue(appendNotify(nil, t.caps, outerNotify(t.caps.Outer), harmless(title, 100),
		harmless(body, 300)))
}

// outerNotify returns the way to ask the terminal around a multiplexer for a notification. Most
// know OSC 9.
func outerNotify(name string) Notify {
	if k, ok := knownTerminals[name]; ok && k.notify != NotifyBell {
		return k.notify
	}
	return NotifyOSC9
}

// appendNotify appends the notification for c. outer is the way of the terminal around tmux.
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

// notification returns the sequence that asks for a notification.
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

// tmuxWrap returns s so that tmux passes it on to the terminal around it, where allow-passthrough
// is on. Else tmux drops it.
func tmuxWrap(s string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(s, "\x1b", "\x1b\x1b") + "\x1b\\"
}

// SetProgress shows on the taskbar how far some work is, from 0 to 100 percent. -1: it is not known
// how far; -2: no work is going on. Only terminals that are known to understand OSC 9;4 get it:
// others would show it as a notification.
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

// progressKnown reports whether the terminal is known to understand OSC 9;4.
func progressKnown(c Caps) bool {
	switch c.Name {
	case "ghostty":
		return c.Version == "" || versionAtLeast(c.Version, 1, 2)
	case "windows", "mintty":
		return true
	}
	return false
}

// Copy puts text on the system's clipboard with OSC 52, which works over ssh. Terminals may refuse
// it silently: kitty asks, iTerm2 and tmux have a setting for it ([Advice]). Where no strings go
// out ([Caps].Strings) the error is ErrNoStrings.
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

// screenWrap returns s, which holds no ST, so that GNU screen passes it on. Its strings hold 768
// bytes.
func screenWrap(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := min(len(s), 700)
		b.WriteString("\x1bP" + s[:n] + "\x1b\\")
		s = s[n:]
	}
	return b.String()
}

// SetMouse switches reports of the mouse on or off: buttons and the wheel, as [Mouse] events (modes
// 1000 and 1006). While they are on the terminal's own selection needs Shift. tmux passes them on
// if its option mouse is on.
func (t *Terminal) SetMouse(on bool) { t.setOnUse(modeMouse, on) }

// SetDrags switches reports of the pointer that moves while a button is held on or off (mode 1002).
// The mouse has to be on. A [Mouse] for such a move has 32 in Button.
func (t *Terminal) SetDrags(on bool) { t.setOnUse(modeDrag, on) }

// setOnUse switches m on or off, or notes that for when the terminal is ours again.
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

// SetKeyReleases switches [KeyRelease] and Key.Repeat on or off. It has no effect where the
// terminal does not have kitty's keyboard protocol.
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

// harmless returns s as one line of at most n characters without anything that a terminal would
// obey.
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
