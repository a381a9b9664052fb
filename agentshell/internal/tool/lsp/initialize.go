package lsp

import (
	"errors"
	"os"
)

// errFlood is why a server is ended that sends many requests and does not read the answers.
var errFlood = errors.New("it was ended: it asks without reading the answers")

// symbolKindCount is the number of symbol kinds in the protocol; they are numbered from 1.
const symbolKindCount = 26

// initializeParams returns the parameters of the initialize request. It does not mention that the
// client can request diagnostics, because the servers for Python, JSON, CSS and HTML would then not
// send them. Servers that want requests register for them.
func initializeParams(s Server, dir, version string) any {
	type object = map[string]any
	kinds := []int{}
	for k := 1; k <= symbolKindCount; k++ {
		kinds = append(kinds, k)
	}
	can := object{
		"general": object{"positionEncodings": []Encoding{UTF8, UTF16, UTF32}},
		"window":  object{"workDoneProgress": true},
		"workspace": object{
			"applyEdit": true, "configuration": true, "workspaceFolders": true,
			"workspaceEdit": object{"documentChanges": true, "failureHandling": "abort",
				"resourceOperations":      []string{"create", "rename", "delete"},
				"changeAnnotationSupport": object{"groupsOnLabel": false}},
			"didChangeWatchedFiles":  object{"dynamicRegistration": true},
			"didChangeConfiguration": object{"dynamicRegistration": false},
			"executeCommand":         object{"dynamicRegistration": false},
			"symbol":                 object{"symbolKind": object{"valueSet": kinds}},
			"fileOperations":         object{"willRename": true},
		},
		"textDocument": object{
			"synchronization": object{"didSave": true},
			"publishDiagnostics": object{"versionSupport": true, "relatedInformation": true,
				"codeDescriptionSupport": true},
			"hover":          object{"contentFormat": []string{"markdown", "plaintext"}},
			"definition":     object{"linkSupport": true},
			"typeDefinition": object{"linkSupport": true},
			"implementation": object{"linkSupport": true},
			"references":     object{},
			"formatting":     object{},
			"documentSymbol": object{"hierarchicalDocumentSymbolSupport": true,
				"symbolKind": object{"valueSet": kinds}},
			"rename": object{"prepareSupport": false},
			"codeAction": object{"dataSupport": true, "disabledSupport": true, "isPreferredSupport": true,
				"resolveSupport": object{"properties": []string{"edit", "command"}},
				"codeActionLiteralSupport": object{"codeActionKind": object{"valueSet": []string{"", "quickfix",
					"refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source",
					"source.organizeImports", "source.fixAll"}}}},
		},
	}
	params := object{"processId": os.Getpid(), "clientInfo": object{"name": "agentshell", "version": version},
		"rootUri": URIOf(dir), "rootPath": dir, "workspaceFolders": workspaceFolders(dir), "capabilities": can}
	if s.Options != nil {
		params["initializationOptions"] = s.Options
	}
	return params
}
