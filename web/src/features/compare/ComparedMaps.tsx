import { msg, plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ComparedMap, Comparison, ComparisonAnswer, PlayerRef } from '@/api'
import { Listing, ListingStatus } from '@/api/Listing'
import type { QueryState } from '@/api/Loaded'
import { MapLink } from '@/entities/map/more/MapLink'
import { formatTime } from '@/entities/record/raceTime'
import { TimeLink } from '@/entities/record/Time'
import { Box, Button, type Column, DataTable, Flex } from '@/ui'
import { useAddress } from '@/ui/address'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { TextWithNames } from '@/ui/TextWithNames'
import { COMPARED_MAPS_PAGE_SIZE, comparisonAddress } from './queries'

interface Props {
  players: Pick<Comparison, 'player' | 'opponent'>
  query: QueryState<ComparisonAnswer>
}

/** The maps that both players have finished. The address has their order, the filter and the page. */
export function ComparedMaps({ players: { player, opponent }, query }: Props) {
  const [view, show] = useAddress(comparisonAddress)
  return (
    <Part
      title={t`Maps that both have finished`}
      aside={
        <ListingStatus
          query={query}
          loading={t`Loading maps...`}
          total={(count) => plural(count, { one: '# map', other: '# maps' })}
        />
      }
    >
      <Flex wrap="wrap" gap="2" mb="4">
        <Choice chosen={view.sortBy === 'closest'} onChoose={() => show({ sortBy: 'closest' })}>
          {t`Closest first`}
        </Choice>
        <Choice chosen={view.sortBy === 'biggest'} onChoose={() => show({ sortBy: 'biggest' })}>
          {t`Biggest difference first`}
        </Choice>
        <Choice chosen={view.behind} onChoose={() => show({ behind: !view.behind })}>
          <TextWithNames text={t`${player.name} is behind by less than half a second`} names={[player.name]} />
        </Choice>
      </Flex>
      <Listing
        query={query}
        items={query.currentData?.data.maps}
        pages={{
          page: view.page,
          label: t`Pages of maps`,
          pastEnd: t`This page is past the last map.`,
          onPage: (page) => show({ page }),
        }}
        empty={
          view.behind ? (
            <EmptyMessage
              title={t`No maps found.`}
              hint={
                <TextWithNames
                  text={t`There is no map on which ${player.name} is behind by less than half a second.`}
                  names={[player.name]}
                />
              }
            />
          ) : (
            <EmptyMessage title={t`No maps found.`} hint={t`There is no map yet that both players have finished.`} />
          )
        }
      >
        {(maps) => (
          <DataTable
            label={t`Maps that both have finished`}
            columns={columnsOf(player, opponent)}
            rows={maps}
            idOf={({ map }) => map._id}
            skeletonRows={COMPARED_MAPS_PAGE_SIZE}
          />
        )}
      </Listing>
    </Part>
  )
}

function Choice(props: { chosen: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <Button
      size="sm"
      variant={props.chosen ? 'solid' : 'outline'}
      aria-pressed={props.chosen}
      onClick={props.onChoose}
      h="auto"
      minH="9"
      py="1.5"
      flexShrink="1"
      whiteSpace="normal"
    >
      {props.children}
    </Button>
  )
}

const columnsOf = (player: PlayerRef, opponent: PlayerRef): Column<ComparedMap>[] => [
  {
    header: msg`Map`,
    width: '70%',
    cell: (row) => (
      <>
        <MapLink map={row.map} />
        <Box hideFrom="sm" textStyle="xs" color="fg.muted">
          <Lead row={row} player={player} opponent={opponent} />
        </Box>
      </>
    ),
  },
  { header: msg`Mode`, width: '4rem', hideBelow: 'md', muted: true, cell: ({ mode }) => mode ?? t`Unknown` },
  {
    header: player.name,
    width: '4rem',
    align: 'end',
    cell: ({ player: { _id, finishTime } }) => <TimeLink id={_id} ms={finishTime} />,
  },
  {
    header: opponent.name,
    width: '4rem',
    align: 'end',
    cell: ({ opponent: { _id, finishTime } }) => <TimeLink id={_id} ms={finishTime} />,
  },
  {
    header: msg`Faster`,
    width: '8rem',
    hideBelow: 'sm',
    cell: (row) => <Lead row={row} player={player} opponent={opponent} />,
  },
]

interface LeadProps {
  row: ComparedMap
  player: PlayerRef
  opponent: PlayerRef
}

/** Says who is faster on a map, and by how much. */
function Lead({ row: { difference }, player, opponent }: LeadProps) {
  if (difference === 0) return <span>{t`Tie`}</span>
  const name = difference < 0 ? player.name : opponent.name
  const time = formatTime(Math.abs(difference))
  return <TextWithNames text={t`${name} by ${time}`} names={[name, time]} />
}
