import { t } from '@lingui/core/macro'
import { useParams } from 'react-router'
import { type RecordDetails, useGetRecordQuery, useGetRecordVerificationQuery } from '@/api'
import { hasFailed, Loaded } from '@/api/Loaded'
import { formatTime } from '@/entities/record/raceTime'
import { ReportButton } from '@/features/moderation/ReportButton'
import { UnderReview } from '@/features/moderation/UnderReview'
import { RecordHead } from '@/features/record/RecordHead'
import { RecordView } from '@/features/record/RecordView'
import { VerificationCard } from '@/features/record/VerificationCard'
import { Box, Skeleton, Stack } from '@/ui'
import { isolated } from '@/ui/format'
import { usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { UpdatedMark, useJustUpdated } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

export default function RecordPage() {
  const { recordId = '' } = useParams()
  const query = useGetRecordQuery({ id: recordId })
  const record = query.currentData?.data
  const updated = useJustUpdated(record, recordId)
  usePageTitle(record ? titleOf(record) : t`Record`)
  return (
    <>
      {(!record || hasFailed({ query })) && <RecordHead record={undefined} />}
      <Loaded
        query={query}
        skeleton={<Skeleton h="24rem" rounded="l3" role="status" aria-label={t`Loading the record`} />}
        missing={
          <EmptyMessage
            title={t`Record not found`}
            hint={t`It or its map may have been removed, or the link is incomplete.`}
          >
            <ButtonLink to={paths.allMaps}>{t`Browse Maps`}</ButtonLink>
          </EmptyMessage>
        }
      >
        {(record) => (
          <>
            <RecordHead
              record={record}
              notice={record.worldRecord?._id === record._id && <UnderReview recordId={record._id} />}
            >
              <ReportButton kind="record" id={record._id} ownerId={record.player._id} />
            </RecordHead>
            <Stack gap="8" position="relative">
              {updated && (
                <Box position="absolute" zIndex="1" top="-3" insetEnd="3">
                  <UpdatedMark />
                </Box>
              )}
              <RecordView record={record} />
              <Verification recordId={record._id} />
            </Stack>
          </>
        )}
      </Loaded>
    </>
  )
}

function Verification({ recordId }: { recordId: string }) {
  return <VerificationCard query={useGetRecordVerificationQuery({ id: recordId })} />
}

function titleOf({ finishTime, player, map }: RecordDetails): string {
  const time = formatTime(finishTime)
  return t`${time} by ${player.name} on ${isolated(map.name)}`
}
