import { useState } from 'react'
import { type MapHistory, useGetMapHistoryQuery, type WorldRecordStep } from '@/api'
import { errorText } from '@/api/error'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatDifference } from '@/entities/record/raceTime'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Button, Skeleton, Stack, Table, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { ListTable } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { durationText } from './durationText'
import { HistoryChart } from './HistoryChart'

const FIRST_ROWS = 10
const messages = { refused: 'Failed to load the history', unreachable: 'Something went wrong while loading data' }

/** The world records of a map, and who held them for how long. */
export default function WorldRecordHistory({ mapId }: { mapId: string }) {
  const { currentData, error, refetch } = useGetMapHistoryQuery({ id: mapId })
  if (error) return <ErrorAlert text={errorText(error, messages)} onRetry={refetch} />
  if (!currentData) return <Skeleton h="20rem" role="status" aria-label="Loading the history" />
  const { steps, holders } = currentData.data
  if (steps.length === 0) return <EmptyMessage title="No world record yet." hint="Yours would be the first." />
  const now = Date.now()
  return (
    <Stack gap="6">
      <HistoryChart steps={steps} now={now} />
      <Steps steps={steps} now={now} />
      <Holders holders={holders} newest={steps.at(-1)} now={now} />
    </Stack>
  )
}

/** The world records, the newest first. */
function Steps({ steps, now }: { steps: WorldRecordStep[]; now: number }) {
  const [showAll, setShowAll] = useState(false)
  const rows = steps
    .map((step, i) => ({ ...step, previous: steps[i - 1] }))
    .reverse()
    .slice(0, showAll ? undefined : FIRST_ROWS)
  return (
    <Stack gap="3">
      <ListTable label="World records" head={['Player', 'Time', 'Improved by', 'Since', 'Held for']}>
        {rows.map(({ _id, player, finishTime, from, until, previous }) => (
          <Table.Row key={_id} h="12">
            <Table.Cell>
              <PlayerName player={player} />
            </Table.Cell>
            <Table.Cell>
              <PageLink to={paths.record(_id)} color="inherit">
                <Time ms={finishTime} />
              </PageLink>
            </Table.Cell>
            <Table.Cell color="fg.muted">{previous && formatDifference(finishTime - previous.finishTime)}</Table.Cell>
            <Table.Cell color="fg.muted">
              <DateTime iso={from} />
            </Table.Cell>
            <Table.Cell color="fg.muted">
              {durationText((until ? Date.parse(until) : now) - Date.parse(from))}
            </Table.Cell>
          </Table.Row>
        ))}
      </ListTable>
      {rows.length < steps.length && (
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={() => setShowAll(true)}>
          Show all {steps.length} world records
        </Button>
      )}
    </Stack>
  )
}

interface HoldersProps extends Pick<MapHistory, 'holders'> {
  newest: WorldRecordStep | undefined
  now: number
}

function Holders({ holders, newest, now }: HoldersProps) {
  return (
    <ListTable label="Holders of the world record" head={['Holder', 'Reigns', 'Held for']}>
      {holders.map(({ player, reigns, heldFor, current }) => (
        <Table.Row key={player._id} h="12">
          <Table.Cell>
            <PlayerName player={player} />
          </Table.Cell>
          <Table.Cell>{reigns}</Table.Cell>
          <Table.Cell color="fg.muted">
            {durationText(heldFor + (current && newest ? now - Date.parse(newest.from) : 0))}
            {current && (
              <Text as="span" fontWeight="semibold" color="brand.fg">
                {' '}
                until now
              </Text>
            )}
          </Table.Cell>
        </Table.Row>
      ))}
    </ListTable>
  )
}
