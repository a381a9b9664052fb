package oracle

import "regexp"

// A Change is something that ghostty does differently since the pinned core, and that terminal/vt
// has followed. The judge tells the core the same in its own words; so the difference is known by
// name, and all around it is still judged.
type Change struct {
	Name         string
	Commit, Date string // of ghostty
	// Example is a program that leaves another terminal on the pinned core.
	Example string
	// Translate returns what makes the pinned core do with a piece of output what the later one
	// does.
	Translate func(output string) string
}

// Changes returns the changes that terminal/vt has followed, the oldest first.
func Changes() []Change {
	return []Change{
		{
			Name: "EL 2 ends the soft wrap of its row", Commit: "bfd40c84b", Date: "2026-08-05",
			Example:   "abcdefghijkl\x1b[1;1H\x1b[2K",
			Translate: replace(`\x1b\[(\??)0*2K`, "\x1b[${1}K$0"),
		},
		{
			Name: "TBC in a column without a tab stop sets none", Commit: "bed20eb36", Date: "2026-08-18",
			Example:   "\x1b[5G\x1b[0g\r\tx",
			Translate: replace(`\x1b\[(0+g|0*2W)`, "\x1bH$0"),
		},
	}
}

// replace returns a function that puts with in the place of what pattern matches.
func replace(pattern, with string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(output string) string { return re.ReplaceAllString(output, with) }
}

// translate returns output as the pinned core has to be told it.
func translate(output []byte, changes []Change) []byte {
	if len(output) == 0 {
		return output
	}
	s := string(output)
	for _, c := range changes {
		s = c.Translate(s)
	}
	return []byte(s)
}
