package sandbox

import (
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// namespaces holds the flags of clone and unshare that create new namespaces.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// x32 is the bit in the number of a system call that programs with the x32 ABI of amd64 set.
const x32 = 0x40000000

// setsUser is the bit of a file's mode by which it runs as its owner (setuid).
const setsUser = 0o4000

// refused lists system calls that no command needs in a sandbox, and by which programs have escaped
// from sandboxes, with the error that they return.
var refused = []struct {
	errno unix.Errno
	calls []uint32
}{
	// Programs try these calls and do without them where the system does not know them.
	{unix.ENOSYS, []uint32{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER,
		unix.SYS_IO_URING_REGISTER, unix.SYS_OPENAT2}},
	{unix.EPERM, []uint32{
		// other processes
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
		unix.SYS_PROCESS_MADVISE, unix.SYS_PERF_EVENT_OPEN, unix.SYS_BPF, unix.SYS_USERFAULTFD,
		// namespaces and mounts
		unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT,
		unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL,
		unix.SYS_QUOTACTL_FD, openTreeAttr,
		// keys
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		// the system itself
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE,
		unix.SYS_DELETE_MODULE, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SYSLOG,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME,
		unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	}},
}

// traceCalls lists those of the refused system calls that debuggers need.
var traceCalls = []uint32{unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV}

// openTreeAttr is the number of the system call open_tree_attr, which x/sys does not have yet. It
// is the same on all architectures.
const openTreeAttr = 467

// Offsets, in bytes, in the description of a system call that a seccomp filter reads.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16 // the arguments, of eight bytes each; the low half comes first
)

func loadWord(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func ifEqual(k uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
}

func ifAnyBit(k uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
}

func returnAction(k uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
}

func failWith(errno unix.Errno) unix.SockFilter {
	return returnAction(unix.SECCOMP_RET_ERRNO | uint32(errno))
}

func loadArgument(n uint32) unix.SockFilter { return loadWord(offArgs + 8*n) }

// makeFilter returns the BPF program that allows or refuses each system call. trace allows the
// calls that debuggers need. Of an argument it checks only the low half if the kernel ignores the
// high half, since otherwise a bit there would hide a refused value.
func makeFilter(trace bool) []unix.SockFilter {
	allow := returnAction(unix.SECCOMP_RET_ALLOW)
	prog := []unix.SockFilter{
		loadWord(offArch), ifEqual(audit, 1, 0), failWith(unix.ENOSYS), // programs of 32 bits have other numbers
		loadWord(offNumber), ifAnyBit(x32, 0, 1), failWith(unix.ENOSYS),
	}
	for _, group := range refused {
		for _, nr := range append(group.calls, refusedOnArch[group.errno]...) {
			if trace && slices.Contains(traceCalls, nr) {
				continue
			}
			prog = append(prog, ifEqual(nr, 0, 1), failWith(group.errno))
		}
	}
	// addCheck adds instructions for the call nr alone. They load its arguments.
	addCheck := func(nr uint32, body ...unix.SockFilter) {
		prog = append(prog, ifEqual(nr, 0, len(body)))
		prog = append(prog, body...)
	}
	addCheck(unix.SYS_CLONE, loadArgument(0), ifAnyBit(namespaces, 0, 1), failWith(unix.EPERM), allow)
	addCheck(unix.SYS_UNSHARE, loadArgument(0), ifAnyBit(namespaces|unix.CLONE_NEWTIME, 0, 1), failWith(unix.EPERM),
		allow)
	addCheck(unix.SYS_IOCTL, loadArgument(1), ifEqual(unix.TIOCSTI, 1, 0), ifEqual(ioctlTIOCLINUX, 0, 1),
		failWith(unix.EPERM), allow)
	for _, nr := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
		addCheck(nr, loadArgument(0), ifEqual(unix.AF_UNIX, 5, 0), ifEqual(unix.AF_INET, 4, 0),
			ifEqual(unix.AF_INET6, 3, 0),
			ifEqual(unix.AF_NETLINK, 0, 3), loadArgument(2), ifEqual(unix.NETLINK_ROUTE, 0, 1), allow,
			failWith(unix.EAFNOSUPPORT))
	}
	for _, c := range modeCalls {
		if c.create {
			addCheck(c.nr, loadArgument(c.flags), ifAnyBit(unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY, 0, 3),
				loadArgument(c.mode), ifAnyBit(setsUser, 0, 1), failWith(unix.EPERM), allow)
			continue
		}
		addCheck(c.nr, loadArgument(c.mode), ifAnyBit(setsUser, 0, 1), failWith(unix.EPERM), allow)
	}
	return append(prog, allow)
}

// ioctlTIOCLINUX is the ioctl request that pastes text into a Linux console.
const ioctlTIOCLINUX = 0x541c

// modeCall describes a system call that sets a file's mode: its number nr, and which of its
// arguments are the flags and the mode. If create is true, the call sets the mode only if its flags
// create a file.
type modeCall struct {
	nr, flags, mode uint32
	create          bool
}

// confineCalls installs the filter of system calls for all threads of this process, and for the
// processes that they start.
func confineCalls(trace bool) error {
	prog := makeFilter(trace)
	p := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	r, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&p)))
	if errno != 0 {
		return fmt.Errorf("the filter of system calls (seccomp) cannot be set: %w", errno)
	}
	if r != 0 {
		return fmt.Errorf("the filter of system calls (seccomp) does not reach thread %d", r)
	}
	return nil
}
