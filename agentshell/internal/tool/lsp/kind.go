package lsp

import "strings"

// kindNames are the kinds of symbols of the protocol, the first one being number 1.
const kindNames = "file module namespace package class method property field constructor enum interface function " +
	"variable constant string number boolean array object key null enum-member struct event operator type-parameter"

// KindName returns the name of a kind of symbols.
func KindName(kind int) string {
	names := strings.Fields(kindNames)
	if kind < 1 || kind > len(names) {
		return "symbol"
	}
	return names[kind-1]
}
