import { useParams } from 'react-router'
import { useGetRecordQuery } from '@/api'
import { One } from '@/api/One'
import { formatTime } from '@/entities/record/raceTime'
import { RecordView } from '@/features/record/RecordView'
import { VerificationCard } from '@/features/record/VerificationCard'
import { Skeleton, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { BackLink, ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

const messages = { refused: 'Failed to load the record', unreachable: 'Something went wrong while loading the record' }

export default function RecordPage() {
  const { recordId = '' } = useParams()
  const query = useGetRecordQuery({ id: recordId })
  const record = query.currentData?.data
  usePageTitle(record ? `${formatTime(record.finishTime)} by ${record.player.name} on ${record.map.name}` : 'Record')
  return (
    <One
      query={query}
      title="Record"
      messages={messages}
      skeleton={
        <Stack gap="4">
          <PageHeading>Record</PageHeading>
          <Skeleton h="34rem" rounded="l3" role="status" aria-label="Loading the record" />
        </Stack>
      }
      missing={
        <EmptyMessage title="Record not found" hint="It or its map may have been removed, or the link is incomplete.">
          <ButtonLink to={paths.allMaps}>Browse Maps</ButtonLink>
        </EmptyMessage>
      }
    >
      {(record) => (
        <>
          <BackLink to={paths.leaderboardAt(record.map._id, record._id, record.rank ?? 1)}>
            Back to the leaderboard
          </BackLink>
          <Stack gap="8">
            <RecordView record={record} />
            <VerificationCard recordId={record._id} />
          </Stack>
        </>
      )}
    </One>
  )
}
