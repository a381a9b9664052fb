// Package vt is a terminal emulator without a window: it keeps the grid, the scrollback and the modes that the output of an application leads
// to, and gives the replies that the application asks for. Where emulators differ, it does what ghostty does.
package vt
