// Package simulated is the game's room in development: a small web page where a
// person, or a script, enters under any name and reads what the bot says.
// It checks nothing but the form of a name, so it has no place in production.
//
//	GET  {link}            the page
//	POST {link}/join       {"name", "level", "guest", "skin"} → {"visit"}
//	POST {link}/leave      {"visit"}, or nothing for the newest visitor
//	POST {link}/rename     {"visit", "name"}
//	GET  {link}/messages   [{"from", "text", "at"}]
package simulated
