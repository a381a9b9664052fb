package terminal

// detectPlaceholders decides whether pictures can be made of text cells (U+10EEEE, kitty graphics).
// kitty from 0.28 on can do that, by its own report of the version, and ghostty. Elsewhere the
// cells would be shown as boxes. In tmux the terminal around it counts.
func (d *detection) detectPlaceholders() bool {
	name, version, src := d.caps.Name, d.caps.Version, d.nameSource
	if d.caps.Mux == "tmux" {
		name, version, src = d.caps.Outer, "", FromEnv
		if n, v := splitVersion(d.replies.tmux.Outer); n == name {
			version, src = v, FromProbe
		}
	}
	v, why := false, ""
	switch name {
	case "ghostty":
		v, why = true, "ghostty"
	case "kitty":
		if version != "" {
			v, why = versionAtLeast(version, 0, 28), "kitty from 0.28 on"
		}
	}
	if why == "" {
		src = FromDefault
	}
	if p := d.env("SCROLLKEEP_PLACEHOLDERS"); p != "" {
		v, src, why = isYes(p), FromUser, "SCROLLKEEP_PLACEHOLDERS"
	}
	d.add("image placeholders", v, src, why)
	return v
}
