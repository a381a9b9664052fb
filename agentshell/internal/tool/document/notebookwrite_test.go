package document

import (
	"encoding/json"
	"strings"
	"testing"
)

const written = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "aa",
   "metadata": {"tags": ["x"]},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "bb",
   "metadata": {},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
   ],
   "source": [
    "print(1)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 4,
   "id": "cc",
   "metadata": {},
   "outputs": [
    {"data": {"image/png": "aGk="}, "output_type": "display_data"}
   ],
   "source": [
    "<b>&"
   ]
  }
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// Cells that are written back as they were read change nothing; what a cell has printed stays with
// its source, wherever that goes.
func TestCellsGoBackIntoTheirNotebook(t *testing.T) {
	read, err := Notebook([]byte(written))
	if err != nil {
		t.Fatal(err)
	}
	const changedSource = "   \"execution_count\": null,\n   \"id\": \"bb\",\n   \"metadata\": {},\n" +
		"   \"outputs\": [],\n   \"source\": [\n    \"x = 2\\n\",\n    \"print(x)\"\n   ]\n"
	for name, c := range map[string]struct {
		cells    string
		has, not []string
		same     bool
	}{
		"as it was": {cells: read, same: true},
		"without what was printed": {same: true, cells: "# %% [markdown] cell:0\n# Title\ntext\n# %% [code] cell:1\n" +
			"print(1)\n# %% [code] cell:2\n<b>&\n"},
		"without numbers": {same: true,
			cells: "# %% [markdown]\n# Title\ntext\n# %% [code]\nprint(1)\n# %% [code]\n<b>&\n"},
		"another source": {cells: strings.Replace(read, "print(1)\n# output:\n# 1\n", "x = 2\nprint(x)\n", 1),
			has: []string{changedSource, `"aGk="`, `"tags": ["x"]`}, not: []string{`"1\n"`}},
		"another order": {cells: "# %% [code] cell:2\n<b>&\n# %% [code] cell:1\nprint(1)\n",
			has: []string{`"aGk="`, `"1\n"`}, not: []string{"Title"}},
		"one more": {cells: read + "# %% [code]\nif x < 2:\n  pass\n",
			has: []string{`"if x < 2:\n",` + "\n    \"  pass\"", `"aGk="`, `"outputs": []`}},
		"none left": {cells: "# %% [markdown]\nnew\n", has: []string{`"new"`, `"kernelspec"`}, not: []string{"aGk"}},
	} {
		got, err := WithCells([]byte(written), c.cells)
		if err != nil || !json.Valid(got) || !IsNotebook(got) || c.same && string(got) != written {
			t.Errorf("%s: %v\n%s", name, err, got)
			continue
		}
		for _, text := range c.has {
			if !strings.Contains(string(got), text) {
				t.Errorf("%s: it lacks %q\n%s", name, text, got)
			}
		}
		for _, text := range c.not {
			if strings.Contains(string(got), text) {
				t.Errorf("%s: it has %q\n%s", name, text, got)
			}
		}
	}
}

// How a person or a model writes cells makes no difference: with empty lines between, with what was
// printed in part, with other ends of lines.
func TestCellsOfAnotherFormAreTheSame(t *testing.T) {
	const printed = `{"nbformat":4,"nbformat_minor":5,"cells":[
{"cell_type":"code","id":"a","metadata":{"tags":["parameters"]},"outputs":[{"output_type":"stream",` +
		`"text":["\r 10%|#\u001b[0m","\r100%|##\n","\u001b[31mwarning\u001b[0m\n"]}],` +
		`"source":["for i in bar:\r\n","    f()\n","\n"]},
{"cell_type":"raw","id":"b","metadata":{},"source":"---"},
{"cell_type":"code","id":"c","metadata":{},"outputs":[{"output_type":"stream","text":"5\n"},{"output_type":` +
		`"error","ename":"E","evalue":"v"}],"source":"x\n# output:\n# 5"}],"metadata":{}}`
	read, err := Notebook([]byte(printed))
	if want := "# %% [code] cell:0\nfor i in bar:\r\n    f()\n\n# output:\n# 100%|##\n# warning\n"; err != nil ||
		!strings.HasPrefix(read, want) {
		t.Fatalf("%v %q, want %q", err, read, want)
	}
	for name, cells := range map[string]string{
		"as it was":      read,
		"empty lines":    "\n\n" + strings.ReplaceAll(read, "# %%", "\n\n# %%") + "\n\n",
		"without prints": "# %% [code]\nfor i in bar:\n    f()\n# %% [raw]\n---\n# %% [code]\nx\n# output:\n# 5\n",
		"other prints":   strings.Replace(read, "100%|##", "100%|####", 1),
		"fewer prints":   strings.Replace(read, "# warning\n", "", 1),
		"a gap before":   strings.Replace(read, "# output:\n# 100%", "\n# output:\n# 100%", 1),
		"LF":             strings.ReplaceAll(read, "\r\n", "\n"),
		"CRLF":           strings.ReplaceAll(strings.ReplaceAll(read, "\r\n", "\n"), "\n", "\r\n"),
	} {
		if got, err := WithCells([]byte(printed), cells); err != nil || string(got) != printed {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	got, err := WithCells([]byte(printed), strings.Replace(read,
		"f()\n\n# output:\n# 100", "g()\n\n# output:\n# 99", 1))
	if err != nil || !strings.Contains(string(got), `"for i in bar:\n","    g()"]`) {
		t.Errorf("a cell with another source has what it printed: %v\n%s", err, got)
	}
}

// Where all cells are counted anew, a cell that has changed, too, is still the one that it was.
func TestCellsThatAreCountedAnewKeepWhatTheyAre(t *testing.T) {
	const old = `{"nbformat":4,"nbformat_minor":5,"cells":[
{"cell_type":"code","id":"aa","metadata":{"tags":["parameters"]},"outputs":[],"source":["rate = 1"]},
{"cell_type":"code","id":"bb","metadata":{},"outputs":[],"source":["run(rate)"]}],"metadata":{}}`
	const aa = `"id":"aa","metadata":{"tags":["parameters"]},"outputs":[],"source":`
	const bb = `"id":"bb","metadata":{},"outputs":[],"source":`
	for cells, want := range map[string]string{
		"# %% [code] cell:0\nimport os\n# %% [code] cell:1\nrate = 2\n# %% [code] cell:2\nrun(rate)\n":// one more
		aa + `["rate = 2"]}`,
		"# %% [code] cell:0\nrun(rate, 2)\n":                            bb + `["run(rate, 2)"]}`,
		"# %% [code] cell:0\nother\n# %% [code] cell:1\nrun(rate)\n":    aa + `["other"]}`,
		"# %% [code] cell:1\nrun(2)\n# %% [code]\nz\n# %% [code]\nzz\n": bb + `["run(2)"]}`,
	} {
		if got, err := WithCells([]byte(old), cells); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%q: %v\n%s, want %s", cells, err, got, want)
		}
	}
}

// No cell is lost in another one, and no text before the first.
func TestALineThatIsNearlyTheHeadOfACellIsAnError(t *testing.T) {
	for _, cells := range []string{
		"```\n# %% [code] cell:1\nprint(1)\n```\n",
		"# %% [code] cell:1\nprint(1)\n# %% [raw] cell:2 id=cc\nx\n",
		"# %% [markdown] Title\nx\n",
		"1\t# %% [markdown] cell:0\n2\t# Title\n3\ttext\n",
		"#%% [code]\nx\n",
	} {
		if got, err := WithCells([]byte(written), cells); !IsCells(cells) || err == nil {
			t.Errorf("%q: %s", cells, got)
		}
	}
	near := strings.Replace(written, `"print(1)"`, `"# %% [markdown] Title\n","print(1)"`, 1)
	read, err := Notebook([]byte(near))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := WithCells([]byte(near), read); err != nil || string(got) != near {
		t.Errorf("a line that the notebook has: %v\n%s", err, got)
	}
	const bare = `{"nbformat":4,"cells":[{"cell_type":"code","outputs":[]}]}`
	if got, err := WithCells([]byte(bare), "# %% [code] cell:0\nx\n"); err == nil {
		t.Errorf("a cell without a source lost one: %s", got)
	}
}

// No two cells have one id, also where a cell that was made before has moved.
func TestNewCellsHaveIdsOfTheirOwn(t *testing.T) {
	first, err := WithCells(nil, "# %% [code]\na\n# %% [code]\ny\n")
	if err != nil {
		t.Fatal(err)
	}
	second, err := WithCells(first, "# %% [code] cell:1\ny\n# %% [code]\ny\n# %% [code]\ny\n")
	var n struct {
		Cells []struct{ ID string }
	}
	if err != nil || json.Unmarshal(second, &n) != nil || len(n.Cells) != 3 {
		t.Fatalf("%v\n%s", err, second)
	}
	ids := map[string]bool{}
	for _, c := range n.Cells {
		ids[c.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%s", second)
	}
}

func TestANotebookIsMadeOfCells(t *testing.T) {
	got, err := WithCells(nil, "# %% [markdown]\n# A\n# %% [code]\nx = 1\n")
	read, e := Notebook(got)
	if err != nil || e != nil || read != "# %% [markdown] cell:0\n# A\n# %% [code] cell:1\nx = 1\n" ||
		!strings.Contains(string(got), `"id": "`) {
		t.Errorf("%v, %v\n%s\n%s", err, e, got, read)
	}
	compact := `{"nbformat":4,"cells":[{"cell_type":"code","source":"a","outputs":[]}]}`
	if got, err = WithCells([]byte(compact), "# %% [code] cell:0\nb\n"); err != nil ||
		string(got) != `{"nbformat":4,"cells":[{"cell_type":"code","source":["b"],"outputs":[]}]}` {
		t.Errorf("%v %s", err, got)
	}
	for data, why := range map[string]string{
		"not json": "not a notebook", `{"nbformat":3,"worksheets":[]}`: "format is 3", `{"nbformat":4}`: "no cells",
		`{"nbformat":4,"cells":[{"cell_type":"code","source":"# %% [code] cell:9"}]}`: "like the head of a cell",
	} {
		if got, err := WithCells([]byte(data), "# %% [code]\nx\n"); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, %s", data, err, got)
		}
	}
	if IsCells("x\n# %%\n") || IsCells("{}") || IsCells(`  "# %% [code]\n"`) || !IsCells("# %% [code]\n") {
		t.Error("what cells are is not known")
	}
}

func FuzzCellsGoBack(f *testing.F) {
	f.Add([]byte(written))
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[{"text":"b"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := Notebook(data)
		if err != nil || !IsCells(text) {
			return
		}
		if got, err := WithCells(data, text); err == nil && !json.Valid(got) {
			t.Fatalf("%s", got)
		}
	})
}
