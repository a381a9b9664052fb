package sandbox

import "io/fs"

// stopgapMode marks what we have put where nothing was, so that what a killed session leaves is
// known and goes with the next start, or with the next command: nobody makes an empty directory
// like that.
const stopgapMode = 0o555 | fs.ModeSticky

// isStopgap reports whether something is one of ours. A umask may have taken from its mode, where a
// session was killed before it could put that right.
func isStopgap(info fs.FileInfo) bool {
	perm := info.Mode().Perm()
	return perm&^stopgapMode.Perm() == 0 && perm&0o500 == 0o500 && info.Mode()&fs.ModeSticky != 0 &&
		(info.IsDir() || info.Mode().IsRegular() && info.Size() <= 2)
}
