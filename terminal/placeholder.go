package terminal

// placeholders is whether pictures can be made of text cells (U+10EEEE, kitty graphics): kitty from 0.28 on, which only its own word tells apart
// from older ones, and ghostty. Elsewhere the cells would be shown as boxes.
func (f *facts) placeholders() bool {
	v, src, why := false, FromDefault, ""
	switch f.c.Name {
	case "ghostty":
		v, src, why = true, f.name, "ghostty"
	case "kitty":
		if f.c.Version != "" {
			v, src, why = versionAtLeast(f.c.Version, 0, 28), FromProbe, "kitty from 0.28 on"
		}
	}
	if p := f.env("SCROLLKEEP_PLACEHOLDERS"); p != "" {
		v, src, why = flag(p), FromUser, "SCROLLKEEP_PLACEHOLDERS"
	}
	f.note("image placeholders", v, src, why)
	return v
}
