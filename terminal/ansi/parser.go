package ansi

// Limits of the [Parser]. Input beyond a limit is dropped, never buffered.
const (
	// MaxParams is the most parameters of a CSI or DCS sequence. A sequence with more is dropped.
	MaxParams = 24
	// MaxParam is the largest value of a parameter. A larger value is replaced by it.
	MaxParam = 65535
	// MaxIntermediates is the most private markers and intermediate bytes of a sequence. More are
	// ignored.
	MaxIntermediates = 4
	// MaxOSC is the most bytes of the content of an OSC string. A longer string is dropped.
	MaxOSC = 1 << 20
)

// Sequence is the content of an escape sequence, a control sequence (CSI) or a device control
// string (DCS). It is valid until the handler returns.
type Sequence struct {
	Params        []uint16 // A parameter that is left empty is 0. An empty one at the end is left out.
	Intermediates []byte   // Private markers (< = > ?) and intermediate bytes (space to /), in order.
	Final         byte
	colons        uint32 // Bit i: a colon follows parameter i.
}

// Colon reports whether a colon, not a semicolon, follows parameter i.
func (s *Sequence) Colon(i int) bool { return s.colons>>uint(i)&1 != 0 }

// HasColon reports whether the sequence contains a colon.
func (s *Sequence) HasColon() bool { return s.colons != 0 }

// Handler receives what a [Parser] finds in a stream. Slices are valid until the method returns.
// Embed [NopHandler] to implement only some of the methods.
type Handler interface {
	// Text receives a run of printable ASCII (0x20 to 0x7e). It is never empty.
	Text(p []byte)
	// Runes receives decoded characters: all above 0x7f, the controls 0x10 to 0x1f except ESC, and
	// DEL. Short runs of ASCII between them come here, too.
	Runes(rs []rune)
	// Execute receives a C0 control (0x00 to 0x1f). Inside of a sequence it also receives CAN and
	// SUB.
	Execute(c byte)
	// Escape receives an escape sequence: ESC, intermediate bytes and a final byte.
	Escape(s *Sequence)
	// CSI receives a complete control sequence.
	CSI(s *Sequence)
	// OSC receives the content of an operating system command. bel is true if BEL has ended it.
	OSC(data []byte, bel bool)
	// Hook begins a device control string. Put receives its bytes in one or more pieces, and Unhook
	// ends it.
	Hook(s *Sequence)
	Put(p []byte)
	Unhook()
	// StringStart begins an APC ('_'), PM ('^') or SOS ('X') string. StringPut receives its bytes
	// in one or more pieces.
	StringStart(kind byte)
	StringPut(p []byte)
	StringEnd()
}

// NopHandler ignores everything.
type NopHandler struct{}

func (NopHandler) Text([]byte)      {}
func (NopHandler) Runes([]rune)     {}
func (NopHandler) Execute(byte)     {}
func (NopHandler) Escape(*Sequence) {}
func (NopHandler) CSI(*Sequence)    {}
func (NopHandler) OSC([]byte, bool) {}
func (NopHandler) Hook(*Sequence)   {}
func (NopHandler) Put([]byte)       {}
func (NopHandler) Unhook()          {}
func (NopHandler) StringStart(byte) {}
func (NopHandler) StringPut([]byte) {}
func (NopHandler) StringEnd()       {}

// Parser splits the output of a program into text, controls and sequences. It is the state machine
// of vt100.net's "A parser for DEC's ANSI-compatible video terminals", with the differences that
// ghostty has. Outside of sequences text is UTF-8, so that no C1 control is recognized, and 0x10 to
// 0x1f and DEL are text. A colon separates parameters. CAN, SUB and any ESC end an OSC string and
// deliver it. SOS and PM strings are delivered as APC strings are.
//
// The time is linear in the input, and the Max constants bound the memory. The zero value is ready
// for use. A Parser is not safe for concurrent use, and a Handler must not call its methods.
type Parser struct {
	state             state
	partialRune       [4]byte // An incomplete UTF-8 character at the end of the last input.
	partialLen        int
	intermediates     [MaxIntermediates]byte
	intermediateCount int
	params            [MaxParams]uint16
	paramCount        int
	param             uint32 // The parameter that is being read.
	hasDigits         bool   // param has at least one digit.
	colons            uint32
	osc               []byte
	oscTooLong        bool // The OSC string is longer than MaxOSC.
	stringKind        byte // The byte that has begun the APC, PM or SOS string.
	runes             [128]rune
	seq               Sequence
}

// Ground reports whether the input so far ends outside of any sequence and any UTF-8 character.
func (p *Parser) Ground() bool { return p.state == ground && p.partialLen == 0 }

// Reset drops an unfinished sequence without delivering it.
func (p *Parser) Reset() { p.state, p.partialLen, p.osc = ground, 0, p.osc[:0] }

// Parse parses the next bytes of the stream and calls the handler for what is complete. The stream
// may be cut anywhere: that only changes in which pieces text and the bytes of strings are
// delivered.
func (p *Parser) Parse(b []byte, h Handler) {
	for p.partialLen > 0 && len(b) > 0 {
		b = b[p.finishRune(b, h):]
	}
	for i := 0; i < len(b); {
		switch p.state {
		case ground:
			i = p.parseText(b, i, h)
		case oscString:
			i = p.parseOSC(b, i, h)
		case dcsPassthrough, stringBody:
			i = p.parseString(b, i, h)
		default:
			p.step(b[i], h)
			i++
		}
	}
}

// parseCSI parses the control sequence whose ESC [ ends before b[i], without the state table,
// delivers it, and returns the index behind it. It returns 0 and does nothing if the sequence is
// incomplete, or contains more than a private marker, digits and semicolons: step parses those.
func (p *Parser) parseCSI(b []byte, i int, h Handler) int {
	marked := false
	if i < len(b) && b[i]-'<' <= '?'-'<' {
		p.intermediates[0], marked = b[i], true
		i++
	}
	var n int
	var acc uint32
	digits := false
	for ; i < len(b); i++ {
		c := b[i]
		if d := c - '0'; d <= 9 {
			if acc <= MaxParam { // so that it cannot overflow
				acc = acc*10 + uint32(d)
			}
			digits = true
			continue
		}
		if c != ';' {
			break
		}
		if n < MaxParams {
			p.params[n] = uint16(min(acc, MaxParam))
			n++
		}
		acc, digits = 0, false
	}
	if i == len(b) || b[i]-0x40 > 0x7e-0x40 {
		return 0
	}
	if n < MaxParams {
		if digits {
			p.params[n] = uint16(min(acc, MaxParam))
			n++
		}
		q := &p.seq
		q.Params, q.Final, q.colons = p.params[:n], b[i], 0
		if marked {
			q.Intermediates = p.intermediates[:1]
		} else if q.Intermediates != nil {
			q.Intermediates = nil
		}
		h.CSI(q)
	}
	return i + 1
}

// endParam appends the current parameter to the list.
func (p *Parser) endParam(colon bool) {
	if p.paramCount >= MaxParams {
		return
	}
	p.params[p.paramCount] = uint16(p.param)
	if colon {
		p.colons |= 1 << uint(p.paramCount)
	}
	p.paramCount++
	p.param, p.hasDigits = 0, false
}

// finishSequence completes the list of n parameters. The last one is acc, if digits is set. It
// returns false if there are too many.
func (p *Parser) finishSequence(final byte, n int, acc uint32, digits bool) bool {
	if n >= MaxParams {
		return false
	}
	if digits {
		p.params[n] = uint16(acc)
		n++
	}
	p.seq.Params, p.seq.Final, p.seq.colons = p.params[:n], final, p.colons
	if p.intermediateCount > 0 || p.seq.Intermediates != nil {
		p.seq.Intermediates = p.intermediates[:p.intermediateCount]
	}
	return true
}

// dispatchCSI delivers a control sequence to the handler. A sequence with a colon is dropped unless
// it is SGR (ghostty Parser.zig).
func (p *Parser) dispatchCSI(final byte, h Handler) {
	if p.finishSequence(final, p.paramCount, p.param, p.hasDigits) && (final == 'm' || p.colons == 0) {
		h.CSI(&p.seq)
	}
}

func (p *Parser) clearSequence() {
	p.intermediateCount, p.paramCount, p.param, p.hasDigits, p.colons = 0, 0, 0, false, 0
}

func (p *Parser) parseOSC(b []byte, i int, h Handler) int {
	for i < len(b) {
		j := i
		for j < len(b) && b[j] >= 0x20 {
			j++
		}
		if n := j - i; n > 0 {
			if p.oscTooLong || len(p.osc)+n > MaxOSC {
				p.oscTooLong, p.osc = true, p.osc[:0]
			} else {
				p.osc = append(p.osc, b[i:j]...)
			}
		}
		i = j
		if i < len(b) {
			p.step(b[i], h)
			i++
			if p.state != oscString {
				break
			}
		}
	}
	return i
}

func (p *Parser) parseString(b []byte, i int, h Handler) int {
	dcs := p.state == dcsPassthrough
	for i < len(b) {
		j := i
		for j < len(b) && plainString(b[j], dcs) {
			j++
		}
		if j > i {
			if dcs {
				h.Put(b[i:j])
			} else {
				h.StringPut(b[i:j])
			}
		}
		i = j
		if i < len(b) {
			s := p.state
			p.step(b[i], h)
			i++
			if p.state != s {
				break
			}
		}
	}
	return i
}

// plainString reports whether c belongs to the content of a DCS, APC, PM or SOS string.
func plainString(c byte, dcs bool) bool {
	if c < 0x20 {
		return c != 0x18 && c != 0x1a && c != 0x1b
	}
	return c < 0x7f || c == 0x7f && !dcs
}

// step handles one byte by the state table: the exit action of the old state, the action of the
// transition, the entry action of the new state.
func (p *Parser) step(c byte, h Handler) {
	e := transitions[p.state&15][c]
	old, next := p.state, state(e&15)
	p.state = next
	if old != next {
		switch old {
		case oscString:
			if !p.oscTooLong {
				h.OSC(p.osc, c == 0x07)
			}
			p.osc = shrinkBuffer(p.osc)
		case dcsPassthrough:
			h.Unhook()
		case stringBody:
			h.StringEnd()
		}
	}
	switch action(e >> 4) {
	case actExecute:
		if c > 0x7f { // C1 inside a sequence is ESC and c - 0x40
			p.clearSequence()
			p.seq = Sequence{Final: c - 0x40}
			h.Escape(&p.seq)
		} else {
			h.Execute(c)
		}
	case actCollect:
		if p.intermediateCount < MaxIntermediates {
			p.intermediates[p.intermediateCount] = c
			p.intermediateCount++
		}
	case actParam:
		switch {
		case c == ';' || c == ':':
			p.endParam(c == ':')
		default:
			if p.param = p.param*10 + uint32(c-'0'); p.param > MaxParam {
				p.param = MaxParam
			}
			p.hasDigits = true
		}
	case actEscDispatch:
		p.seq = Sequence{Intermediates: p.intermediates[:p.intermediateCount], Final: c}
		h.Escape(&p.seq)
	case actCSIDispatch:
		p.dispatchCSI(c, h)
	}
	if old == next {
		return
	}
	switch next {
	case escape, dcsEntry, csiEntry:
		p.clearSequence()
	case oscString:
		p.osc, p.oscTooLong = p.osc[:0], false
	case dcsPassthrough:
		if p.finishSequence(c, p.paramCount, p.param, p.hasDigits) {
			h.Hook(&p.seq)
		}
	case stringBody:
		p.stringKind = c &^ 0x20
		switch c {
		case 'X', 0x98:
			p.stringKind = 'X'
		case '^', 0x9e:
			p.stringKind = '^'
		default:
			p.stringKind = '_'
		}
		h.StringStart(p.stringKind)
	}
}

// shrinkBuffer returns b with length 0, or nil if its capacity is huge.
func shrinkBuffer(b []byte) []byte {
	if cap(b) > 64<<10 {
		return nil
	}
	return b[:0]
}
