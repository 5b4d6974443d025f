import type { GameMode } from '@/api'
import { css } from '@/ui'

const badge = css({
  w: 'fit-content',
  px: '1.5',
  rounded: 'l1',
  textStyle: 'xs',
  fontWeight: 'medium',
  whiteSpace: 'nowrap',
})

/** A mode of maps in its own hue, which the style sheet of the whole page has. */
export const ModeBadge = ({ mode }: { mode: GameMode }) => (
  <span className={badge} data-mode={mode}>
    {mode}
  </span>
)
