package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The directories where the old root and the new root of the file system are mounted while the new
// one is built.
const (
	mountBase = "/tmp" // a directory that exists on every system
	outerRoot = "/outer"
	innerRoot = "/inner"
)

// prepareRoot mounts the parts of the new file system that are the same in every sandbox: the root,
// /proc and /dev. It runs in the first process of new namespaces, which has all rights there.
func (s setup) prepareRoot() error {
	for _, m := range []struct{ file, text string }{
		{"setgroups", "deny"}, {"gid_map", fmt.Sprintf("%d %d 1", s.GID, s.GID)},
		{"uid_map", fmt.Sprintf("%d %d 1", s.UID, s.UID)},
	} {
		if err := os.WriteFile("/proc/self/"+m.file, []byte(m.text), 0); err != nil {
			return fmt.Errorf("the user namespace takes no %s: %w", m.file, err)
		}
	}
	for _, step := range []func() error{
		func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") },
		func() error {
			return unix.Mount("sandbox", mountBase, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755")
		},
		func() error { return unix.Mkdir(mountBase+outerRoot, 0o755) },
		func() error { return unix.Mkdir(mountBase+innerRoot, 0o755) },
		func() error { return unix.PivotRoot(mountBase, mountBase+outerRoot) },
		func() error { return unix.Chdir("/") },
		func() error {
			return unix.Mount("sandbox", innerRoot, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755")
		},
		mountProc, mountDevices,
	} {
		if err := step(); err != nil {
			return fmt.Errorf("the namespaces take no file system: %w", err)
		}
	}
	return nil
}

// buildRoot mounts the remaining parts of the new file system, as ops says, and makes it the root
// of this process.
func (s setup) buildRoot(ops []op) error {
	for _, step := range ops {
		if err := step.mount(); err != nil {
			return fmt.Errorf("the sandbox takes no %s: %w", step, err)
		}
	}
	for _, step := range []func() error{
		func() error { return makeReadOnly(innerRoot) },
		func() error { return unix.PivotRoot(innerRoot, innerRoot) },
		func() error { return unix.Unmount(".", unix.MNT_DETACH) },
		func() error { return unix.Chdir("/") },
		func() error {
			if !s.includes("loopback") {
				return nil
			}
			return loopback()
		},
		func() error { return unix.Sethostname([]byte("sandbox")) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("the sandbox cannot be entered: %w", err)
		}
	}
	return nil
}

// mount carries out one step in the new file system.
func (o op) mount() error {
	target := innerRoot + o.Path
	switch o.Kind {
	case dir:
		return makeDirs(target)
	case scratch, sealed, closed:
		if err := makeDirs(target); err != nil {
			return err
		}
		rights := "mode=1777"
		if o.Kind == closed {
			rights = "mode=0"
		}
		if err := unix.Mount("sandbox", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, rights); err != nil {
			return err
		}
		if o.Kind != scratch {
			return makeReadOnly(target)
		}
		return nil
	case link:
		if err := makeDirs(filepath.Dir(target)); err != nil {
			return err
		}
		return unix.Symlink(o.To, target)
	case device:
		return bind(outerRoot+o.To, target, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	case read:
		return bind(outerRoot+o.Path, target, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	case write:
		return bind(outerRoot+o.Path, target, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	}
	return errors.New("there is no such step")
}

// bind mounts the file or directory from at the path to, together with everything that is mounted
// below it. It creates to if it does not exist, and fails if one of the paths has a symbolic link.
// attr holds the mount attributes.
func bind(from, to string, attr uint64) error {
	source, err := openWithoutLinks(from)
	if err != nil {
		return fmt.Errorf("opening it outside: %w", err)
	}
	defer unix.Close(source)
	var st unix.Stat_t
	if err := unix.Fstat(source, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		err = makeDirs(to)
	} else if err = makeDirs(filepath.Dir(to)); err == nil {
		if err = unix.Mknod(to, unix.S_IFREG|0o600, 0); errors.Is(err, unix.EEXIST) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("making its place: %w", err)
	}
	place, err := openWithoutLinks(to)
	if err != nil {
		return fmt.Errorf("opening its place: %w", err)
	}
	defer unix.Close(place)
	tree, err := unix.OpenTree(source, "", unix.AT_EMPTY_PATH|unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|
		unix.AT_RECURSIVE)
	if err != nil {
		return fmt.Errorf("opening its tree: %w", err)
	}
	defer unix.Close(tree)
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE,
		&unix.MountAttr{Attr_set: attr}); err != nil {
		return fmt.Errorf("closing it: %w", err)
	}
	return unix.MoveMount(tree, "", place, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// openWithoutLinks opens a path, and fails if a part of it is a symbolic link.
func openWithoutLinks(path string) (int, error) {
	return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS})
}

// makeDirs creates a directory of the new file system, with its parents, in memory. It never
// creates one on disk: a directory that is mounted from disk has the same path outside, so that it
// exists already.
func makeDirs(path string) error {
	at := ""
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		at += "/" + name
		if err := unix.Mkdir(at, 0o755); err != nil && !errors.Is(err, unix.EEXIST) {
			if _, statErr := os.Lstat(at); statErr == nil {
				continue // the file system is read-only, and the directory exists
			}
			return err
		}
	}
	return nil
}

// makeReadOnly makes the mount at path read-only.
func makeReadOnly(path string) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// mountProc mounts /proc, with the processes of the sandbox. Files in it that control the system
// are read-only.
func mountProc() error {
	at := innerRoot + "/proc"
	if err := makeDirs(at); err != nil {
		return err
	}
	if err := unix.Mount("proc", at, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("/proc cannot be shown (in a container, parts of it may be hidden): %w", err)
	}
	for _, name := range []string{"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "timer_list", "kcore",
		"keys", "latency_stats"} {
		full := at + "/" + name
		if _, err := os.Lstat(full); err != nil {
			continue
		}
		tree, err := unix.OpenTree(unix.AT_FDCWD, full, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return err
		}
		err = unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE,
			&unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
		if err == nil {
			err = unix.MoveMount(tree, "", unix.AT_FDCWD, full, unix.MOVE_MOUNT_F_EMPTY_PATH)
		}
		_ = unix.Close(tree)
		if err != nil {
			return fmt.Errorf("/proc/%s cannot be closed: %w", name, err)
		}
	}
	return nil
}

// mountDevices mounts /dev, with only the devices that ordinary programs need.
func mountDevices() error {
	at := innerRoot + "/dev"
	if err := makeDirs(at); err != nil {
		return err
	}
	if err := unix.Mount("sandbox", at, "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=755"); err != nil {
		return err
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if err := bind(outerRoot+"/dev/"+name, at+"/"+name,
			unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC); err != nil {
			return fmt.Errorf("/dev/%s: %w", name, err)
		}
	}
	for _, l := range [][2]string{{"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"},
		{"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"}} {
		if err := unix.Symlink(l[0], at+"/"+l[1]); err != nil {
			return err
		}
	}
	if err := errors.Join(makeDirs(at+"/pts"), makeDirs(at+"/shm")); err != nil {
		return err
	}
	return unix.Mount("devpts", at+"/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620")
}

// loopback enables the loopback interface, so that the programs in the sandbox can connect to each
// other.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var request struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = unix.IFF_UP | unix.IFF_RUNNING
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFFLAGS,
		uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}
