package terminal

// detectPlaceholders decides whether images can be made of text cells (U+10EEEE, kitty graphics).
// kitty can since 0.28, by its reported version, and ghostty. Other terminals would show the cells
// as boxes. In tmux the terminal that it runs in decides.
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
