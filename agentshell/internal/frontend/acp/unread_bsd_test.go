//go:build unix && !linux

package acp_test

// unreadRequest asks a pipe how many bytes wait in it: FIONREAD of sys/filio.h, for which x/sys has
// no name.
const unreadRequest = 0x4004667f
