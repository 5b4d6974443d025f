import { Box, styled } from '@/ui'
import { range } from '@/ui/lists'

const Piece = styled('span', {
  base: {
    position: 'absolute',
    top: '-4',
    w: '2',
    h: '3',
    rounded: 'sm',
    opacity: 0,
    animation: 'confetti 1.8s ease-in 1',
    _motionReduce: { display: 'none' },
  },
})

const COLOURS = ['sun-400', 'brand-400', 'green-500']

/** A short rain of confetti over the panel that it is in. It is absent for visitors who prefer reduced motion. */
export function Confetti() {
  return (
    <Box position="absolute" inset="0" pointerEvents="none" aria-hidden="true">
      {range(36).map((i) => (
        <Piece
          key={i}
          style={{
            insetInlineStart: `${(i * 37) % 100}%`,
            animationDelay: `${(i % 9) * 70}ms`,
            background: `var(--chakra-colors-${COLOURS[i % COLOURS.length]})`,
          }}
        />
      ))}
    </Box>
  )
}
