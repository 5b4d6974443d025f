package mapgen

// theme is a set of colours, 0xRRGGBB, that go together.
type theme struct {
	name   string
	sky    uint32
	far    uint32 // scenery at the horizon
	near   uint32 // scenery before it
	light  uint32 // sun, moon, stars, windows
	ground uint32 // platforms and walls
	edge   uint32 // their upper edges
	accent uint32 // bouncers, anchors, the finish
	danger uint32
}

var themes = []theme{
	{name: "dusk", sky: 0x3B2F63, far: 0x54407F, near: 0x2B2450, light: 0xFFD9A0, ground: 0x1C1836, edge: 0xC77DFF,
		accent: 0xFFB454, danger: 0xFF4D6D},
	{name: "sunset", sky: 0xE07A5F, far: 0xC45D5A, near: 0x8E3B56, light: 0xFFE8B5, ground: 0x3D2340, edge: 0xFFC38B,
		accent: 0x7AE7C7, danger: 0xB3123C},
	{name: "mint", sky: 0x9ADBC4, far: 0x78C6AE, near: 0x52A693, light: 0xFFFFFF, ground: 0x22534F, edge: 0xE9FFF6,
		accent: 0xFF8F6B, danger: 0xD7263D},
	{name: "ocean", sky: 0x1B5E88, far: 0x17517A, near: 0x0F3B5C, light: 0xBDEBFF, ground: 0x0B2239, edge: 0x5AD1E6,
		accent: 0xFFD166, danger: 0xFF5C5C},
	{name: "ember", sky: 0x3A1F1F, far: 0x552626, near: 0x2A1414, light: 0xFFB36B, ground: 0x140C0E, edge: 0xE4572E,
		accent: 0xFFC857, danger: 0xFF3B1F},
	{name: "forest", sky: 0xA7CFA0, far: 0x7FB285, near: 0x4C8A62, light: 0xFFF6CF, ground: 0x2A3F2F, edge: 0xB7E778,
		accent: 0xF6AE2D, danger: 0xC3423F},
	{name: "candy", sky: 0xF7B2D0, far: 0xF08FBD, near: 0xD46BA5, light: 0xFFFFFF, ground: 0x6B2D73, edge: 0xFFE3F1,
		accent: 0x4BD6C9, danger: 0xE4003A},
	{name: "frost", sky: 0xC6DDF0, far: 0xA5C4E0, near: 0x7EA3C8, light: 0xFFFFFF, ground: 0x2F4A6D, edge: 0xF4FBFF,
		accent: 0xFF7F51, danger: 0xB5179E},
	{name: "night", sky: 0x11152E, far: 0x1A2145, near: 0x0C1024, light: 0xF3F4FF, ground: 0x262F5C, edge: 0x8FA3FF,
		accent: 0x59F8C4, danger: 0xFF477E},
	{name: "desert", sky: 0xF2D6A2, far: 0xE2B56F, near: 0xC58B4B, light: 0xFFF9E8, ground: 0x6B4226, edge: 0xFFE5B0,
		accent: 0x2A9D8F, danger: 0xC8102E},
	{name: "neon", sky: 0x1A1033, far: 0x2A1650, near: 0x130B28, light: 0x00E5FF, ground: 0x0D0820, edge: 0xFF2BD6,
		accent: 0x00F5A0, danger: 0xFF3131},
	{name: "slate", sky: 0x6C7A89, far: 0x5A6877, near: 0x45515E, light: 0xF5F7FA, ground: 0x262E36, edge: 0xC9D6DF,
		accent: 0xF9C74F, danger: 0xE63946},
}
