package document

import "golang.org/x/sys/unix"

// itself returns this program, also where its file has been replaced.
func itself() (string, error) { return "/proc/self/exe", nil }

// limitMemory has the system refuse memory far beyond what a document may take. Where that cannot
// be had, watchMemory still looks.
func limitMemory() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: 2 * maxMemory, Max: 2 * maxMemory})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
