package workspace

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// maxAlikeNames bounds the names of one folder that are looked at.
const maxAlikeNames = 20_000

// Alike finds what p, which is not there, may mean: a file or folder whose name is the same but for
// characters that look alike. One path is what was meant; of several, it is not clear which.
func (w *Workspace) Alike(p Path) (found []Path) {
	r := w.rootNamed(p.root)
	if r == nil {
		return nil
	}
	there := func(path string) bool { _, err := r.handle.Lstat(path); return err == nil }
	for _, path := range nearest.Path(p.rel, there, r.namesIn) {
		full := filepath.Join(r.real, path)
		if dir, err := w.ResolveDir(full); err == nil {
			found = append(found, dir)
		} else if file, err := w.Resolve(full); err == nil {
			found = append(found, file)
		}
	}
	return found
}

// namesIn returns the names in a folder below the root.
func (r *root) namesIn(folder string) []string {
	f, err := r.handle.Open(filepath.Join(".", folder))
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		return nil
	}
	names, _ := f.Readdirnames(maxAlikeNames) // what was read is enough
	return names
}
