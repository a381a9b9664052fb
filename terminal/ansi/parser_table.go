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
	stringBody // Inside of an APC, PM or SOS string.
	states
)

type action uint8

const (
	noAction action = iota
	actExecute
	actCollect
	actParam
	actEscDispatch
	actCSIDispatch
)

// transitions holds, by state and byte, an action in the high four bits and the next state in the
// low four. Text and the content of strings have no action here: the loops in parser.go and
// parser_text.go handle them.
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
		on(s, 0x00, 0xff, noAction, s)
		on(s, 0x18, 0x18, actExecute, ground)
		on(s, 0x1a, 0x1a, actExecute, ground)
		on(s, 0x80, 0x9a, actExecute, ground)
		on(s, 0x9c, 0x9c, noAction, ground)
		on(s, 0x1b, 0x1b, noAction, escape)
		on(s, 0x98, 0x98, noAction, stringBody)
		on(s, 0x9e, 0x9f, noAction, stringBody)
		on(s, 0x9b, 0x9b, noAction, csiEntry)
		on(s, 0x90, 0x90, noAction, dcsEntry)
		on(s, 0x9d, 0x9d, noAction, oscString)
	}

	c0(escape, actExecute)
	on(escape, 0x20, 0x2f, actCollect, escapeIntermediate)
	on(escape, 0x30, 0x7e, actEscDispatch, ground)
	on(escape, 'P', 'P', noAction, dcsEntry)
	on(escape, 'X', 'X', noAction, stringBody)
	on(escape, '^', '_', noAction, stringBody)
	on(escape, '[', '[', noAction, csiEntry)
	on(escape, ']', ']', noAction, oscString)

	c0(escapeIntermediate, actExecute)
	on(escapeIntermediate, 0x20, 0x2f, actCollect, escapeIntermediate)
	on(escapeIntermediate, 0x30, 0x7e, actEscDispatch, ground)

	for _, s := range []state{csiEntry, csiParam, csiIntermediate} {
		c0(s, actExecute)
		on(s, 0x20, 0x2f, actCollect, csiIntermediate)
		on(s, 0x30, 0x3f, noAction, csiIgnore)
		on(s, 0x40, 0x7e, actCSIDispatch, ground)
	}
	on(csiEntry, '0', '9', actParam, csiParam)
	on(csiEntry, ';', ';', actParam, csiParam)
	on(csiEntry, '<', '?', actCollect, csiParam)
	on(csiParam, '0', ';', actParam, csiParam)
	c0(csiIgnore, actExecute)
	on(csiIgnore, 0x40, 0x7e, noAction, ground)

	for _, s := range []state{dcsEntry, dcsParam, dcsIntermediate} {
		on(s, 0x20, 0x2f, actCollect, dcsIntermediate)
		on(s, 0x30, 0x3f, noAction, dcsIgnore)
		on(s, 0x40, 0x7e, noAction, dcsPassthrough)
	}
	on(dcsEntry, '0', '9', actParam, dcsParam)
	on(dcsEntry, ';', ';', actParam, dcsParam)
	on(dcsEntry, '<', '?', actCollect, dcsParam)
	on(dcsParam, '0', '9', actParam, dcsParam)
	on(dcsParam, ';', ';', actParam, dcsParam)

	// An OSC takes every byte from 0x20 on, so that UTF-8 goes through whole, and ends at BEL.
	on(oscString, 0x20, 0xff, noAction, oscString)
	on(oscString, 0x07, 0x07, noAction, ground)
	return t
}
