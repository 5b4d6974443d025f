import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { type ListedRecord, useListRecordsQuery } from '@/api'
import { isNotFound } from '@/api/error'
import { Listing, ListingStatus } from '@/api/Listing'
import { useErrorToast } from '@/api/useErrorToast'
import { submittedOf } from '@/entities/record/submission'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, HStack } from '@/ui'
import { useAddress } from '@/ui/address'
import { DeferredUpdate } from '@/ui/DeferredUpdate'
import { SectionHeading } from '@/ui/headings'
import { TargetIcon, UsersIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { idOf } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { useRowTarget } from '@/ui/rowTarget'
import { leaderboardAddress, playerOnLeaderboard, shownRows } from './queries'
import { RecordTable } from './RecordTable'
import { useAwaitedRecord } from './useAwaitedRecord'

const messages = {
  refused: msg`Failed to load leaderboard data`,
  unreachable: msg`Something went wrong while loading data`,
}

/**
 * The best record of each player on a map, ten to a page. The address has the page and a record to highlight, or asks for
 * the rows around the visitor's own, or for those of the players whom they follow.
 */
export function Leaderboard({ mapId }: { mapId: string }) {
  const [view, show] = useAddress(leaderboardAddress)
  const { page } = view
  const user = useSession()
  const around = view.around ? user : null
  const following = view.following && user !== null && !around
  const rows = shownRows(mapId, view, user)
  const query = useListRecordsQuery(rows)
  const { currentData, data, error, refetch } = query
  const live = useLiveRows(currentData?.data, idOf, JSON.stringify(rows))
  // A missing map is reported by its page.
  useErrorToast(isNotFound(error) ? undefined : error, messages)
  const awaited = useAwaitedRecord(mapId, (currentData?.data.length === 0 && !following) || isNotFound(error), refetch)
  const shown = awaited ? { currentData: undefined, isFetching: true, refetch } : query
  const ownRecord = useOwnRecord(mapId)
  const highlighted = view.record || null
  const targetId = around ? ownRecord?._id : highlighted
  const { key, state } = useLocation()
  // After a submission the page shows its result, which links to the row.
  const isResult = submittedOf(state) !== null
  const target = useRowTarget(isResult ? null : targetId, key)

  return (
    <Box as="section" minW="0">
      <SectionHeading
        aside={
          <>
            <Box ms="auto">
              <ListingStatus
                query={shown}
                loading={awaited ? t`Your record is being ranked...` : t`Loading leaderboard data...`}
                total={(count) => plural(count, { one: '# player', other: '# players' })}
              />
            </Box>
            {around || following ? (
              <ButtonLink to={paths.leaderboard(mapId)} size="sm" variant="outline" preventScrollReset>
                <Trans>Whole leaderboard</Trans>
              </ButtonLink>
            ) : (
              user && <OwnViews mapId={mapId} hasRow={ownRecord !== undefined} />
            )}
          </>
        }
      >
        <Trans>Leaderboard</Trans>
      </SectionHeading>
      <Listing
        query={shown}
        items={shown.currentData?.data}
        messages={messages}
        empty={
          around && (data?.pagination.total ?? 0) > 0 ? (
            <EmptyMessage title={t`You have no record on this map yet.`} />
          ) : following ? (
            <NoneFollowed />
          ) : (
            <NoRecords mapId={mapId} />
          )
        }
        pages={
          !around && {
            page,
            label: t`Pages of the leaderboard`,
            pastEnd: t`This page is past the last record.`,
            onPage: (page) => show({ page }),
            always: true,
          }
        }
      >
        {() => (
          <LiveArea live={live} waitingText={t`New record: show`}>
            <DeferredUpdate>
              <RecordTable
                records={live.rows}
                isNew={live.isNew}
                pinned={around || following || isOn(page, ownRecord, live.rows) ? undefined : ownRecord}
                firstRank={(page - 1) * LEADERBOARD_PAGE_SIZE + 1}
                highlightedId={highlighted}
                target={target}
              />
            </DeferredUpdate>
          </LiveArea>
        )}
      </Listing>
    </Box>
  )
}

/** The views of a leaderboard that are about the player who is logged in. */
function OwnViews({ mapId, hasRow }: { mapId: string; hasRow: boolean }) {
  return (
    // On phones they are beside each other without their icons.
    <HStack gap={{ base: '2', sm: '3' }} css={{ '& svg': { hideBelow: 'sm' } }}>
      {hasRow && (
        <ButtonLink to={paths.leaderboardAroundMe(mapId)} size="sm" variant="outline" preventScrollReset>
          <TargetIcon /> <Trans>Show my row</Trans>
        </ButtonLink>
      )}
      <ButtonLink to={paths.leaderboardOfFollowed(mapId)} size="sm" variant="outline" preventScrollReset>
        <UsersIcon /> <Trans>Following</Trans>
      </ButtonLink>
    </HStack>
  )
}

function NoRecords({ mapId }: { mapId: string }) {
  return (
    <EmptyMessage title={t`No records found for this map`} hint={t`Yours would be the first.`}>
      <ButtonLink to={paths.recordSubmitFor(mapId)}>{t`Submit Record`}</ButtonLink>
    </EmptyMessage>
  )
}

function NoneFollowed() {
  return (
    <EmptyMessage
      title={t`No player whom you follow has a record on this map`}
      hint={t`Follow players on their profiles. Their records on the map are listed here, and yours.`}
    >
      <ButtonLink to={paths.playerSearch}>{t`View Players`}</ButtonLink>
    </EmptyMessage>
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
