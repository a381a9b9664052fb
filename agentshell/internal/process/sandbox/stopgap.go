package sandbox

import "io/fs"

// placeholderMode marks a placeholder, a file or directory that is created where nothing must be
// created. So a placeholder that a killed session left is recognised, and removed by the next start
// or command: nobody else makes an empty directory with this mode.
const placeholderMode = 0o555 | fs.ModeSticky

// isPlaceholder reports whether something is a placeholder. If a session was killed before it could
// set the mode, a umask may have taken bits from it.
func isPlaceholder(info fs.FileInfo) bool {
	perm := info.Mode().Perm()
	return perm&^placeholderMode.Perm() == 0 && perm&0o500 == 0o500 && info.Mode()&fs.ModeSticky != 0 &&
		(info.IsDir() || info.Mode().IsRegular() && info.Size() <= 2)
}
