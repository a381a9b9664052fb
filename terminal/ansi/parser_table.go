package ansi

type state uint8

const (
	ground state = iota
	escape
	escapeIntermediate
	csiEntry
	csiIntermediate
	csiParam
	csiIgnore
	dcsEntry
	dcsParam
	dcsIntermediate
	dcsPassthrough
	dcsIgnore
	oscString
	stringBody // APC, PM, SOS
	states
)

type action uint8

const (
	none action = iota
	execute
	collect
	param
	escDispatch
	csiDispatch
)

// transitions holds, for each state and byte, the action in the high and the next state in the low
// four bits. Payload bytes of strings and text have no action here: the loops in parser.go and
// parser_text.go take them.
var transitions = makeTransitions()

func makeTransitions() (t [16][256]uint8) {
	on := func(s state, from, to int, a action, next state) {
		for c := from; c <= to; c++ {
			t[s][c] = uint8(a)<<4 | uint8(next)
		}
	}
	c0 := func(s state, a action) { // every C0 but CAN, SUB, ESC
		on(s, 0x00, 0x17, a, s)
		on(s, 0x19, 0x19, a, s)
		on(s, 0x1c, 0x1f, a, s)
	}
	for s := ground; s < states; s++ {
		on(s, 0x00, 0xff, none, s)
		on(s, 0x18, 0x18, execute, ground)
		on(s, 0x1a, 0x1a, execute, ground)
		on(s, 0x80, 0x9a, execute, ground)
		on(s, 0x9c, 0x9c, none, ground)
		on(s, 0x1b, 0x1b, none, escape)
		on(s, 0x98, 0x98, none, stringBody)
		on(s, 0x9e, 0x9f, none, stringBody)
		on(s, 0x9b, 0x9b, none, csiEntry)
		on(s, 0x90, 0x90, none, dcsEntry)
		on(s, 0x9d, 0x9d, none, oscString)
	}

	c0(escape, execute)
	on(escape, 0x20, 0x2f, collect, escapeIntermediate)
	on(escape, 0x30, 0x7e, escDispatch, ground)
	on(escape, 'P', 'P', none, dcsEntry)
	on(escape, 'X', 'X', none, stringBody)
	on(escape, '^', '_', none, stringBody)
	on(escape, '[', '[', none, csiEntry)
	on(escape, ']', ']', none, oscString)

	c0(escapeIntermediate, execute)
	on(escapeIntermediate, 0x20, 0x2f, collect, escapeIntermediate)
	on(escapeIntermediate, 0x30, 0x7e, escDispatch, ground)

	for _, s := range []state{csiEntry, csiParam, csiIntermediate} {
		c0(s, execute)
		on(s, 0x20, 0x2f, collect, csiIntermediate)
		on(s, 0x30, 0x3f, none, csiIgnore)
		on(s, 0x40, 0x7e, csiDispatch, ground)
	}
	on(csiEntry, '0', '9', param, csiParam)
	on(csiEntry, ';', ';', param, csiParam)
	on(csiEntry, '<', '?', collect, csiParam)
	on(csiParam, '0', ';', param, csiParam)
	c0(csiIgnore, execute)
	on(csiIgnore, 0x40, 0x7e, none, ground)

	for _, s := range []state{dcsEntry, dcsParam, dcsIntermediate} {
		on(s, 0x20, 0x2f, collect, dcsIntermediate)
		on(s, 0x30, 0x3f, none, dcsIgnore)
		on(s, 0x40, 0x7e, none, dcsPassthrough)
	}
	on(dcsEntry, '0', '9', param, dcsParam)
	on(dcsEntry, ';', ';', param, dcsParam)
	on(dcsEntry, '<', '?', collect, dcsParam)
	on(dcsParam, '0', '9', param, dcsParam)
	on(dcsParam, ';', ';', param, dcsParam)

	// An OSC takes every byte from 0x20 on, so that UTF-8 goes through whole, and ends at BEL.
	on(oscString, 0x20, 0xff, none, oscString)
	on(oscString, 0x07, 0x07, none, ground)
	return t
}
