package main

import (
	"embed"
	"io/fs"
)

// sdk holds the files that `agentshell extension new` copies into an extension, so that it stands
// alone.
//
//go:embed extension/extension.go extension/rows.go extension/schema.go extension/serve.go
//go:embed extension/show.go extension/wire.go extension/js/extension.mjs
var sdk embed.FS

// sdkFiles returns the files of the folder extension.
func sdkFiles() fs.FS {
	folder, err := fs.Sub(sdk, "extension")
	if err != nil {
		panic(err) // the name is one
	}
	return folder
}
