import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { RankingRow } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { paths } from '@/routes/paths'
import { Figure, Name, Sky, Stack, styled } from '@/ui'

interface Props {
  rows: readonly RankingRow[]
  /** Returns what the ranking is by, as a text. */
  textOf: (row: RankingRow) => string
}

/** The first three of a ranking, on platforms as high as their places. Fewer leave it empty, so that nothing moves. */
export function Podium({ rows, textOf }: Props) {
  const [first, second, third] = rows
  if (!first || !second || !third) return <Sky rounded="l3" h="44" />
  return (
    <Sky rounded="l3" overflow="hidden" px="4" pt="5">
      <Places aria-label={t`Podium`}>
        <Place row={first} height="4.5rem" ball={14} value={textOf(first)} order="2" />
        <Place row={second} height="3rem" ball={11} value={textOf(second)} order="1" />
        <Place row={third} height="2.5rem" ball={11} value={textOf(third)} order="3" />
      </Places>
    </Sky>
  )
}

const Places = styled('ol', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    alignItems: 'end',
    gap: '3',
    maxW: '2xl',
    mx: 'auto',
  },
})

const Profile = styled(Link, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '1',
    maxW: 'full',
    rounded: 'l2',
    focusVisibleRing: 'outside',
  },
})

const Block = styled('div', {
  base: {
    display: 'flex',
    justifyContent: 'center',
    w: 'full',
    pt: '1.5',
    borderTopWidth: '4px',
    borderColor: 'fg.subtle',
    roundedTop: 'l1',
    bg: 'bg.panel',
    color: 'fg',
    '&[data-first]': { borderColor: 'scene.flag' },
  },
})

interface PlaceProps {
  row: RankingRow
  height: string
  ball: number
  value: string
  order: string
}

function Place({ row: { rank, player }, height, ball, value, order }: PlaceProps) {
  const first = rank === 1 || undefined
  return (
    <Stack as="li" gap="1" align="center" minW="0" style={{ order }}>
      <Profile to={paths.player(player._id)}>
        <Avatar player={player} size={ball} />
        <styled.span
          maxW="full"
          overflowWrap="anywhere"
          textAlign="center"
          fontSize={{ base: 'sm', sm: 'md' }}
          lineHeight="1.25rem"
          fontWeight="semibold"
        >
          <Name>{player.name}</Name>
        </styled.span>
      </Profile>
      <Block data-first={first} style={{ height }}>
        <Figure color={first && 'first.fg'}>{value}</Figure>
      </Block>
    </Stack>
  )
}
