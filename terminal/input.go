package terminal

import (
	"iter"
	"time"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// feed decodes one read.
func (t *Terminal) feed(c chunk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.buf.Empty() && !t.caps.Paste && t.raw.add(c.data, c.at) {
		return
	}
	t.endRaw()
	t.take(t.buf.Feed(c.data), c.at)
}

// endRaw delivers a paste that came without brackets. mu is held.
func (t *Terminal) endRaw() {
	if len(t.raw.text) > 0 {
		t.events = append(t.events, Paste{Text: pasted(t.raw.text)})
		t.raw.text, t.raw.at = nil, time.Time{}
	}
}

// due returns when the next timer is due; zero: none is set. mu is held.
func (t *Terminal) due() (due time.Time) {
	for _, at := range []time.Time{t.flushAt, t.schemeAt, t.raw.at} {
		if !at.IsZero() && (due.IsZero() || at.Before(due)) {
			due = at
		}
	}
	return due
}

// expire does what the timers are for.
func (t *Terminal) expire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if !t.flushAt.IsZero() && !t.flushAt.After(now) {
		t.take(t.buf.Flush(), now)
	}
	if !t.raw.at.IsZero() && !t.raw.at.After(now) {
		t.endRaw()
	}
	if !t.schemeAt.IsZero() && !t.schemeAt.After(now) {
		t.schemeAt = time.Time{}
		t.learn()
	}
}

// take turns tokens into events; at is when they were read. mu is held.
func (t *Terminal) take(tokens iter.Seq[stdinbuf.Token], at time.Time) {
	n, first := 0, len(t.events)
	var tail pasteTail
	for tok := range tokens {
		open := t.status
		if t.token(tok, at); t.status == open { // the answer to a frame may come with any key
			n++
		}
		t.events = tail.follow(tok, t.events)
	}
	if !t.outstanding() {
		t.setAnswered(true)
	}
	wait, pending := t.buf.Pending()
	// A key is alone if its bytes came in one read, or in several, without any other.
	if n == 1 && !pending && !t.mixed {
		for i, e := range t.events[first:] {
			if k, ok := e.(Key); ok {
				k.Alone = true
				t.events[first+i] = k
			}
		}
	}
	t.flushAt, t.mixed = time.Time{}, pending && (t.mixed || n > 0)
	if pending {
		// If the loop was slow, the rest of the sequence may be waiting behind this read: give the
		// reader the time to hand it over.
		t.flushAt = at.Add(wait)
		if soon := time.Now().Add(handTime); t.flushAt.Before(soon) {
			t.flushAt = soon
		}
	}
}

// token judges one token: a reply ends here, everything else is an event or nothing. mu is held.
func (t *Terminal) token(tok stdinbuf.Token, at time.Time) {
	switch tok.Kind {
	case stdinbuf.Paste:
		t.raw.seen = true
		t.events = t.pieces.take(t.events, tok)
		return
	case stdinbuf.Broken, stdinbuf.Mouse: // X10 reports are never asked for
		t.log.Debug("input that is none", "kind", tok.Kind, "bytes", len(tok.Data))
		return
	}
	switch t.probes.take(tok) {
	case replyKnown, replyDone:
		t.learn()
		return
	case replyScheme:
		t.schemeAt = at.Add(debounce)
		return
	case replySize:
		t.reported(tok.Data)
		return
	case replyStatus:
		if t.status > 0 {
			t.status, t.asked = t.status-1, max(t.asked-1, 0)
			t.events = append(t.events, StatusReport{})
		}
		return
	case replySwallow:
		if e, ok := pictureError(tok); ok {
			t.events = append(t.events, e)
		}
		return
	}
	if tok.Kind == stdinbuf.CSI && tok.Data[1] == '[' && t.csi(tok.Data[2:]) {
		return
	}
	k, how, ok := decodeKey(tok)
	switch {
	case !ok:
		return
	case how == released:
		if t.releases {
			t.events = append(t.events, KeyRelease{k})
		}
		return
	}
	k.Repeat = how == repeated
	t.events = append(t.events, k)
	if !t.caps.Keys && newForm(tok) {
		t.probes.got.keySeen = true
		t.learn()
	}
}

// csi takes the sequences that are neither replies nor keys. mu is held.
func (t *Terminal) csi(seq []byte) bool {
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	switch {
	case final == 'I' && len(body) == 0, final == 'O' && len(body) == 0:
		t.focus = focusOut
		if final == 'I' {
			t.focus = focusIn
		}
		t.events = append(t.events, Focus{In: final == 'I'})
	case final == 'R':
		return t.report(body)
	case len(body) > 0 && body[0] == '<' && (final == 'M' || final == 'm'):
		if m, ok := mouse(seq); ok {
			t.events = append(t.events, m)
		}
	case len(body) > 0 && body[0] >= '<' && body[0] <= '?':
		// No reply that we know: it was cut, and the next key that was typed has become its final.
		t.events = append(t.events, Key{Code: rune(final)})
	default:
		return false
	}
	return true
}

// report takes CSI row;col R, which is the cursor's position or F3. mu is held.
func (t *Terminal) report(body []byte) bool {
	p, ok := params(body)
	row, col := p.at(0, 0, 0), p.at(1, 0, 0)
	if !ok || row < 1 || col < 1 {
		return false
	}
	if t.cursor == 0 && row == 1 && col >= 2 && col <= 16 { // kitty 0.26 too; later ones send F3 as CSI 13 ~
		return false
	}
	t.cursor, t.asked = max(t.cursor-1, 0), max(t.asked-1, 0)
	t.events = append(t.events, CursorReport{Col: col - 1, Row: row - 1})
	return true
}

// reported takes CSI 48;rows;cols;... t, the report of mode 2048. The device knows better if it
// knows anything: a report may be old. mu is held.
func (t *Terminal) reported(seq []byte) {
	p, ok := params(seq[2 : len(seq)-1])
	rows, cols := p.at(1, 0, 0), p.at(2, 0, 0)
	told := [2]int{cols, rows}
	if ok && cols > 0 && rows > 0 && t.marked {
		t.events = append(t.events, SizeReport{cols, rows})
	}
	if c, r, err := t.tty.Size(); err == nil && c > 0 && r > 0 {
		cols, rows = c, r
	} else if !ok {
		return
	}
	if cols > 0 && rows > 0 && cols < 1<<15 && rows < 1<<15 {
		// The signal for the size that this report tells may be behind it: then it is no news. If
		// they are two sizes, it is.
		changed := t.resize(cols, rows)
		t.early = told == [2]int{cols, rows} && (changed || t.early)
	}
}

// outstanding reports whether replies are under way. mu is held.
func (t *Terminal) outstanding() bool {
	return (t.probes.under() || t.asked > 0) && time.Since(t.askedAt) < stale
}

// setAnswered tells who gives the terminal away whether replies are under way. mu is held.
func (t *Terminal) setAnswered(all bool) {
	select {
	case <-t.answered:
		if !all {
			t.answered = make(chan struct{})
		}
	default:
		if all {
			close(t.answered)
		}
	}
}

// settle follows caps and modes: how long a lone ESC may be the beginning of something, and whether
// an update may be left open. mu is held.
func (t *Terminal) settle() {
	t.modes.on[modeSync] = t.caps.Sync
	if t.w != nil {
		t.w.shut(!t.caps.Strings)
	}
	t.buf.Esc = 0
	if t.caps.Mux != "" || t.caps.SSH || t.modes.on[modeKitty] {
		t.buf.Esc = escSlow
	}
}

// learn resolves anew what the terminal can, and switches on what has become known. mu is held.
func (t *Terminal) learn() {
	before := t.caps
	got := t.probes.got
	t.caps, t.facts = resolve(t.env, got)
	var out []byte

	// A mode's first report is what it was before us: the question came before the setting.
	for m := range modeCount {
		if v, ok := got.modes[modes[m].private]; ok && modes[m].private != 0 && !modes[m].inverse &&
			t.modes.was[m] == wasUnknown {
			t.modes.was[m] = wasReset
			if v == 1 || v == 3 {
				t.modes.was[m] = wasSet
			}
		}
	}
	if t.caps.Scheme {
		out = t.modes.set(out, modeScheme)
	}
	if got.modes[1010] == 1 {
		out = t.modes.set(out, modeScroll)
	}
	if t.caps.InBand {
		out = t.modes.set(out, modeInBand)
	}
	if got.modes[2027] == 2 && !t.confirming {
		t.confirming = true
		out = t.probes.ask(t.modes.set(out, modeGrapheme), askMode, 2027)
		t.askedAt = time.Now()
		t.setAnswered(false)
	}
	if n := len(out); !t.given {
		if out = t.probes.further(out, t.caps); len(out) > n {
			t.askedAt = time.Now()
			t.setAnswered(false)
		}
	}
	switch {
	case got.kitty == yes:
		out = t.modes.reset(out, modeOtherKeys)
		if out = t.modes.set(out, modeKitty); t.releases {
			out = t.modes.set(out, modeReleases)
		}
	case got.kitty == no && t.otherKeys():
		out = t.modes.set(out, modeOtherKeys)
	}
	t.settle()
	if t.caps.Strings && !before.Strings && t.title != "" && !t.given {
		out = appendTitle(t.modes.set(out, modeTitle), t.title, t.caps.Mux)
	}
	if len(out) > 0 {
		if _, err := t.w.put(out); err != nil {
			t.log.Debug("setting modes", "error", err)
		}
	}
	if t.caps != before {
		t.events = append(t.events, Changed{})
	}
	if known := got.background != nil || got.scheme != 0; known && (!t.told || t.caps.Dark != before.Dark) {
		t.told = true
		t.events = append(t.events, Appearance{Dark: t.caps.Dark})
	}
}

// otherKeys reports whether modifyOtherKeys may be switched on: in tmux always, where it is what
// modified keys need; over ssh only for a terminal that has named itself (clients on phones lost
// Shift with it); not where it is taken for colours.
func (t *Terminal) otherKeys() bool {
	switch {
	case t.caps.Name == "apple" || t.caps.Name == "linux":
		return false
	case t.caps.Mux != "":
		return t.caps.Mux == "tmux"
	}
	return !t.caps.SSH || t.probes.got.version != ""
}
