import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useGetMapHistoryQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { Box, Button, type Elements } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { idOf } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { Steps } from './Steps'
import { WorldRecordHistory } from './WorldRecordHistory'

const NEWEST = 3

/** The newest world records of a map, and a button that shows all of them with their picture. */
export default function HistorySection({ mapId }: { mapId: string }): Elements {
  const query = useGetMapHistoryQuery({ id: mapId })
  const [opened, setOpened] = useState(false)
  const [now] = useState(Date.now)
  const live = useLiveRows(query.currentData?.data.steps, idOf, mapId)
  const hasSteps = (live.rows?.length ?? 0) > 0
  return (
    <Box as="section" mt="10">
      <SectionHeading
        aside={
          hasSteps && (
            <Button size="sm" variant="outline" aria-expanded={opened} onClick={() => setOpened(!opened)}>
              {opened ? <Trans>Hide history</Trans> : <Trans>Show history</Trans>}
            </Button>
          )
        }
      >
        <Trans>World record history</Trans>
      </SectionHeading>
      <Loaded query={query} skeleton={<Steps steps={undefined} limit={NEWEST} now={now} />}>
        {({ holders }) => {
          const steps = live.rows ?? []
          if (steps.length === 0) {
            return <EmptyMessage title={t`No world record yet.`} hint={t`Yours would be the first.`} />
          }
          return (
            <LiveArea live={live} waitingText={t`New world record: show`}>
              {opened ? (
                <WorldRecordHistory steps={steps} holders={holders} now={now} />
              ) : (
                <Steps steps={steps} limit={NEWEST} now={now} />
              )}
            </LiveArea>
          )
        }}
      </Loaded>
    </Box>
  )
}
