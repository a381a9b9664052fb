package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// probe returns an attempt that no script can make: this test as a program in the sandbox. It ends
// with nil if it got out.
func probe(name string, args []string) error {
	number := func(i int) int {
		n, _ := strconv.Atoi(args[i])
		return n
	}
	call := func(nr uintptr, args ...uintptr) error {
		var a [6]uintptr
		copy(a[:], args)
		_, _, errno := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
		if errno != 0 {
			return errno
		}
		return nil
	}
	// tried is call for one that the kernel itself refuses because of what it is given: it is let
	// through if it is that errno.
	tried := func(want unix.Errno, nr uintptr, args ...uintptr) error {
		if err := call(nr, args...); err != nil && !errors.Is(err, want) {
			return err
		}
		return nil
	}
	socket := func(family, kind, proto int) error {
		fd, err := unix.Socket(family, kind, proto)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	}
	clone := func(flags uintptr) error {
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
		return cmd.Run()
	}
	switch name {
	case "serve": // a socket of the cell's own
		l, err := net.Listen("unix", args[0])
		if err != nil {
			return err
		}
		c, err := l.Accept()
		if err != nil {
			return err
		}
		_, err = c.Write([]byte("in"))
		return errors.Join(err, c.Close())
	case "connect":
		c, err := net.DialTimeout(args[0], args[1], 2*time.Second)
		if err != nil {
			return err
		}
		_, err = c.Write([]byte("out"))
		return errors.Join(err, c.Close())
	case "fds": // descriptors of any process that lead to a directory or a file outside
		all, _ := filepath.Glob("/proc/[0-9]*/fd/*")
		for _, fd := range all {
			n, _ := strconv.Atoi(filepath.Base(fd))
			if n < 3 || strings.HasPrefix(fd, "/proc/"+strconv.Itoa(os.Getpid())) {
				continue
			}
			if f, err := os.Open(fd); err == nil {
				return f.Close()
			}
		}
		return errors.New("there is none")
	case "descriptor":
		b := make([]byte, 100)
		n, err := unix.Pread(number(0), b, 0)
		if err == nil && !bytes.Contains(b[:n], []byte("key")) {
			err = errors.New("another file")
		}
		return err
	case "directory":
		fd, err := unix.Openat(number(0), "../home/.ssh/id", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	case "chroot":
		if err := unix.Chroot("."); err != nil {
			return err
		}
		return os.Chdir("../../../../..")
	case "handle":
		h, id, err := unix.NameToHandleAt(unix.AT_FDCWD, ".", 0)
		_ = id
		if err != nil {
			return err
		}
		at, err := unix.Open(".", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		fd, err := unix.OpenByHandleAt(at, h, unix.O_RDONLY)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	case "mount":
		return unix.Mount("x", ".", "tmpfs", 0, "")
	case "remount":
		return unix.Mount("", args[0], "", unix.MS_REMOUNT|unix.MS_BIND, "")
	case "umount":
		return unix.Unmount(args[0], unix.MNT_DETACH)
	case "open_tree":
		fd, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	case "fsopen":
		fd, err := unix.Fsopen("tmpfs", 0)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	case "mount_setattr":
		return tried(unix.EINVAL, unix.SYS_MOUNT_SETATTR, ^uintptr(99), 0, unix.AT_EMPTY_PATH, 0, 0)
	case "pivot_root":
		return tried(unix.EBUSY, unix.SYS_PIVOT_ROOT, ptr("."), ptr("."))
	case "userns":
		return clone(unix.CLONE_NEWUSER)
	case "userns-mount":
		return clone(unix.CLONE_NEWUSER | unix.CLONE_NEWNS)
	case "unshare":
		return unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWIPC)
	case "clone3":
		args := struct{ flags, pidfd, child, parent, exit, stack, size, tls uint64 }{flags: unix.CLONE_NEWUTS, exit: 17}
		pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return nil
	case "setns":
		fd, err := unix.Open("/proc/self/ns/uts", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		return tried(unix.EINVAL, unix.SYS_SETNS, uintptr(fd), unix.CLONE_NEWUTS)
	case "kill":
		return unix.Kill(number(0), 0)
	case "priority":
		return unix.Setpriority(unix.PRIO_PROCESS, number(0), 19) // this test may run at 1 or more
	case "attach":
		return attached(number(0))
	case "traceme":
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		return cmd.Process.Kill()
	case "memory":
		f, err := os.OpenFile("/proc/"+args[0]+"/mem", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return f.Close()
	case "vm_readv":
		b, secret := make([]byte, 6), []byte("secret")
		_, err := unix.ProcessVMReadv(os.Getpid(), []unix.Iovec{{Base: &b[0], Len: 6}},
			[]unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&secret[0])), Len: 6}}, 0)
		return err
	case "pidfd_getfd":
		fd, err := unix.PidfdOpen(os.Getpid(), 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, 1, 0)
		return err
	case "capabilities":
		text, err := os.ReadFile("/proc/self/status")
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(strings.TrimSpace(line), ":\t"); strings.HasPrefix(name, "Cap") &&
				strings.Trim(value, "0") != "" {
				return nil
			}
		}
		return errors.Join(err, errors.New("there are none"))
	case "privileges": // a program that sets its user may do so
		v, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
		if err == nil && v == 1 {
			err = errors.New("no new privileges")
		}
		return err
	case "io_uring":
		var params [120]byte
		return call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])))
	case "add_key":
		_, err := unix.AddKey("user", "scrollkeep-test", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
		return err
	case "keyring":
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true)
		return err
	case "request_key":
		return tried(unix.ENOKEY, unix.SYS_REQUEST_KEY, ptr("user"), ptr("nonesuch"), 0, 0)
	case "bpf":
		return tried(unix.EINVAL, unix.SYS_BPF, 999, 0, 0)
	case "perf":
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
			Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
		_, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
		return err
	case "userfaultfd":
		return call(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|1)
	case "fanotify":
		return call(unix.SYS_FANOTIFY_INIT, unix.FAN_REPORT_FID, 0)
	case "kexec":
		return tried(unix.EINVAL, unix.SYS_KEXEC_LOAD, 0, 99, 0, 0)
	case "module":
		return tried(unix.EBADF, unix.SYS_FINIT_MODULE, ^uintptr(0), ptr(""), 0)
	case "hostname":
		return unix.Sethostname([]byte("taken"))
	case "af_alg":
		return socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0)
	case "af_packet":
		return socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
	case "af_vsock":
		return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0)
	case "netlink":
		return socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT)
	case "shm":
		_, err := unix.SysvShmGet(number(0), 0, 0)
		return err
	case "tiocsti":
		return push(unix.TIOCSTI)
	case "tiocsti-high": // the kernel looks at 32 bits only
		return push(unix.TIOCSTI | 1<<32)
	case "tioclinux":
		return tried(unix.ENOTTY, unix.SYS_IOCTL, 0, ioctlTIOCLINUX, ptr("\x02"))
	case "device":
		var last error
		for _, name := range []string{"mem", "kmsg", "port", "vda", "sda", "nvme0n1", "loop-control", "fuse", "kvm",
			"net/tun", "uinput", "input/event0", "vsock", "console"} {
			f, err := os.Open("/dev/" + name)
			if err == nil {
				return f.Close()
			}
			last = err
		}
		return last
	case "mknod":
		if err := unix.Mknod("disk", unix.S_IFBLK|0o600, int(unix.Mkdev(254, 0))); err != nil {
			return err
		}
		return os.Remove("disk")
	case "suid": // by a call that has its mode in memory
		fd, err := unix.Openat2(unix.AT_FDCWD, "suid", &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755})
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	case "x32":
		return call(x32|unix.SYS_GETPID, 0)
	}
	return fmt.Errorf("there is no attempt %q", name)
}

// ptr returns a text as the kernel takes it.
func ptr(s string) uintptr {
	b, _ := unix.BytePtrFromString(s)
	return uintptr(unsafe.Pointer(b))
}

// attached traces a process and lets it go.
func attached(pid int) error {
	if err := unix.PtraceSeize(pid); err != nil {
		return err
	}
	return nil
}

// push types a character into a terminal of its own that controls it.
func push(request uintptr) error {
	cmd := exec.Command(os.Args[0], "probe", "push", strconv.FormatUint(uint64(request), 10))
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return err
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer slave.Close()
	cmd.Stdin, cmd.Stderr = slave, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return cmd.Run()
}

// pushed returns the process that push starts.
func pushed(request string) error {
	n, _ := strconv.ParseUint(request, 10, 64)
	c := []byte("x")
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, 0, uintptr(n), uintptr(unsafe.Pointer(&c[0]))); errno != 0 {
		return errno
	}
	return nil
}
