// Package realterm holds the tests in real terminals: the tape while windows change, a whole session, and what keys send. They run with the build tag terminals (make terminals).
package realterm
