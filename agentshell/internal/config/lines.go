package config

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines maps the settings of a valid TOML text to their line numbers, from 1. A setting has its
// full name, such as "mode", "keys.submit" or "hooks[1].on". A table has the line of its header, or
// of its first setting.
func Lines(text []byte) map[string]int {
	var (
		p           unstable.Parser
		lines       = make(map[string]int)
		table       string
		tableCounts = make(map[string]int) // of [[tables]]
	)
	record := func(prefix string, key unstable.Iterator) (name string, line int) {
		name = prefix
		for key.Next() {
			n := key.Node()
			if name != "" {
				name += "."
			}
			name += string(n.Data)
			line = p.Shape(n.Raw).Start.Line
			if lines[name] == 0 {
				lines[name] = line
			}
		}
		return name, line
	}
	var recordSetting func(prefix string, n *unstable.Node)
	recordSetting = func(prefix string, n *unstable.Node) {
		name, _ := record(prefix, n.Key())
		if v := n.Value(); v.Kind == unstable.InlineTable {
			for it := v.Children(); it.Next(); {
				recordSetting(name, it.Node())
			}
		}
	}
	p.Reset(text)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table, _ = record("", e.Key())
		case unstable.ArrayTable:
			name, line := record("", e.Key())
			table = fmt.Sprintf("%s[%d]", name, tableCounts[name])
			tableCounts[name]++
			lines[table] = line
		case unstable.KeyValue:
			recordSetting(table, e)
		}
	}
	return lines
}
