package approval

import "slices"

// byLicence lists the modes, the one that allows least first.
var byLicence = []string{ModePlan, ModeAsk, ModeEdits, ModeTrusted, ModeUnconfined}

// Stricter returns the mode that allows less of now and other. It returns now if other is no mode.
func Stricter(now, other string) string {
	if i := slices.Index(byLicence, other); i >= 0 && i < slices.Index(byLicence, now) {
		return other
	}
	return now
}

// modeTexts says what each mode means.
var modeTexts = []struct{ mode, about string }{
	{ModeAsk, "Every change needs your approval"},
	{ModeEdits, "File changes without a flag are written at once"},
	{ModePlan, "The model looks around and makes a plan; nothing changes"},
	{ModeTrusted, "Everything without a flag runs at once"},
	{ModeUnconfined, "Everything runs at once, without a sandbox"},
}

// ModeAbout returns what a mode means, as a sentence without its full stop. It returns "" for an
// unknown mode.
func ModeAbout(mode string) string {
	for _, m := range modeTexts {
		if m.mode == mode {
			return m.about
		}
	}
	return ""
}

// WithoutRules returns what /rules shows in a mode while there is no rule.
func WithoutRules(mode string) string {
	if about := ModeAbout(mode); about != "" {
		return "There are no rules. " + about + "."
	}
	return "There are no rules."
}
