package approval

import "slices"

// byLicence lists the modes from the strictest to the one that allows most.
var byLicence = []string{ModePlan, ModeAsk, ModeEdits, ModeTrusted, ModeUnconfined}

// Stricter returns the stricter one of two modes. If other is not a mode, it returns now.
func Stricter(now, other string) string {
	if i := slices.Index(byLicence, other); i >= 0 && i < slices.Index(byLicence, now) {
		return other
	}
	return now
}

// modeTexts explains each mode in a sentence.
var modeTexts = []struct{ mode, about string }{
	{ModeAsk, "Every change needs your approval"},
	{ModeEdits, "File changes without a flag are written at once"},
	{ModePlan, "The model looks around and makes a plan; nothing changes"},
	{ModeTrusted, "Everything without a flag runs at once"},
	{ModeUnconfined, "Everything runs at once, without a sandbox"},
}

// ModeAbout returns a sentence that explains a mode, without its full stop. It returns "" for an
// unknown mode.
func ModeAbout(mode string) string {
	for _, m := range modeTexts {
		if m.mode == mode {
			return m.about
		}
	}
	return ""
}

// WithoutRules returns the text that /rules shows if there is no rule.
func WithoutRules(mode string) string {
	if about := ModeAbout(mode); about != "" {
		return "There are no rules. " + about + "."
	}
	return "There are no rules."
}
