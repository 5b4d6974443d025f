// Package parkourmap is the domain of the maps service: how a map is submitted, who may submit
// it, how it is found, and how an operator corrects or removes it.
//
// Each use case declares beside it the small interfaces that it needs.
package parkourmap
