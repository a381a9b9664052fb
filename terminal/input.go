package terminal

import (
	"iter"
	"time"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// feedChunk turns the bytes of one read into events.
func (t *Terminal) feedChunk(c chunk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.input.buf.Empty() && !t.caps.Paste && t.input.raw.add(c.data, c.at) {
		return
	}
	t.endRawPaste()
	t.takeTokens(t.input.buf.Feed(c.data), c.at)
}

// endRawPaste queues the event of a paste that came without brackets. The caller holds t.mu.
func (t *Terminal) endRawPaste() {
	if len(t.input.raw.text) > 0 {
		t.events = append(t.events, Paste{Text: pasteText(t.input.raw.text)})
		t.input.raw.text, t.input.raw.completeAt = nil, time.Time{}
	}
}

// nextTimer returns the time of the next timer, or zero if none is set. The caller holds t.mu.
func (t *Terminal) nextTimer() (due time.Time) {
	for _, at := range []time.Time{t.input.flushAt, t.schemeAt, t.input.raw.completeAt, t.modesDue} {
		if !at.IsZero() && (due.IsZero() || at.Before(due)) {
			due = at
		}
	}
	return due
}

// runTimers does what is due of all timers.
func (t *Terminal) runTimers() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if !t.input.flushAt.IsZero() && !t.input.flushAt.After(now) {
		t.takeTokens(t.input.buf.Flush(), now)
	}
	if !t.input.raw.completeAt.IsZero() && !t.input.raw.completeAt.After(now) {
		t.endRawPaste()
	}
	if !t.modesDue.IsZero() && !t.modesDue.After(now) {
		t.modesDue = time.Time{}
		t.send(t.enterModes(nil))
	}
	if !t.schemeAt.IsZero() && !t.schemeAt.After(now) {
		t.schemeAt = time.Time{}
		t.updateCaps()
	}
}

// takeTokens turns tokens into events. at is when their bytes were read. The caller holds t.mu.
func (t *Terminal) takeTokens(tokens iter.Seq[stdinbuf.Token], at time.Time) {
	n, first := 0, len(t.events)
	var tail pasteTail
	for tok := range tokens {
		open := t.requests.status
		if t.takeToken(tok, at); t.requests.status == open { // the answer to a frame may come with any key
			n++
		}
		t.events = tail.followToken(tok, t.events)
	}
	if !t.awaitsReplies() {
		t.setAnswered(true)
	}
	wait, pending := t.input.buf.Pending()
	// A key is alone if its bytes came in one read, or in several, without any other.
	if n == 1 && !pending && !t.input.mixed {
		for i, e := range t.events[first:] {
			if k, ok := e.(Key); ok {
				k.Alone = true
				t.events[first+i] = k
			}
		}
	}
	t.input.flushAt, t.input.mixed = time.Time{}, pending && (t.input.mixed || n > 0)
	if pending {
		// If the loop was slow, the rest of the sequence may be waiting behind this read: give the
		// reader the time to hand it over.
		t.input.flushAt = at.Add(wait)
		if soon := time.Now().Add(handoffTime); t.input.flushAt.Before(soon) {
			t.input.flushAt = soon
		}
	}
}

// takeToken handles one token. A reply of the terminal is stored, and everything else becomes an
// event or is dropped. The caller holds t.mu.
func (t *Terminal) takeToken(tok stdinbuf.Token, at time.Time) {
	switch tok.Kind {
	case stdinbuf.Paste:
		t.input.raw.bracketedSeen = true
		t.events = t.input.pieces.takeToken(t.events, tok)
		return
	case stdinbuf.Broken, stdinbuf.Mouse: // X10 reports are never asked for
		t.log.Debug("input that is none", "kind", tok.Kind, "bytes", len(tok.Data))
		return
	}
	switch t.probes.takeToken(tok) {
	case replyKnown, replyDone:
		t.updateCaps()
		return
	case replyScheme:
		t.schemeAt = at.Add(schemeDebounce)
		return
	case replySize:
		t.takeSizeReport(tok.Data)
		return
	case replyStatus:
		if t.requests.status > 0 {
			t.requests.status, t.requests.unanswered = t.requests.status-1, max(t.requests.unanswered-1, 0)
			t.events = append(t.events, StatusReport{})
		}
		return
	case replySwallow:
		if e, ok := pictureError(tok); ok {
			t.events = append(t.events, e)
		}
		return
	}
	if tok.Kind == stdinbuf.CSI && tok.Data[1] == '[' && t.takeCSI(tok.Data[2:]) {
		return
	}
	k, action, ok := decodeKey(tok)
	switch {
	case !ok:
		return
	case action == released:
		if t.keyReleases {
			t.events = append(t.events, KeyRelease{k})
		}
		return
	}
	k.Repeat = action == repeated
	t.events = append(t.events, k)
	if !t.caps.ModifiedKeys && isNewForm(tok) {
		t.probes.replies.modifiedKeySeen = true
		t.updateCaps()
	}
}

// takeCSI handles CSI sequences that are neither replies nor keys. The caller holds t.mu.
func (t *Terminal) takeCSI(seq []byte) bool {
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	switch {
	case final == 'I' && len(body) == 0, final == 'O' && len(body) == 0:
		t.focus = focusOut
		if final == 'I' {
			t.focus = focusIn
		}
		t.events = append(t.events, Focus{In: final == 'I'})
	case final == 'R':
		return t.takeCursorReport(body)
	case len(body) > 0 && body[0] == '<' && (final == 'M' || final == 'm'):
		if m, ok := parseMouse(seq); ok {
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

// takeCursorReport handles CSI row;col R, which is a cursor report or the key F3. The caller holds
// t.mu.
func (t *Terminal) takeCursorReport(body []byte) bool {
	p, ok := parseParams(body)
	row, col := p.at(0, 0, 0), p.at(1, 0, 0)
	if !ok || row < 1 || col < 1 {
		return false
	}
	// kitty 0.26 too; later ones send F3 as CSI 13 ~.
	if t.requests.cursorReports == 0 && row == 1 && col >= 2 && col <= 16 {
		return false
	}
	t.requests.cursorReports, t.requests.unanswered = max(t.requests.cursorReports-1, 0),
		max(t.requests.unanswered-1, 0)
	t.events = append(t.events, CursorReport{Col: col - 1, Row: row - 1})
	return true
}

// takeSizeReport handles CSI 48;rows;cols;... t, the report of mode 2048. If the device knows its
// size, that one is used, since a report may be old. The caller holds t.mu.
func (t *Terminal) takeSizeReport(seq []byte) {
	p, ok := parseParams(seq[2 : len(seq)-1])
	rows, cols := p.at(1, 0, 0), p.at(2, 0, 0)
	reported := [2]int{cols, rows}
	if ok && cols > 0 && rows > 0 && t.requests.statusUsed {
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
		changed := t.noteSize(cols, rows)
		t.size.reportedEarly = reported == [2]int{cols, rows} && (changed || t.size.reportedEarly)
	}
}

// awaitsReplies reports whether replies are still to come. The caller holds t.mu.
func (t *Terminal) awaitsReplies() bool {
	return (t.probes.inFlight() || t.requests.unanswered > 0) && time.Since(t.requests.askedAt) < questionLifetime
}

// setAnswered closes requests.allAnswered if all requests are answered, and makes a new one
// otherwise. The caller holds t.mu.
func (t *Terminal) setAnswered(all bool) {
	select {
	case <-t.requests.allAnswered:
		if !all {
			t.requests.allAnswered = make(chan struct{})
		}
	default:
		if all {
			close(t.requests.allAnswered)
		}
	}
}

// applyCaps sets up the parser and the writer for the known capabilities: how long a lone ESC waits
// for more bytes, whether a synchronized update may be left open, and whether control strings are
// sent. The caller holds t.mu.
func (t *Terminal) applyCaps() {
	t.modes.active[modeSync] = t.caps.Sync
	if t.writer != nil {
		t.writer.setDropStrings(!t.caps.Strings)
	}
	t.input.buf.Esc = 0
	if t.caps.Mux != "" || t.caps.SSH || t.modes.active[modeKitty] {
		t.input.buf.Esc = slowEscTime
	}
}

// appendQuestions appends the next requests to the terminal, if the last ones are answered and the
// terminal is not lent. The caller holds t.mu.
func (t *Terminal) appendQuestions(out []byte) []byte {
	n := len(out)
	if !t.loan.active {
		out = t.probes.appendNextStep(out)
	}
	if len(out) > n {
		t.requests.askedAt = time.Now()
		t.setAnswered(false)
	}
	return out
}

// send writes requests and modes, all that is not a frame.
func (t *Terminal) send(out []byte) {
	if len(out) == 0 {
		return
	}
	if _, err := t.writer.enqueue(out); err != nil {
		t.log.Debug("setting modes", "error", err)
	}
}

// updateCaps computes the capabilities anew from all replies, and switches on the modes that are
// now known to be supported. The caller holds t.mu.
func (t *Terminal) updateCaps() {
	before := t.caps
	got := t.probes.replies
	t.caps, t.facts = resolve(t.env, got)
	var out []byte

	// A mode's first report is what it was before us: the question came before the setting.
	for m := range modeCount {
		if v, ok := got.modes[modeTable[m].decNumber]; ok && modeTable[m].decNumber != 0 && !modeTable[m].switchesOff &&
			t.modes.prior[m] == wasUnknown {
			t.modes.prior[m] = wasReset
			if v == 1 || v == 3 {
				t.modes.prior[m] = wasSet
			}
		}
	}
	if t.caps.SchemeReports {
		out = t.modes.set(out, modeScheme)
	}
	if got.modes[1010] == 1 {
		out = t.modes.set(out, modeScroll)
	}
	if t.caps.SizeReports {
		out = t.modes.set(out, modeInBand)
	}
	if got.modes[2027] == 2 && !t.graphemeAsked {
		t.graphemeAsked = true
		out = t.modes.set(out, modeGrapheme)
		t.probes.queue = append(t.probes.queue, pendingQuestion{question: askMode, mode: 2027})
	}
	t.probes.plan(t.caps, t.env)
	t.caps.Answered = t.probes.allAnswered(t.env)
	if !t.modesDue.IsZero() {
		out = t.enterModes(out)
	}
	switch {
	case t.probes.replies.kittyKeys == answeredYes:
		out = t.modes.reset(out, modeOtherKeys)
		if out = t.modes.set(out, modeKitty); t.keyReleases {
			out = t.modes.set(out, modeReleases)
		}
	case t.probes.replies.kittyKeys == answeredNo && t.mayUseOtherKeys():
		out = t.modes.set(out, modeOtherKeys)
	}
	t.applyCaps()
	if t.caps.Strings && !before.Strings && t.title != "" && !t.loan.active {
		out = appendTitle(t.modes.set(out, modeTitle), t.title, t.caps.Mux)
	}
	t.send(t.appendQuestions(out))
	if t.caps != before {
		t.events = append(t.events, Changed{})
	}
	if known := got.background != nil || got.scheme != 0; known && (!t.appearanceSent || t.caps.Dark != before.Dark) {
		t.appearanceSent = true
		t.events = append(t.events, Appearance{Dark: t.caps.Dark})
	}
}

// mayUseOtherKeys reports whether modifyOtherKeys may be switched on. tmux always gets it, since it
// passes keys with modifiers on only then. Over SSH only a terminal that has reported its name gets
// it, since Shift stopped working in clients on phones. Terminals that take the sequence for a
// colour do not get it.
func (t *Terminal) mayUseOtherKeys() bool {
	switch {
	case t.caps.Name == "apple" || t.caps.Name == "linux":
		return false
	case t.caps.Mux != "":
		return t.caps.Mux == "tmux"
	}
	return !t.caps.SSH || t.probes.replies.version != ""
}
