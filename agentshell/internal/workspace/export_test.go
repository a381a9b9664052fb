//go:build unix

package workspace

// At has at called at each point of the commits of w, for tests that look from above.
func (w *Workspace) At(at func(point string)) { w.backend.(*local).onPoint = at }
