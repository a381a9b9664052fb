package ansi

// Limits of the [Parser]. Input beyond a limit is dropped, never buffered.
const (
	// MaxParams is the number of parameters a CSI or DCS sequence may have; a sequence with more is
	// dropped whole.
	MaxParams = 24
	// MaxParam is the largest value of a parameter; a larger one is cut to it.
	MaxParam = 65535
	// MaxIntermediates is the number of private markers and intermediate bytes that are kept; more
	// are ignored.
	MaxIntermediates = 4
	// MaxOSC is the number of payload bytes an OSC may have; a longer one is dropped whole.
	MaxOSC = 1 << 20
)

// Sequence is the content of an escape, control or device control sequence. It and its slices are
// valid until the handler returns.
type Sequence struct {
	Params        []uint16 // a parameter left empty is 0; one left empty at the end is not counted
	Intermediates []byte   // private markers (< = > ?) and intermediates (space to /), in the order received
	Final         byte
	colons        uint32 // bit i: a colon follows parameter i
}

// Colon reports whether parameter i is joined to the next one by a colon.
func (s *Sequence) Colon(i int) bool { return s.colons>>uint(i)&1 != 0 }

// HasColon reports whether any two parameters are joined by a colon.
func (s *Sequence) HasColon() bool { return s.colons != 0 }

// Handler receives what a [Parser] recognises. Slices are valid until the method returns. Embed
// [NopHandler] to implement only a part.
type Handler interface {
	// Text prints a run of ASCII, 0x20 to 0x7e; never empty.
	Text(p []byte)
	// Runes prints decoded characters: everything above 0x7f, the controls 0x10 to 0x1f but ESC,
	// DEL, and what ASCII stands between them.
	Runes(rs []rune)
	// Execute is a C0 control, 0x00 to 0x1f, or, inside a sequence, CAN and SUB.
	Execute(c byte)
	// Escape is ESC, intermediates, a final byte.
	Escape(s *Sequence)
	// CSI is a complete control sequence.
	CSI(s *Sequence)
	// OSC is an operating system command without its introducer and terminator; bel says that BEL
	// ended it.
	OSC(data []byte, bel bool)
	// Hook begins a device control string, Put carries its bytes in any number of pieces, Unhook
	// ends it.
	Hook(s *Sequence)
	Put(p []byte)
	Unhook()
	// StringStart begins an APC ('_'), PM ('^') or SOS ('X'); StringPut carries its bytes in any
	// number of pieces.
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

// Parser splits terminal output into text, controls and sequences. It is the state machine of
// vt100.net's "A parser for DEC's ANSI-compatible video terminals" with the differences that
// ghostty has: text is UTF-8 in the ground state only, so that no C1 control is recognised there;
// 0x10 to 0x1f and DEL are text in the ground state; a colon separates parameters; CAN, SUB and any
// ESC end an OSC and deliver it; SOS and PM are delivered as APC is. Work is linear in the input
// and memory is bounded by the Max constants, whatever the input.
//
// The zero value is ready to use. A Parser is not safe for concurrent use, and a Handler must not
// call back into it.
type Parser struct {
	state             state
	partialRune       [4]byte // an incomplete UTF-8 sequence at the end of the last piece
	partialLen        int
	intermediates     [MaxIntermediates]byte
	intermediateCount int
	params            [MaxParams]uint16
	paramCount        int
	param             uint32 // the parameter being read
	hasDigits         bool   // param has a digit
	colons            uint32
	osc               []byte
	oscTooLong        bool // the OSC is over MaxOSC
	stringKind        byte // of the APC, PM or SOS
	runes             [128]rune
	seq               Sequence
}

// Ground reports whether the parser is outside of any sequence, even one of UTF-8.
func (p *Parser) Ground() bool { return p.state == ground && p.partialLen == 0 }

// Reset drops an unfinished sequence without delivering it.
func (p *Parser) Reset() { p.state, p.partialLen, p.osc = ground, 0, p.osc[:0] }

// Parse feeds b to the state machine. The places where the input is cut only change the pieces in
// which text and string payloads are delivered.
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

// parseCSI delivers the control sequence at b[i], after ESC [, without the table, and returns where
// it ends. It returns 0 and does nothing if the end is not in b, or if anything but a private
// marker, digits and semicolons is in it: step reads such a sequence.
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

// endParam appends param to the parameters.
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

// finishSequence completes the n parameters. It returns false if there are too many. The last one
// is acc, if digits is set.
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

// dispatchCSI delivers a control sequence. Colons are valid in SGR only; elsewhere they make the
// sequence invalid (ghostty Parser.zig).
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

// plainString reports whether c is payload of a DCS or of an APC, PM or SOS.
func plainString(c byte, dcs bool) bool {
	if c < 0x20 {
		return c != 0x18 && c != 0x1a && c != 0x1b
	}
	return c < 0x7f || c == 0x7f && !dcs
}

// step runs one byte through the table: the exit action of the old state, the action, the entry
// action of the new one.
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

// shrinkBuffer returns b emptied, or nil if one huge string has grown it.
func shrinkBuffer(b []byte) []byte {
	if cap(b) > 64<<10 {
		return nil
	}
	return b[:0]
}
