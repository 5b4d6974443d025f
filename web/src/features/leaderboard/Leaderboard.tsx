import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useListRecordsQuery } from '@/api'
import { errorText, isNotFound } from '@/api/error'
import { useErrorToast } from '@/api/useErrorToast'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, Button, HStack } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { TargetIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { Listing, ListingStatus, pageOf, StepPagination } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { leaderboardPage, playerOnLeaderboard } from './queries'
import { RecordTable } from './RecordTable'
import { type RowTarget, rowTarget } from './rowTarget'
import { useAwaitedRecord } from './useAwaitedRecord'

const messages = {
  refused: msg`Failed to load leaderboard data`,
  unreachable: msg`Something went wrong while loading data`,
}

/** The best record of each player on a map, ten to a page. The address has the page and a record to highlight. */
export function Leaderboard({ mapId }: { mapId: string }) {
  const [address, setAddress] = useSearchParams()
  const page = pageOf(address)
  const query = useListRecordsQuery(leaderboardPage(mapId, page))
  const { currentData, data, error, refetch } = query
  // A missing map is reported by its page.
  useErrorToast(isNotFound(error) ? undefined : error, messages)
  const awaited = useAwaitedRecord(mapId, currentData?.data.length === 0 || isNotFound(error), refetch)
  const shown = awaited ? { isFetching: true, refetch } : query
  const ownRecord = useOwnRecord(mapId)
  const highlighted = address.get('record')
  const [target, setTarget] = useState<RowTarget | null>(null)
  useEffect(() => setTarget(highlighted ? rowTarget(highlighted) : null), [highlighted])

  const goTo = (to: number) => setAddress(to > 1 ? { page: String(to) } : {}, { preventScrollReset: true })
  const showOwn = () => {
    if (!ownRecord) return
    if (ownRecord.page !== page) goTo(ownRecord.page)
    setTarget(rowTarget(ownRecord.id))
  }
  return (
    <Box as="section" minW="0">
      <SectionHeading
        aside={
          <HStack gap="3">
            <ListingStatus
              query={shown}
              loading={awaited ? t`Your record is being ranked...` : t`Loading leaderboard data...`}
              total={(count) => plural(count, { one: '# player', other: '# players' })}
            />
            {ownRecord && (
              <Button size="sm" variant="outline" onClick={showOwn}>
                <TargetIcon /> <Trans>My record</Trans>
              </Button>
            )}
          </HStack>
        }
      >
        <Trans>Leaderboard</Trans>
      </SectionHeading>
      <Listing
        query={shown}
        pastEnd={t`This page is past the last record.`}
        failed={<ErrorAlert text={errorText(error, messages)} onRetry={refetch} />}
        onFirstPage={() => goTo(1)}
        empty={
          <EmptyMessage title={t`No records found for this map`} hint={t`Yours would be the first.`}>
            <ButtonLink to={paths.recordSubmitFor(mapId)}>
              <Trans>Submit Record</Trans>
            </ButtonLink>
          </EmptyMessage>
        }
        pagination={
          <StepPagination
            page={page}
            pages={Math.max(1, Math.ceil((data?.pagination.total ?? 0) / LEADERBOARD_PAGE_SIZE))}
            label={t`Pages of the leaderboard`}
            onPage={goTo}
          />
        }
      >
        {(records) => (
          <RecordTable
            records={records}
            firstRank={(page - 1) * LEADERBOARD_PAGE_SIZE + 1}
            highlightedId={highlighted}
            target={target}
          />
        )}
      </Listing>
    </Box>
  )
}

/** Returns the own record on this leaderboard with its page, or null. */
function useOwnRecord(mapId: string) {
  const user = useSession()
  const { currentData } = useListRecordsQuery(playerOnLeaderboard(mapId, user?._id ?? ''), { skip: !user })
  const [record] = currentData?.data ?? []
  if (!record?.rank) return null
  return { id: record._id, page: Math.ceil(record.rank / LEADERBOARD_PAGE_SIZE) }
}
