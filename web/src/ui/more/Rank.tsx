import { Figure } from '../basics'
import { formatNumber } from '../format'

/** A rank in a table. The sun's colour is for the first alone. */
export const Rank = ({ rank }: { rank: number }) => (
  <Figure color={rank === 1 ? 'first.fg' : rank <= 3 ? 'fg' : 'fg.muted'}>{formatNumber(rank)}</Figure>
)
