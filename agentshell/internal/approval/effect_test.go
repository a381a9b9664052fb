package approval

import (
	"strings"
	"testing"
)

func TestEffects(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"ls -l", ""},
		{"cat a | tr a-z A-Z > loud.md", "writes loud.md"},
		{"make 2>&1 >/dev/null | tee -a 'build log' >> \"x y\"", "adds to build log; adds to x y"},
		{"echo x >| a; echo y &> b; echo z &>> c; exec 3<> d", "writes a; writes b; adds to c; opens for writing d"},
		{"echo x > $HOME/f", "writes a file whose name is computed"},
		{"echo x > ~/f", "writes ~/f"},
		{"echo x > ~/f*", "writes a file whose name is computed"},
		{"sed -i s/a/b/ f g && sed -n p h", "edits in place f; edits in place g"},
		{"sed -i.bak -e s/a/b/ f; perl -pi -e 's/a/b/' p; perl -i -pe 's/a/b/' q",
			"edits in place f; edits in place p; edits in place q"},
		{"rm -rf build -- -x *.o", "-removes build; -removes -x; -removes a file whose name is computed"},
		{"mv a b c dir/; cp -r x y; ln -s t l",
			"-moves a to dir/; -moves b to dir/; -moves c to dir/; copies x to y; links t to l"},
		{"touch n; mkdir -p d/e; chmod +x run.sh; truncate -s 0 log",
			"makes n; makes d/e; changes the mode of run.sh; -truncates log"},
		{"sudo rm f; /bin/rm g; sh -c 'rm h > i'", "-removes f; -removes g; -removes h; writes i"},
		{"x=$(rm f)", "-removes f"},
		{"for f in *; do rm $f; done", "-removes a file whose name is computed"},
		{"dd if=a of=b", "writes b"},
		{"rm -rf build && git push --force", "-removes build; -can remove commits of the remote repository"},
		{"git push -f origin main; git -C d push --force-with-lease up",
			"-can remove commits of origin; -can remove commits of up"},
		{"git push origin +main; git push origin :old; git push --delete origin old",
			"-can remove commits of origin; -can remove commits of origin; -can remove commits of origin"},
		{"git push; git push -u origin main; git push origin a:b; git commit -m 'push -f'", ""},
		{"echo 'rm f > g'", ""},
		{"rm f; (", ""},
		{"cat <<E > f\nrm g\nE", "writes f"},
	} {
		var got []string
		for _, e := range Effects(c.command) {
			text := e.String()
			if e.Removes {
				text = "-" + text
			}
			got = append(got, text)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s\n%s\nwant %s", c.command, s, c.want)
		}
	}
	if n := len(Effects(strings.Repeat("rm f;", 200))); n != maxEffects {
		t.Errorf("%d effects", n)
	}
}
