package acp_test

import "golang.org/x/sys/unix"

// unreadRequest asks a pipe how many bytes wait in it.
const unreadRequest = unix.TIOCINQ
