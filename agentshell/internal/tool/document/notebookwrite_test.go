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
	if IsCells("x\n# %% [code]\n") || IsCells("{}") || !IsCells("# %% [code]\n") {
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
