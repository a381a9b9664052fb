package lsp

import "strings"

// kindNames lists the names of the protocol's symbol kinds; the first one has number 1.
const kindNames = "file module namespace package class method property field constructor enum interface function " +
	"variable constant string number boolean array object key null enum-member struct event operator type-parameter"

// KindName returns the name of a symbol kind, or "symbol" for an unknown one.
func KindName(kind int) string {
	names := strings.Fields(kindNames)
	if kind < 1 || kind > len(names) {
		return "symbol"
	}
	return names[kind-1]
}
