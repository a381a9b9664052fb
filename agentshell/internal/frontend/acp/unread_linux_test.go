package acp_test

import "golang.org/x/sys/unix"

// unreadRequest is the ioctl that returns the number of unread bytes in a pipe.
const unreadRequest = unix.TIOCINQ
