package sandbox

// bwrapArgs returns the arguments of bubblewrap that mount a file system as ops says. Every sandbox
// also gets namespaces of its own, no capabilities, and a read-only root.
func bwrapArgs(ops []op) []string {
	args := []string{"--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
		"--unshare-cgroup-try", "--as-pid-1", "--cap-drop", "ALL", "--clearenv", "--hostname", "sandbox",
		"--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"}
	for _, o := range ops {
		switch o.Kind {
		case dir:
			args = append(args, "--dir", o.Path)
		case scratch:
			args = append(args, "--perms", "1777", "--tmpfs", o.Path)
		case sealed:
			args = append(args, "--tmpfs", o.Path, "--remount-ro", o.Path)
		case closed:
			args = append(args, "--perms", "0000", "--tmpfs", o.Path, "--remount-ro", o.Path)
		case link:
			args = append(args, "--symlink", o.To, o.Path)
		case read:
			args = append(args, "--ro-bind", o.Path, o.Path)
		case write:
			args = append(args, "--bind", o.Path, o.Path)
		case device:
			args = append(args, "--ro-bind", o.To, o.Path)
		}
	}
	return append(args, "--remount-ro", "/", "--chdir", "/")
}
