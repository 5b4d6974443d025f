import { useState } from 'react'
import { useGetMapHistoryQuery } from '@/api'
import { One } from '@/api/One'
import { Box, Button } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { EmptyMessage } from '@/ui/messages'
import { onDemand } from '@/ui/onDemand'
import { Steps } from './Steps'

const messages = { refused: 'Failed to load the history', unreachable: 'Something went wrong while loading data' }
const NEWEST = 3

const WorldRecordHistory = onDemand(() => import('./WorldRecordHistory'))

/** The newest world records of a map, and a button that opens all of them with their picture. */
export function HistorySection({ mapId }: { mapId: string }) {
  const query = useGetMapHistoryQuery({ id: mapId })
  const { opened, buttonProps } = WorldRecordHistory.useOpened()
  const [now] = useState(Date.now)
  const hasSteps = (query.currentData?.data.steps.length ?? 0) > 0
  return (
    <Box as="section" mt="10">
      <SectionHeading
        aside={
          hasSteps &&
          !opened && (
            <Button size="sm" variant="outline" {...buttonProps}>
              Show history
            </Button>
          )
        }
      >
        World record history
      </SectionHeading>
      <One query={query} messages={messages} skeleton={<Steps steps={undefined} limit={NEWEST} now={now} />}>
        {(history) => {
          if (history.steps.length === 0) {
            return <EmptyMessage title="No world record yet." hint="Yours would be the first." />
          }
          if (opened) return <WorldRecordHistory.Component {...history} now={now} />
          return <Steps steps={history.steps} limit={NEWEST} now={now} />
        }}
      </One>
    </Box>
  )
}
