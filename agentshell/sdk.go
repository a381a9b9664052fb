package main

import (
	"embed"
	"io/fs"
)

// sdk holds the source files of the extension library. `agentshell extension new` copies them into
// a new extension, so that it needs no other module.
//
//go:embed extension/extension.go extension/rows.go extension/schema.go extension/serve.go
//go:embed extension/show.go extension/wire.go extension/js/extension.mjs
var sdk embed.FS

// sdkFiles returns the source files of the extension library, without the folder's name in their
// paths.
func sdkFiles() fs.FS {
	folder, err := fs.Sub(sdk, "extension")
	if err != nil {
		panic(err) // the name is one
	}
	return folder
}
