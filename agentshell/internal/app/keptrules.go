package app

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
)

// loadKeptRules returns the rules that the person keeps beyond a session. A rule that cannot be
// read or kept grants nothing, and a notice says so.
func (r *project) loadKeptRules(store grant.Store) (entries []approval.Entry) {
	everywhere, here, err := store.Load()
	if err != nil {
		r.notices = append(r.notices, err.Error())
	}
	for i, text := range append(everywhere, here...) {
		e, err := approval.Kept(text, i < len(everywhere))
		if err != nil {
			r.notices = append(r.notices, fmt.Sprintf("the kept rule %s does not hold: %v. It stands in %s", text, err,
				store.File))
			continue
		}
		entries = append(entries, e)
	}
	return entries
}
