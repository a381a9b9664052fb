package document

import "golang.org/x/sys/unix"

// ownProgram returns the path of this program. /proc/self/exe works even after its file was
// replaced by an update.
func ownProgram() (string, error) { return "/proc/self/exe", nil }

// limitMemory sets a system limit of twice maxMemoryBytes for this process. If that fails, only
// watchMemory limits the memory.
func limitMemory() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: 2 * maxMemoryBytes, Max: 2 * maxMemoryBytes})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
