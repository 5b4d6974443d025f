// Package check holds the tests of what is deployed: the Compose file and its
// images, the scripts that make secrets and databases, and what is generated for
// them. It is a module of its own, so that what can read such files stays out of
// the programs.
package check
