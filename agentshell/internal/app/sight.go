package app

import (
	"errors"
	"maps"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// offerSight adds the tool inspect_image to the conversation if the user has turned it on and the
// answering model m cannot see pictures. Otherwise it removes the tool.
func (c *conversation) offerSight(m provider.Model) error {
	if !c.cfg.InspectImage.Enabled || c.newModel == nil || c.mayCall == nil || !c.mayCall("inspect_image") {
		return nil
	}
	if provider.Sees(m) {
		return c.tools.Put(tool.SightOwner, nil)
	}
	return c.tools.Put(tool.SightOwner, []tool.Tool{tool.InspectImage(c.env, tool.Sight{
		Model: func() (provider.Model, error) { return c.seeingModel(m) },
		Spent: func(m provider.Model, u provider.Usage) {
			price := c.modelInfo(m.Name()).Price
			c.purse.Spend(agent.Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead,
				CacheWrite: u.CacheWrite, Cost: price.Cost(window.Usage(u)), Priced: price.Known()})
		}})})
}

// errNoSight says that no model is known that can see pictures.
var errNoSight = errors.New("no models available for inspect_image: the user can set model below [inspect_image] in " +
	"the config file, or sees = true for a model that sees pictures")

// seeingModel returns the model that looks at pictures for m: the configured one, or the first
// other model that is known to see. Those are models whose configuration says so and, at the
// provider's usual address, its default model.
func (c *conversation) seeingModel(m provider.Model) (provider.Model, error) {
	if name := c.cfg.InspectImage.Model; name != "" {
		return c.newModel(name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Models)) {
		if sees := c.cfg.Models[name].SeesPictures; sees != nil && *sees && name != m.Name() {
			return c.newModel(name)
		}
	}
	if s := serviceNamed(c.service); s.name != "" && c.usualAddress && s.defaultModel != m.Name() {
		return c.newModel(s.defaultModel)
	}
	return nil, errNoSight
}
