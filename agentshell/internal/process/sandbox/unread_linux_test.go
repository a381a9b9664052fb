package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command reads no unread file by any name, and moves neither it nor what holds it.
func TestUnreadFilesCannotBeReadOrMoved(t *testing.T) {
	boxes(t, func(t *testing.T, b *Box) {
		s := newSite(t)
		for _, name := range []string{".env", "a/b/.env", "secrets/deep/key"} {
			s.write(name, "KEY=1\n")
		}
		s.write("a/b/other", "plain\n")
		s.write("secrets/.vscode/x", "{}")
		for _, l := range [][2]string{{".env", "link"}, {"secrets", "folder"}} {
			if err := os.Symlink(l[0], filepath.Join(s.workspace, l[1])); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{".env", "a/b/.env", "secrets", "not-there"} {
			s.policy.Unread = append(s.policy.Unread, filepath.Join(s.workspace, name))
		}
		const every = `cat .env link a/b/.env secrets/deep/key folder/deep/key; grep -r KEY .; ls -R secrets
			cp -r . /tmp/c; grep -r KEY /tmp/c; ln .env hard; cat hard; mv .env x; mv a a2; mv a/b a/c; mv secrets s2
			rm -rf .env secrets; chmod 700 secrets .env; umount .env; cat secrets/deep/key .env; cat < .env
			echo new > .env; tar c . 2>/dev/null | grep -a KEY`
		if r := s.in(b, every); strings.Contains(r.out, "KEY=") || !r.ok {
			t.Errorf("%+v", r)
		}
		for _, name := range []string{".env", "a/b/.env", "secrets/deep/key"} {
			if got := s.read(name); got != "KEY=1\n" {
				t.Errorf("%s: %q", name, got)
			}
		}
		r := s.in(b, "cat a/b/other && echo more >> a/b/other && mv a/b/other a/other && cat a/other")
		if r.Exit != 0 || r.out != "plain\nplain\nmore\n" {
			t.Errorf("control: %+v", r)
		}
		s.policy.Unread = nil
		if r := s.in(b, "cat .env link secrets/deep/key"); r.out != "KEY=1\nKEY=1\nKEY=1\n" {
			t.Errorf("without: %+v", r)
		}
		s.policy.Unread = []string{filepath.Join(s.workspace, "folder/deep/key")}
		if r := s.in(b, "true"); !strings.Contains(r.Error, "without links") {
			t.Errorf("a link in the path: %+v", r)
		}
	})
}
