package browser

import (
	"errors"
	"strings"
	"testing"
	"time"
)

const dialogs = `<title>D</title><button id=a onclick="alert('hello\u001b[2J'); document.title = 'on'">a</button>
<button id=c onclick="document.title = confirm('sure?')">c</button>
<button id=p onclick="document.title = prompt('who?', 'me')">p</button>
<button id=l onclick="addEventListener('beforeunload', e => e.preventDefault())">l</button>`

// Without a policy all that waits for the page fails at once, and says which dialog is open.
func TestAnOpenDialogIsNamed(t *testing.T) {
	tab := open(t, Open{URL: serve(t, dialogs)})
	began := time.Now()
	r := run(t, tab, nil, "await tab.click('#a')")
	if !strings.Contains(r.Error, `a dialog is open, and the page waits for its answer: alert "hello`) {
		t.Errorf("%+v", r)
	}
	if r := run(t, tab, nil, "await tab.screenshot()"); !strings.Contains(r.Error, "a dialog is open") {
		t.Errorf("%+v", r)
	}
	if took := time.Since(began); took > bound/2 {
		t.Errorf("it took %v", took)
	}
	s, _ := begin(t)
	_, _, err := s.Open(t.Context(), Open{Name: t.Name() + "2", URL: serve(t, "<script>alert('early')</script>")})
	defer s.CloseTab(t.Context(), t.Name()+"2")
	var d *DialogError
	if !errors.As(err, &d) || *d != (DialogError{"alert", "early"}) {
		t.Errorf("while a page loads: %v", err)
	}
}

func TestDialogsAreAnsweredAsAsked(t *testing.T) {
	for policy, want := range map[string]string{"accept": "on,true,me", "dismiss": "on,false,null"} {
		s, _ := begin(t)
		tab, _, err := s.Open(t.Context(), Open{Name: policy, URL: serve(t, dialogs), Dialogs: policy})
		if err != nil {
			t.Fatal(err)
		}
		defer s.CloseTab(t.Context(), policy)
		r := run(t, tab, nil, `const titles = [];
for (const s of ['#a', '#c', '#p']) { await tab.click(s); titles.push(await tab.evaluate(() => document.title)) }
return titles.join()`)
		if r.Value != want {
			t.Errorf("%s: %+v, want %s", policy, r, want)
		}
		notes := strings.Join(tab.Notes(), "\n")
		for _, part := range []string{`dialog: alert "hello`, `dialog: confirm "sure?"`, `dialog: prompt "who?"`,
			"dialogs answered: 3 (" + policy + ")"} {
			if !strings.Contains(notes, part) {
				t.Errorf("%s: the notes are %q", policy, notes)
			}
		}
	}
}
