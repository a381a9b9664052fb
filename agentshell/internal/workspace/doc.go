// Package workspace reads and changes the files that a model may touch.
//
// # The model
//
// A [Workspace] is a table of named roots and a [Backend]. A request names a file by text;
// [Workspace.Resolve] turns it into a [Path], a root and a link-free slash path below it, or
// refuses. Everything after that uses the Path: what is shown, granted and written is the real
// file. The resolver is the same for every backend (FS-11).
//
// [Workspace.Snapshot] gives a file's bytes with a [Fingerprint]; [Workspace.Commit] writes new
// bytes if, and only if, the file is still the one of that fingerprint. On Linux and macOS the
// check is part of the commit: the new file is exchanged with the old one and what came out is
// compared, so an edit that another process makes at that very moment is put back and answered with
// a conflict (FS-50).
//
// # What it guarantees
//
// No path leads out of its root, whatever links exist or appear (FS-20 to 34): the walk resolves
// links itself, use goes through [os.Root] on the link-free path, every component is looked at
// again before and after, and a commit compares device and inode of the directory. A [Tree]
// descends from the root by single names that it does not follow, and never goes up. Nothing is
// created before Commit, parent directories neither. Named pipes, sockets and devices are refused
// without being opened.
//
// Two sessions in one root, of one process or of two, keep apart by an advisory lock on the root
// directory. Exchange alone is not enough for them: while a refused commit puts the displaced file
// back, its own bytes are under the name for an instant, and a reader that builds on them wins over
// what was displaced (measured with four writers that count in one file: up to a tenth of the steps
// went back).
//
// # The undo copy
//
// FS-50 asks to keep the displaced file until the session ends. It is kept as an open descriptor of
// the unlinked file, not as a file: nothing of ours stays in the tree, and a crash leaves nothing
// to clean. A write through a descriptor that another process still holds arrives in it, and
// [Undo.WrittenLate] finds it. On Linux the descriptor of an older one is closed once nobody else
// has the file open: then nobody can write to it any more. After a crash of the shell it is gone.
// What [Workspace.LateWrites] saved of it beside the journal is removed after 30 days, and beyond
// 100 files or 256 MiB.
//
// # Removal
//
// The tools of a model remove nothing (FS-4). [Change.Remove] is for a user who takes the
// creation of a file back: the file is renamed to a name of ours, looked at, put back if it is not
// the base, and only then unlinked.
//
// # After a kill
//
// A commit is a list of steps. One that is killed leaves the old file or the new one, never a
// mixture. Its temporary file and the directories that it made are noted in a journal outside the
// workspace ([Config.Journal]) and removed when the workspace is opened again; if the temporary
// name holds somebody else's edit that the exchange had brought out, the edit is put back. A write
// in place is completed.
//
// # Deviations
//
// The journal is not flushed: after a failure of power a file `.scrollkeep-*.tmp` may stay beside
// the target. Systems without exchange answer [Unguarded]; on systems that are not Unix the local
// disk refuses every call. Includes in git's configuration are not followed when hooks are looked
// for.
package workspace
