package sandbox

import "io/fs"

// stopgapMode marks what we have put where nothing was, so that what a killed session leaves is
// known and goes with the next command: nobody makes an empty directory like that.
const stopgapMode = 0o555 | fs.ModeSticky

// isStopgap reports whether something is one of ours.
func isStopgap(info fs.FileInfo) bool {
	return info.Mode().Perm() == stopgapMode.Perm() && info.Mode()&fs.ModeSticky != 0 &&
		(info.IsDir() || info.Mode().IsRegular() && info.Size() <= 2)
}
