package document

import (
	"strings"
	"testing"
)

func TestANotebookIsItsCells(t *testing.T) {
	const four = `{"nbformat":4,"cells":[
		{"cell_type":"markdown","source":["# Title\n","text"]},
		{"cell_type":"code","source":"print(1)\n","outputs":[
			{"output_type":"stream","text":["1\n","2\n"]},
			{"output_type":"execute_result","data":{"text/plain":["<Figure>"],"image/png":"aGk="}},
			{"output_type":"error","ename":"ValueError","evalue":"bad"}]},
		{"cell_type":"co]de\n","source":7}]}`
	const want = "# %% [markdown] cell:0\n# Title\ntext\n# %% [code] cell:1\nprint(1)\n# output:\n# 1\n# 2\n" +
		"# output:\n# <Figure>\n# [picture]\n# output:\n# ValueError: bad\n# %% [unknown] cell:2\n"
	if got, err := Notebook([]byte(four)); got != want || err != nil {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	const three = `{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["x = 1"]}]}]}`
	if got, err := Notebook([]byte(three)); got != "# %% [code] cell:0\nx = 1\n" || err != nil {
		t.Errorf("nbformat 3: %q, %v", got, err)
	}
	for _, bad := range []string{"", "{}", "[]", `{"nbformat":4,"cells":3}`, "not json"} {
		if got, err := Notebook([]byte(bad)); err == nil {
			t.Errorf("%q gave %q", bad, got)
		}
	}
}

func FuzzANotebookIsTextOrAnError(f *testing.F) {
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[{"text":"b"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := Notebook(data)
		if err == nil && text != "" && !strings.HasPrefix(text, "# %% [") {
			t.Fatalf("%q", text)
		}
	})
}
