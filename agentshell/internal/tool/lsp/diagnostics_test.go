package lsp

import "testing"

func TestErrorsComeFirstAndEachFindingOnce(t *testing.T) {
	at := func(line, severity int, message string) Diagnostic {
		return Diagnostic{Range: lineRange(line, line), Severity: severity, Message: message}
	}
	var got string
	list := []Diagnostic{at(1, 2, "w"), at(9, 1, "e"), at(3, 0, "n"), at(9, 1, "e"), at(0, 4, "h")}
	for _, d := range SortDiagnostics(list) {
		got += d.Message
	}
	if got != "newh" {
		t.Errorf("they come as %q", got)
	}
}
