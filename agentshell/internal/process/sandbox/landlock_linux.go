package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockABI returns the version of Landlock that the kernel supports, or 0 for none.
func landlockABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// Rights of Landlock: landRead for every file, landDevice in addition for devices.
const (
	landRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_READ_DIR
	landDevice = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// landRights returns all rights that version abi of Landlock knows, except the right to connect to
// sockets by their path, because the workspace may have such sockets.
func landRights(abi int) uint64 {
	all := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1)
	if abi >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		all |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return all
}

// confineFiles restricts this thread, and the processes that it starts, by Landlock: they can write
// only below the paths in writable. They can send signals, and connect to abstract sockets, only
// among themselves. Older kernels support less of that; without Landlock it does nothing. It needs
// no_new_privs.
func confineFiles(writable []string) error {
	abi := landlockABI()
	if abi == 0 {
		return nil // the first wall has to do; Find says so
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landRights(abi)}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)),
		unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("no rules for Landlock %d: %w", abi, errno)
	}
	defer unix.Close(int(fd))
	rules := map[string]uint64{"/": landRead, "/dev": landRead | landDevice}
	for _, w := range writable {
		rules[w] = attr.Handled_access_fs
	}
	for path, rights := range rules {
		if err := landRule(int(fd), path, rights&attr.Handled_access_fs); err != nil {
			return fmt.Errorf("no rule of Landlock for %s: %w", path, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("no use of Landlock: %w", errno)
	}
	return nil
}

// landRule adds a rule to the ruleset that allows rights below path. If path is a file, it gets
// only the rights that files can have. It does nothing if path does not exist.
func landRule(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return nil
	} else if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= landDevice | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
