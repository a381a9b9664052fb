// Package tuitest runs a program that is built on tui on a virtual screen.
//
// [Start] gives an App a terminal of its own, the emulator of package vt, and runs it. What the
// test does goes in as the bytes that a terminal would send, what the program does comes out as a
// screen with history; nothing above the tty is mocked.
//
// Inside a testing/synctest bubble time is the bubble's: [Screen.Settle] takes no real time and
// always sees the same. Outside it waits until the output has been quiet for a while, which is only
// as reliable as the machine is idle.
//
// # Golden files
//
// [Screen.Golden] compares the screen and its history with a file in testdata, [Golden] any bytes
// with any file. A test that fails shows the difference and the command that accepts it; that is
// go test with -update, a flag of every test binary that imports this package. Look at what has
// changed before you commit it.
//
// # Pictures
//
// [Screen.SVG] is the screen as a picture, [Screen.Film] a session as a moving one, for the
// documentation of a program. In a bubble they are the same bytes at each run, so that [Golden] can
// tell when they are out of date.
package tuitest
