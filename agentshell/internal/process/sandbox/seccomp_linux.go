package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// namespaces are the flags of clone and unshare that make new ones.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// x32 marks the calls of a second kind of programs on amd64.
const x32 = 0x40000000

// setsUser is the bit of a file's mode by which it runs as its owner.
const setsUser = 0o4000

// refused are system calls that no command of a cell needs, and by which others have got out of
// one.
var refused = []struct {
	errno unix.Errno
	calls []uint32
}{
	// They are tried by programs that do without where the system does not know them.
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

// openTreeAttr is a call that x/sys does not name yet; its number is the same everywhere.
const openTreeAttr = 467

// Offsets in what the filter is given.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16 // eight bytes each, the low half first on both of our systems
)

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func equal(k uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
}

func anyBit(k uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
}

func verdict(k uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
}

func fails(errno unix.Errno) unix.SockFilter {
	return verdict(unix.SECCOMP_RET_ERRNO | uint32(errno))
}

func argument(n uint32) unix.SockFilter { return load(offArgs + 8*n) }

// filter returns the program that judges each system call. Only the low half of an argument is
// looked at where the kernel does not look at more: a flag in the high one would hide it.
func filter() []unix.SockFilter {
	allow := verdict(unix.SECCOMP_RET_ALLOW)
	prog := []unix.SockFilter{
		load(offArch), equal(audit, 1, 0), fails(unix.ENOSYS), // programs of 32 bits have other numbers
		load(offNumber), anyBit(x32, 0, 1), fails(unix.ENOSYS),
	}
	for _, group := range refused {
		for _, nr := range append(group.calls, refusedHere[group.errno]...) {
			prog = append(prog, equal(nr, 0, 1), fails(group.errno))
		}
	}
	// judge adds what is asked only of the call nr, which loads arguments.
	judge := func(nr uint32, body ...unix.SockFilter) {
		prog = append(prog, equal(nr, 0, len(body)))
		prog = append(prog, body...)
	}
	judge(unix.SYS_CLONE, argument(0), anyBit(namespaces, 0, 1), fails(unix.EPERM), allow)
	judge(unix.SYS_UNSHARE, argument(0), anyBit(namespaces|unix.CLONE_NEWTIME, 0, 1), fails(unix.EPERM), allow)
	judge(unix.SYS_IOCTL, argument(1), equal(unix.TIOCSTI, 1, 0), equal(tioclinux, 0, 1), fails(unix.EPERM), allow)
	for _, nr := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
		judge(nr, argument(0), equal(unix.AF_UNIX, 5, 0), equal(unix.AF_INET, 4, 0), equal(unix.AF_INET6, 3, 0),
			equal(unix.AF_NETLINK, 0, 3), argument(2), equal(unix.NETLINK_ROUTE, 0, 1), allow,
			fails(unix.EAFNOSUPPORT))
	}
	for _, c := range modes {
		if c.create {
			judge(c.nr, argument(c.flags), anyBit(unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY, 0, 3),
				argument(c.mode), anyBit(setsUser, 0, 1), fails(unix.EPERM), allow)
			continue
		}
		judge(c.nr, argument(c.mode), anyBit(setsUser, 0, 1), fails(unix.EPERM), allow)
	}
	return append(prog, allow)
}

// tioclinux pastes into a console of Linux.
const tioclinux = 0x541c

// modal is a call with a mode of a file, by the numbers of its arguments. One with flags has a mode
// only where it makes a file.
type modal struct {
	nr, flags, mode uint32
	create          bool
}

// confineCalls lets the filter judge all threads of this process, and whatever they start.
func confineCalls() error {
	prog := filter()
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
