package sandbox

import "io/fs"

// placeholderMode is the unusual mode of placeholders: files and directories that are created where
// a command must not create anything. By this mode the next start or command recognises a
// placeholder that a killed session has left, and removes it.
const placeholderMode = 0o555 | fs.ModeSticky

// isPlaceholder reports whether a file or directory is a placeholder, by its mode and size. Some
// mode bits may be missing, if the session was killed before it could correct what a umask took
// away.
func isPlaceholder(info fs.FileInfo) bool {
	perm := info.Mode().Perm()
	return perm&^placeholderMode.Perm() == 0 && perm&0o500 == 0o500 && info.Mode()&fs.ModeSticky != 0 &&
		(info.IsDir() || info.Mode().IsRegular() && info.Size() <= 2)
}
