// Package realterm holds the tape test in real terminals: its tests run with the build tag terminals (make terminals).
package realterm
