import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type MissingForRank, type RankingPage, type RankingRow, useListRankingsQuery } from '@/api'
import { Listing, ListingStatus } from '@/api/Listing'
import { QueryAlert } from '@/api/Loaded'
import { missingOf, missingText } from '@/entities/points/texts'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { HStack, Skeleton, Stack, Text } from '@/ui'
import { useAddress } from '@/ui/address'
import { DeferredUpdate } from '@/ui/DeferredUpdate'
import { formatMoment } from '@/ui/format'
import { TargetIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { useRowTarget } from '@/ui/rowTarget'
import { Podium } from './Podium'
import { playerAround, type RankingView, rankingAddress, rowsAround, shownRanking } from './queries'
import { RankingFilters } from './RankingFilters'
import { RankingTable, valueText } from './RankingTable'

// The answers are at most a minute old. A view that was left a moment ago is shown again as it was.
const FRESH = { refetchOnMountOrArgChange: 10 } as const

/** The rankings of players. The address has what they are by, the mode, the period, and the page or a player. */
export function RankingsView() {
  const [view, show, linkTo] = useAddress(rankingAddress)
  const user = useSession()
  const around = playerAround(view, user)
  const query = useListRankingsQuery(shownRanking(view, user), FRESH)
  const own = useOwnRow(view)
  const target = useRowTarget(around)
  const missing = around ? missingOf(query.error) : null
  return (
    <Stack gap="4">
      <RankingFilters view={view} show={show} linkTo={linkTo} until={query.data?.periodUntil ?? null}>
        <HStack gap="3" flexWrap="wrap" minH="9" w={{ base: 'full', md: 'auto' }} ms={{ md: 'auto' }}>
          <ListingStatus
            query={query}
            loading={t`Loading the ranking...`}
            total={(count) => plural(count, { one: '# player', other: '# players' })}
          />
          {around ? (
            <ButtonLink to={linkTo({ around: '' })} size="sm" variant="outline" preventScrollReset>
              <Trans>Whole ranking</Trans>
            </ButtonLink>
          ) : (
            own.row && (
              <ButtonLink to={linkTo({ around: 'me' })} size="sm" variant="outline" preventScrollReset>
                <TargetIcon /> <Trans>Show my row</Trans>
              </ButtonLink>
            )
          )}
        </HStack>
      </RankingFilters>
      <Listing
        query={query}
        failed={
          missing ? (
            <EmptyMessage title={t`Not in this ranking yet`} hint={missingText(missing)} />
          ) : (
            <QueryAlert query={query} />
          )
        }
        empty={
          <EmptyMessage
            title={t`Nobody is in this ranking yet.`}
            hint={t`Who is ranked is explained with the formula of points.`}
          />
        }
        pages={
          !around && {
            page: view.page,
            label: t`Pages of the ranking`,
            pastEnd: t`This page is past the last player.`,
            onPage: (page) => show({ page }),
            always: true,
          }
        }
      >
        {(rows) => (
          <DeferredUpdate>
            {view.page === 1 &&
              !around &&
              (rows ? <Podium rows={rows} textOf={valueText(view.by)} /> : <Skeleton h="44" rounded="l3" />)}
            <RankingTable
              view={view}
              rows={rows}
              pinned={around || rows?.some(({ player }) => player._id === user?._id) ? undefined : own.row}
              target={target}
            />
          </DeferredUpdate>
        )}
      </Listing>
      {own.missing && !around && <Text>{t`You are not in this ranking yet. ${missingText(own.missing)}`}</Text>}
      {query.data && <Rules answer={query.data} />}
    </Stack>
  )
}

/** Returns the visitor's own row in a ranking, or what they need for one. */
function useOwnRow(view: RankingView): { row: RankingRow | undefined; missing: MissingForRank | null } {
  const user = useSession()
  const { currentData, error } = useListRankingsQuery(rowsAround(view, user?._id ?? ''), { ...FRESH, skip: !user })
  return { row: currentData?.data.find(({ player }) => player._id === user?._id), missing: missingOf(error) }
}

/** Says who is ranked, and when the ranking was computed. */
function Rules({ answer: { thresholds, asOf } }: { answer: RankingPage }) {
  const { maps, authors } = thresholds
  return (
    <Text textStyle="sm" color="fg.muted">
      <Trans>
        Only players who have finished <Plural value={maps} one="# map" other="# maps" /> by{' '}
        <Plural value={authors} one="# author" other="# authors" /> are ranked. As of {formatMoment(asOf)}.
      </Trans>{' '}
      <PageLink to={paths.formula}>{t`How points work`}</PageLink>
    </Text>
  )
}
