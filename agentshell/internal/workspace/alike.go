package workspace

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// maxAlikeNames is the number of names in one folder that are compared.
const maxAlikeNames = 20_000

// Alike returns the existing files and folders that p, which does not exist, may mean: their names
// differ only in characters that look alike. If it returns one path, that is what was meant; with
// several the caller has to ask.
func (w *Workspace) Alike(p Path) (found []Path) {
	r := w.rootNamed(p.root)
	if r == nil {
		return nil
	}
	there := func(path string) bool { _, err := r.handle.Lstat(path); return err == nil }
	for _, path := range nearest.Path(p.rel, there, r.namesIn) {
		full := filepath.Join(r.realPath, path)
		if dir, err := w.ResolveDir(full); err == nil {
			found = append(found, dir)
		} else if file, err := w.Resolve(full); err == nil {
			found = append(found, file)
		}
	}
	return found
}

// namesIn returns the names in a folder of the root, or none if it is no folder.
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
