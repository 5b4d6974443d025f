// Package simulated replaces the game's rooms in development: a web page, or a script, enters under
// any name and reads the bot's texts. It checks only the form of a name, so it must not be used in
// production.
//
//	GET  {link}            the page
//	POST {link}/join       {"name", "level", "guest", "skin"} → {"visit"}
//	POST {link}/leave      {"visit"}, or nothing for the newest visitor
//	POST {link}/rename     {"visit", "name"}
//	GET  {link}/messages   [{"from", "text", "at"}]
package simulated
