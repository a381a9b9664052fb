package app

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
)

// cellWidth is the number of functions that a code cell can run in parallel if the configuration
// does not limit the number of agents.
const cellWidth = 8

// newCells returns the tool that runs code cells. The interpreters belong to this conversation, and
// end with it.
func (c *conversation) newCells() []tool.Tool {
	width := c.cfg.Agents.Max
	if width <= 0 {
		width = cellWidth
	}
	c.cells = tool.NewCells(c.env, tool.CellsConfig{Languages: cellLanguages(c.cfg.Eval), Width: width,
		Jupyter: c.cfg.Eval.Jupyter == nil || *c.cfg.Eval.Jupyter})
	return c.cells.Tools()
}

// cellLanguages returns the programming languages of code cells that are not turned off.
func cellLanguages(e config.Eval) (list []eval.Language) {
	if e.Python == nil || *e.Python {
		list = append(list, eval.Python)
	}
	if e.JavaScript == nil || *e.JavaScript {
		list = append(list, eval.JavaScript)
	}
	return list
}

// tier returns the model that a code cell asks for by the name of a tier: default, smol or slow.
func (c *conversation) tier(tier string) (provider.Model, error) {
	name := ""
	switch tier {
	case "default":
		name = c.presentModel().Name()
	case "smol":
		name = c.cfg.Eval.SmolModel
	case "slow":
		name = c.cfg.Eval.SlowModel
	default:
		return nil, fmt.Errorf("there is no model %q: the names are default, smol and slow", tier)
	}
	if name == "" {
		return nil, fmt.Errorf("no model is set for %q: %s_model below [eval] in the config file names one", tier,
			tier)
	}
	return c.newModel(name)
}

// cellFindings reports, for the doctor, in which languages code cells can run.
func (p Host) cellFindings() (list []finding) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.Eval.Enabled {
		return []finding{{About: "code", Name: "cells", Value: "off",
			Advice: "enabled = true below [eval] in the config file lets the model run cells of Python and " +
				"JavaScript."}}
	}
	languages := cellLanguages(cfg.Eval)
	service := eval.NewService(eval.Config{Languages: languages, Family: p.family})
	for _, l := range languages {
		f := finding{About: "code", Name: "cells of " + l.Name(), Value: "can run"}
		if err := service.Available(l); err != nil {
			f.Value, f.Advice = "not installed", err.Error()
		}
		list = append(list, f)
	}
	return list
}
