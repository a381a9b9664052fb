package sandbox

import (
	"strings"
	"testing"
)

// seatbeltRule returns the text of the first rule of a profile that begins with head.
func seatbeltRule(profile, head string) (text string, at int) {
	at = strings.Index(profile, "("+head)
	if at < 0 {
		return "", at
	}
	depth := 0
	for i, c := range profile[at:] {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return profile[at : at+i+1], at
		}
	}
	return "", -1
}

func TestAProfileOfSeatbeltClosesWhatAPolicyCloses(t *testing.T) {
	profile := seatbeltProfile(Policy{
		Workspace: "/Users/p/work",
		Home:      "/Users/p",
		Writable:  []string{"/Users/p/out"},
		Readable:  []string{"/Users/p/lib"},
		ReadOnly:  []string{"/Users/p/work/sub/Makefile"},
		Hidden:    []string{"/Users/p/work/.own"},
		Shared:    "/private/tmp/shared",
	}, []string{"/Users/p/work/.git/hooks"})

	if !strings.HasPrefix(profile, "(version 1)\n(deny default)\n") {
		t.Errorf("what no rule names is not denied:\n%s", profile)
	}
	if strings.Count(profile, "(") != strings.Count(profile, ")") {
		t.Errorf("the brackets do not match:\n%s", profile)
	}
	if strings.Contains(profile, "allow network") || !strings.Contains(profile, "(deny network*)") {
		t.Errorf("the network is open:\n%s", profile)
	}
	// Later rules win.
	last := -1
	for _, c := range []struct {
		head  string
		holds []string
	}{
		{"allow file-read*\n", []string{`(subpath "/usr")`, `(subpath "/Users/p/lib")`}},
		{"deny file-read*\n", []string{`(subpath "/Library/Keychains")`}},
		{"allow file-read* file-write*\n", []string{`(subpath "/Users/p/work")`, `(subpath "/Users/p/out")`,
			`(subpath "/private/tmp/shared")`}},
		{"deny file-write*\n",
			[]string{`(subpath "/Users/p/work/.git/hooks")`, `(subpath "/Users/p/work/sub/Makefile")`}},
		{"deny file-write-unlink (literal \"/Users/p/work/sub\")", nil},
		{"deny file-read* file-write*\n", []string{`(subpath "/Users/p/work/.own")`}},
	} {
		rule, at := seatbeltRule(profile, c.head)
		if at < 0 || at < last {
			t.Errorf("the rule %q is missing or stands too early:\n%s", c.head, profile)
			continue
		}
		last = at
		for _, want := range c.holds {
			if !strings.Contains(rule, want) {
				t.Errorf("the rule %q has no %s:\n%s", c.head, want, rule)
			}
		}
	}
}

func TestAPathCannotEndItsQuotesInAProfileOfSeatbelt(t *testing.T) {
	profile := seatbeltProfile(Policy{Workspace: `/w") (allow default) ("\`}, nil)
	rule, _ := seatbeltRule(profile, "allow file-read* file-write*\n")
	if !strings.Contains(rule, `"/w\") (allow default) (\"\\"`) {
		t.Errorf("the path is not quoted:\n%s", profile)
	}
}
