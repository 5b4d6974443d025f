// The game's modes by the code that maps carry. Football is no parkour mode, and a map saved without choosing has none.
const NAMES: Record<string, string> = {
  '': 'Not set',
  b: 'Classic',
  sp: 'Grapple',
  v: 'VTOL',
  ar: 'Arrows',
  ard: 'Death Arrows',
  bs: 'Simple',
  f: 'Football',
}

const PARKOUR = ['b', 'sp', 'v', 'ar', 'ard', 'bs']

// modeName is a mode's display name; a code that is not known stands for itself.
export const modeName = (code: string): string => (Object.hasOwn(NAMES, code) && NAMES[code]) || code

export const isParkour = (code: string): boolean => PARKOUR.includes(code)

// modeNamed finds a mode's display name by any spelling of it.
export function modeNamed(text: string): string | undefined {
  return Object.entries(NAMES).find(([code, name]) => code !== '' && bare(name) === bare(text))?.[1]
}

const bare = (name: string) => name.replace(/[ _-]/g, '').toLowerCase()
