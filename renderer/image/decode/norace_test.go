//go:build !race

package decode

const raced = false
