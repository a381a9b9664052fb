// Package tuitest runs a program that is built on tui on a virtual screen.
//
// [Start] gives an App a terminal of its own, the emulator of package vt, and runs it. What the
// test does goes in as the bytes that a terminal would send, what the program does comes out as a
// screen with history; nothing above the tty is mocked.
//
// Inside a testing/synctest bubble time is the bubble's: [Screen.Settle] takes no real time and
// always sees the same. Outside it waits until the output has been quiet for a while, which is only
// as reliable as the machine is idle.
package tuitest
