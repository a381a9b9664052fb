package terminal

// placeholders decides whether pictures can be made of text cells (U+10EEEE, kitty graphics): kitty
// from 0.28 on, which only its own word tells apart from older ones, and ghostty. Elsewhere the
// cells would be shown as boxes. In tmux it is the terminal around it that counts.
func (f *facts) placeholders() bool {
	name, version, src := f.c.Name, f.c.Version, f.name
	if f.c.Mux == "tmux" {
		name, version, src = f.c.Outer, "", FromEnv
		if n, v := splitVersion(f.r.tmux.Outer); n == name {
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
	if p := f.env("SCROLLKEEP_PLACEHOLDERS"); p != "" {
		v, src, why = flag(p), FromUser, "SCROLLKEEP_PLACEHOLDERS"
	}
	f.note("image placeholders", v, src, why)
	return v
}
