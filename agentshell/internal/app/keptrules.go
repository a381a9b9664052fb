package app

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
)

// checkKeptRules adds a notice for each rule that the person keeps beyond a session and that does
// not hold, because it cannot be read or must not be kept.
func (r *project) checkKeptRules(store grant.Store) {
	everywhere, here, err := store.Load()
	if err != nil {
		r.notices = append(r.notices, err.Error())
	}
	for _, text := range append(everywhere, here...) {
		if _, err := approval.Kept(text, false); err != nil {
			r.notices = append(r.notices, fmt.Sprintf("the kept rule %s does not hold: %v. It stands in %s", text, err,
				store.File))
		}
	}
}
