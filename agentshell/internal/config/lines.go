package config

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines returns the lines, from 1, of the settings of a text that is known to be TOML, by their
// whole names: "mode", "keys.submit", "hooks[1].on". A table has the line of its head, or of its
// first setting.
func Lines(text []byte) map[string]int {
	var (
		p     unstable.Parser
		at    = make(map[string]int)
		table string
		times = make(map[string]int) // of [[tables]]
	)
	note := func(in string, key unstable.Iterator) (name string, line int) {
		name = in
		for key.Next() {
			n := key.Node()
			if name != "" {
				name += "."
			}
			name += string(n.Data)
			line = p.Shape(n.Raw).Start.Line
			if at[name] == 0 {
				at[name] = line
			}
		}
		return name, line
	}
	var setting func(in string, n *unstable.Node)
	setting = func(in string, n *unstable.Node) {
		name, _ := note(in, n.Key())
		if v := n.Value(); v.Kind == unstable.InlineTable {
			for it := v.Children(); it.Next(); {
				setting(name, it.Node())
			}
		}
	}
	p.Reset(text)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table, _ = note("", e.Key())
		case unstable.ArrayTable:
			name, line := note("", e.Key())
			table = fmt.Sprintf("%s[%d]", name, times[name])
			times[name]++
			at[table] = line
		case unstable.KeyValue:
			setting(table, e)
		}
	}
	return at
}
