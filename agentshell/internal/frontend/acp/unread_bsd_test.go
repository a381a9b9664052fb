//go:build unix && !linux

package acp_test

// unreadRequest is the ioctl that returns the number of unread bytes in a pipe: FIONREAD of
// sys/filio.h, for which x/sys has no name.
const unreadRequest = 0x4004667f
