export type Medal = 'author' | 'gold' | 'silver' | 'bronze'

// Medals are the slowest times that earn each medal, in milliseconds; null where the author has set none.
export type Medals = Record<Medal, number | null>

// From the best to the least.
export const MEDALS: readonly Medal[] = ['author', 'gold', 'silver', 'bronze']

export const MEDAL_NAMES: Record<Medal, string> = {
  author: 'Author medal',
  gold: 'Gold medal',
  silver: 'Silver medal',
  bronze: 'Bronze medal',
}

// medalFor returns the best medal that a finish time earns.
export function medalFor(ms: number, medals: Medals): Medal | null {
  return MEDALS.find((medal) => ms <= (medals[medal] ?? 0)) ?? null
}

// defaultMedals derives medal times from the author's: 1.06, 1.2 and 1.5 times of it, rounded up. The arithmetic is of
// whole numbers, because 1.06 has no exact floating-point value: 50 ms would give 54 instead of 53.
export function defaultMedals(author: number): Record<Medal, number> {
  return {
    author,
    gold: Math.ceil((author * 106) / 100),
    silver: Math.ceil((author * 6) / 5),
    bronze: Math.ceil((author * 3) / 2),
  }
}
