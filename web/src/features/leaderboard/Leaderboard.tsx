import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type ListedRecord, useListRecordsQuery } from '@/api'
import { errorText, isNotFound } from '@/api/error'
import { useErrorToast } from '@/api/useErrorToast'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, HStack } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { TargetIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { Listing, ListingStatus, pageOf, StepPagination } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { isAround, playerOnLeaderboard, shownRows } from './queries'
import { RecordTable } from './RecordTable'
import { type RowTarget, rowTarget } from './rowTarget'
import { useAwaitedRecord } from './useAwaitedRecord'

const messages = {
  refused: msg`Failed to load leaderboard data`,
  unreachable: msg`Something went wrong while loading data`,
}

/**
 * The best record of each player on a map, ten to a page. The address has the page and a record to highlight, or asks for
 * the rows around the visitor's own.
 */
export function Leaderboard({ mapId }: { mapId: string }) {
  const [address, setAddress] = useSearchParams()
  const page = pageOf(address)
  const user = useSession()
  const around = isAround(address) ? user : null
  const query = useListRecordsQuery(shownRows(mapId, address, user))
  const { currentData, data, error, refetch } = query
  // A missing map is reported by its page.
  useErrorToast(isNotFound(error) ? undefined : error, messages)
  const awaited = useAwaitedRecord(mapId, currentData?.data.length === 0 || isNotFound(error), refetch)
  const shown = awaited ? { isFetching: true, refetch } : query
  const ownRecord = useOwnRecord(mapId)
  const highlighted = address.get('record')
  const targetId = around ? ownRecord?._id : highlighted
  const [target, setTarget] = useState<RowTarget | null>(null)
  useEffect(() => setTarget(targetId ? rowTarget(targetId) : null), [targetId])

  const goTo = (to: number) => setAddress(to > 1 ? { page: String(to) } : {}, { preventScrollReset: true })
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
            {around ? (
              <ButtonLink to={paths.leaderboard(mapId)} size="sm" variant="outline" preventScrollReset>
                <Trans>Whole leaderboard</Trans>
              </ButtonLink>
            ) : (
              ownRecord && (
                <ButtonLink to={paths.leaderboardAroundMe(mapId)} size="sm" variant="outline" preventScrollReset>
                  <TargetIcon /> <Trans>Show my row</Trans>
                </ButtonLink>
              )
            )}
          </HStack>
        }
      >
        <Trans>Leaderboard</Trans>
      </SectionHeading>
      <Listing
        query={shown}
        pastEnd={around ? t`You have no record on this map yet.` : t`This page is past the last record.`}
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
          !around && (
            <StepPagination
              page={page}
              pages={Math.max(1, Math.ceil((data?.pagination.total ?? 0) / LEADERBOARD_PAGE_SIZE))}
              label={t`Pages of the leaderboard`}
              onPage={goTo}
            />
          )
        }
      >
        {(records) => (
          <RecordTable
            records={records}
            pinned={around || isOn(page, ownRecord, records) ? undefined : ownRecord}
            firstRank={(page - 1) * LEADERBOARD_PAGE_SIZE + 1}
            highlightedId={highlighted}
            target={target}
          />
        )}
      </Listing>
    </Box>
  )
}

/** Returns the visitor's own record on this leaderboard, where there is one. */
function useOwnRecord(mapId: string): ListedRecord | undefined {
  const user = useSession()
  const { currentData } = useListRecordsQuery(playerOnLeaderboard(mapId, user?._id ?? ''), { skip: !user })
  return currentData?.data.find(({ rank }) => rank)
}

/** Reports whether a record is on a page, by its rank while the rows load. */
function isOn(page: number, record: ListedRecord | undefined, rows: ListedRecord[] | undefined): boolean {
  if (rows) return rows.some(({ _id }) => _id === record?._id)
  return Math.ceil((record?.rank ?? 0) / LEADERBOARD_PAGE_SIZE) === page
}
