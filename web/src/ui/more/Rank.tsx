import { Figure } from '../basics'
import { formatNumber } from '../format'

// The sun's colour is for the first alone.
const COLORS: Record<number, 'first.fg' | 'fg'> = { 1: 'first.fg', 2: 'fg', 3: 'fg' }

/** A rank in a table. */
export const Rank = ({ rank }: { rank: number }) => (
  <Figure color={COLORS[rank] ?? 'fg.muted'}>{formatNumber(rank)}</Figure>
)
